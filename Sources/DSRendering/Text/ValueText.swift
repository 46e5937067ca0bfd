package import DataTables
internal import DisplayText

extension Value {
  /// The value on one line, for people: a string without quotes, except `"null"`; every other value
  /// as a literal of the language. Control characters are escaped.
  ///
  /// - Parameter limit: the maximum number of elements of an array; nil for all.
  package func text(limit: Int? = nil) -> String {
    switch self {
    case .string(let text): text == "null" ? "\"null\"" : text.escapingControls()
    default: literal(limit: limit)
    }
  }

  var text: String { text() }

  /// The value as a literal of the language.
  func literal(limit: Int? = nil) -> String {
    var literal = Literal(limit: limit)
    literal.append(self)
    return literal.text
  }

  package var isNumber: Bool {
    switch self {
    case .integer, .real: true
    default: false
    }
  }
}

/// Writes values as literals of the language; of long arrays and records, a head and a count.
private struct Literal {
  var text = ""
  private let limit: Int
  /// The number of elements and keys that may follow, at all depths together.
  private var left: Int

  init(limit: Int?) {
    self.limit = limit ?? .max
    left = limit.map(TerminalTraits.nestedLimit) ?? .max
  }

  mutating func append(_ value: Value) {
    switch value {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .real(let value): text += value.text.escapingControls()
    case .string(let string): text += string.quoted
    case .date(let date): text += date.text.escapingControls()
    case .data(let bytes): text += Self.text(of: bytes)
    case .array(let elements):
      text += "["
      let shown = take(min(elements.count, limit))
      for index in 0..<shown {
        if index > 0 { text += ", " }
        append(elements[index])
      }
      close("]", hidden: elements.count - shown, isEmpty: shown == 0)
    case .record(let record):
      text += "{"
      let keys = record.keys
      let values = record.values
      let shown = take(keys.count)
      for index in 0..<shown {
        if index > 0 { text += ", " }
        text += keys[index].isPlainName ? keys[index] : keys[index].quoted
        text += ": "
        append(values[index])
      }
      close("}", hidden: keys.count - shown, isEmpty: shown == 0)
    }
  }

  /// - Returns: the number of elements of `count` that may be written.
  private mutating func take(_ count: Int) -> Int {
    let taken = min(count, left)
    if left != .max { left -= taken }
    return taken
  }

  private mutating func close(_ bracket: String, hidden: Int, isEmpty: Bool) {
    if hidden > 0 { text += (isEmpty ? "" : ", ") + "… \(hidden.grouped) more" }
    text += bracket
  }

  private static func text(of bytes: [UInt8]) -> String {
    let shown = bytes.prefix(32).map { byte in
      byte < 16 ? "0" + String(byte, radix: 16) : String(byte, radix: 16)
    }
    let rest = bytes.count > 32 ? "… \(bytes.count.grouped) bytes" : ""
    return "<" + shown.joined() + rest + ">"
  }
}

extension String {
  /// The string in double quotes, with escapes.
  var quoted: String {
    var text = ""
    for scalar in unicodeScalars {
      if scalar == "\"" || scalar == "\\" { text.unicodeScalars.append("\\") }
      text.unicodeScalars.append(scalar)
    }
    return "\"" + text.escapingControls() + "\""
  }

  fileprivate var isPlainName: Bool {
    guard let first, first.isLetter || first == "_" else { return false }
    return allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
