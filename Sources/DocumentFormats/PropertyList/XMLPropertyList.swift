import CXML
import DataTables

/// Builds the value of a property list in XML from the events of the document. Keys keep their
/// order, numbers and dates their text.
struct XMLPropertyList {
  fileprivate enum Element: String {
    case plist, dict, array, key, string, integer, real, date, data
    case yes = "true"
    case no = "false"
  }

  private struct Frame {
    let element: Element
    let line: Int
    /// Whether only dictionaries are around the element, so that its lines are noted.
    let isReachedByKeys: Bool
    /// The keys of a dictionary, and the values of a dictionary or an array.
    var keys: [String] = []
    var values: [Value] = []
    var lines: [Int] = []
  }

  private let parser: XMLParser
  private var open: [Frame] = []
  /// The text of the innermost element.
  private var text: [UInt8] = []
  /// The elements by the numbers of their names.
  private var elements: [Element?] = []
  private var shapes = RecordShapes()

  /// The value of the list; nil before its end.
  private(set) var value: Value?
  /// The line on which the value starts.
  private(set) var line = 1
  private(set) var lines = DocumentLines()
  private(set) var duplicates = CountedFinding(.duplicateKeys)

  init(_ parser: XMLParser) { self.parser = parser }

  /// - Throws: ``TableError/format(_:at:)`` with the line.
  mutating func take(_ events: XMLEvents) throws(TableError) {
    for event in events.events {
      switch event.eventKind {
      case .start: try start(Int(event.name), line: Int(event.line))
      case .text: try take(events.text(of: event), isBlank: event.is_blank)
      case .end: try end()
      case .attribute: break
      }
    }
  }

  private mutating func start(_ name: Int, line: Int) throws(TableError) {
    while elements.count <= name {
      elements.append(Element(rawValue: parser.name(elements.count)))
    }
    guard let element = elements[name] else {
      throw Self.malformed("unknown element `\(parser.name(name))`", line)
    }
    text.removeAll(keepingCapacity: true)
    let parent = open.last
    let isReached = parent.map { $0.isReachedByKeys && $0.element != .array } ?? true
    switch parent?.element {
    case nil where element == .plist: break
    case .plist where element != .plist && element != .key && value == nil: self.line = line
    case .array where element != .plist && element != .key: break
    case .dict where element == .key:
      guard parent?.keys.count == parent?.values.count else {
        throw Self.malformed("a key without a value", line)
      }
    case .dict where element != .plist:
      guard parent.map({ $0.keys.count == $0.values.count + 1 }) ?? false else {
        throw Self.malformed("`\(element.rawValue)` without a key", line)
      }
    default: throw Self.malformed("`\(element.rawValue)` is not allowed here", line)
    }
    open.append(Frame(element: element, line: line, isReachedByKeys: isReached))
  }

  private mutating func take(
    _ text: UnsafeRawBufferPointer, isBlank: Bool
  ) throws(TableError) {
    guard let frame = open.last else { return }
    switch frame.element {
    case .plist, .dict, .array, .yes, .no:
      if !isBlank { throw Self.malformed("text outside of a value", frame.line) }
    case .key, .string, .integer, .real, .date, .data: self.text.append(contentsOf: text)
    }
  }

  private mutating func end() throws(TableError) {
    guard let frame = open.popLast(), let parent = open.indices.last else { return }
    if frame.element == .key {
      open[parent].keys.append(String(decoding: text, as: UTF8.self))
      return
    }
    let value = try value(of: frame)
    if frame.isReachedByKeys, value.memberCount == frame.lines.count {
      lines.note(frame.lines, at: open.dropFirst().compactMap(\.keys.last))
    }
    if open[parent].element == .plist {
      self.value = value
    } else {
      open[parent].values.append(value)
      if open[parent].isReachedByKeys { open[parent].lines.append(frame.line) }
    }
  }

  private mutating func value(of frame: Frame) throws(TableError) -> Value {
    switch frame.element {
    case .dict:
      guard frame.keys.count == frame.values.count else {
        throw Self.malformed("a key without a value", frame.line)
      }
      return .record(record(frame))
    case .array: return .array(frame.values)
    case .yes: return true
    case .no: return false
    case .string: return .string(String(decoding: text, as: UTF8.self))
    case .data: return try data(frame.line)
    case .integer, .real, .date: return try scalar(frame)
    case .plist, .key: return .null
    }
  }

  private mutating func record(_ frame: Frame) -> Record {
    let (record, hasDuplicate) = shapes.record(repeating: frame.keys, frame.values)
    if hasDuplicate { duplicates.note(line: frame.line) }
    return record
  }

  private func scalar(_ frame: Frame) throws(TableError) -> Value {
    let text = String(decoding: text, as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let value: Value? =
      switch (frame.element, Value(literal: text)) {
      case (.date, .date(let date)): .date(date)
      case (.integer, .integer(let integer)): .integer(integer)
      case (.integer, .real(let real)) where text.allSatisfy({ $0.isNumber || $0 == "-" }):
        .real(real)
      case (.integer, _): Self.integer(text).map(Value.integer)
      case (.real, .integer(let integer)): .integer(integer)
      case (.real, .real(let real)): .real(real)
      case (.real, _): Self.real(text)
      default: nil
      }
    guard let value else {
      throw Self.malformed("`\(text.prefix(40))` is not \(frame.element.phrase)", frame.line)
    }
    return value
  }

  /// Integers with a sign, leading zeros or in hexadecimal digits.
  private static func integer(_ text: String) -> Int? {
    let isNegative = text.hasPrefix("-")
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    guard let first = digits.first, first != "-", first != "+" else { return nil }
    let isHex = digits.lowercased().hasPrefix("0x")
    return isHex
      ? Int((isNegative ? "-" : "") + digits.dropFirst(2), radix: 16)
      : Int((isNegative ? "-" : "") + digits)
  }

  /// Numbers that are not in the form of JSON, infinities and NaN.
  private static func real(_ text: String) -> Value? {
    Double(text).map { .real(Real($0)) }
  }

  private func data(_ line: Int) throws(TableError) -> Value {
    guard let data = Base64.decoded(document: text) else {
      throw Self.malformed("data that is not in base 64", line)
    }
    return .data(data)
  }

  private static func malformed(_ message: String, _ line: Int) -> TableError {
    .format("malformed property list: \(message)", at: TextPosition(line: line))
  }
}

extension XMLPropertyList.Element {
  fileprivate var phrase: String {
    switch self {
    case .integer: "an integer"
    case .real: "a number"
    default: "a date"
    }
  }
}
