import CXML
import DataTables

/// Builds rows from the events of a document.
///
/// The attributes and children of an element are its keys. An element with a text alone is a
/// string, without any content null; a repeated key is an array; other elements are records. The
/// text of a record is the value of the key `text`.
struct XMLRowBuilder {
  private(set) var rows: [Value] = []
  /// The path of each row.
  private(set) var rowNodes: [Int] = []
  /// The line on which each row starts.
  private(set) var lines: [Int] = []
  private(set) var paths: XMLPaths
  let parser: XMLParser

  private var open: [Frame] = []
  /// The number of elements so far, which identifies an element.
  private var elements = 0
  /// The number of open elements of the current row; 0 outside of rows.
  private var rowDepth = 0
  /// The values of the open elements of the row, with their nodes.
  private var values: [Value] = []
  private var valueNodes: [Int] = []
  /// The texts of the open elements of the row.
  private var texts: [UInt8] = []
  /// The numbers of keys by the numbers of names.
  private var keys: [Int] = []

  /// An element with this attribute is null (XML Schema).
  private static let nilKey = "xsi:nil"

  private struct Frame {
    var node: Int
    var number: Int
    /// The node of the last child; -1 without a child.
    var last = -1
    var line: Int
    var firstValue: Int
    var firstText: Int
    var isRepeated: Bool
    var isNil = false
  }

  init(_ parser: XMLParser, rows selection: XMLRowSelection) {
    self.parser = parser
    paths = XMLPaths(selection: selection)
  }

  mutating func take(_ events: XMLEvents) throws(TableError) {
    for event in events.events {
      switch event.eventKind {
      case .start: try start(Int(event.name), line: Int(event.line))
      case .attribute: try attribute(Int(event.name), event.is_blank, events.text(of: event))
      case .text:
        if rowDepth > 0 {
          take(events.text(of: event), isBlank: event.is_blank)
        } else if !event.is_blank, let node = open.last?.node {
          paths.nodes[node].hasText = true
        }
      case .end: try end()
      }
    }
  }

  private mutating func key(of name: Int) -> Int {
    while keys.count <= name { keys.append(paths.number(of: parser.name(keys.count))) }
    return keys[name]
  }

  private mutating func start(_ name: Int, line: Int) throws(TableError) {
    let key = key(of: name)
    let parent = open.last?.node ?? XMLPaths.document
    let (node, isRepeated) = try paths.add(
      key, to: parent, after: open.last?.last ?? -1, group: open.last?.number ?? 0)
    if !open.isEmpty {
      open[open.count - 1].last = node
      paths.nodes[parent].isRecord = true
    }
    paths.nodes[node].elements += 1
    elements += 1
    if rowDepth > 0 || paths.nodes[node].isRow { rowDepth += 1 }
    open.append(
      Frame(
        node: node, number: elements, line: line, firstValue: values.count,
        firstText: texts.count, isRepeated: isRepeated))
  }

  private mutating func attribute(
    _ name: Int, _ isBlank: Bool, _ text: UnsafeRawBufferPointer
  ) throws(TableError) {
    let key = key(of: name)
    let element = open.count - 1
    guard element >= 0 else { return }
    if paths.keys[key] == Self.nilKey {
      open[element].isNil = text.elementsEqual("true".utf8) || text.elementsEqual("1".utf8)
      return
    }
    let parent = open[element].node
    let (node, isRepeated) = try paths.add(
      key, to: parent, after: open[element].last, group: open[element].number)
    open[element].last = node
    paths.nodes[parent].isRecord = true
    guard rowDepth > 0 else { return }
    paths.nodes[node].strings += 1
    add(.string(String(decoding: text, as: UTF8.self)), of: node, isRepeated: isRepeated)
  }

  private mutating func take(_ text: UnsafeRawBufferPointer, isBlank: Bool) {
    // Blanks at the start of an element are removed.
    if isBlank, texts.count == open[open.count - 1].firstText { return }
    texts.append(contentsOf: text)
  }

  /// Adds a value to the innermost open element, or to the array at its key.
  private mutating func add(_ value: Value, of node: Int, isRepeated: Bool) {
    guard isRepeated else {
      paths.nodes[node].position = values.count
      values.append(value)
      valueNodes.append(node)
      return
    }
    let position = paths.nodes[node].position
    var first = Value.null
    swap(&first, &values[position])
    if case .array(var elements) = first {
      // The array has a single owner, so it is not copied.
      first = .null
      elements.append(value)
      values[position] = .array(elements)
    } else {
      values[position] = .array([first, value])
    }
  }

  private mutating func end() throws(TableError) {
    guard let frame = open.popLast() else { return }
    guard rowDepth > 0 else { return }
    rowDepth -= 1
    let value = try content(of: frame)
    values.removeLast(values.count - frame.firstValue)
    valueNodes.removeLast(valueNodes.count - frame.firstValue)
    texts.removeLast(texts.count - frame.firstText)
    if rowDepth == 0 {
      rows.append(value)
      rowNodes.append(frame.node)
      lines.append(frame.line)
    } else {
      add(value, of: frame.node, isRepeated: frame.isRepeated)
    }
  }

  /// The value of an element that has ended.
  private mutating func content(of frame: Frame) throws(TableError) -> Value {
    let text = trimmedText(from: frame.firstText)
    if frame.isNil { return .null }
    if values.count == frame.firstValue {
      guard let text else { return .null }
      paths.nodes[frame.node].strings += 1
      return .string(text)
    }
    if let text {
      let (node, isRepeated) = try paths.add(
        XMLPaths.textKey, to: frame.node, after: frame.last, group: frame.number)
      add(.string(text), of: node, isRepeated: isRepeated)
    }
    return record(of: frame)
  }

  private func trimmedText(from start: Int) -> String? {
    guard start < texts.count else { return nil }
    return texts.withUnsafeBytes { bytes in
      var range = start..<bytes.count
      while let first = range.first, bytes[first].isWhiteSpace {
        range = first + 1..<range.upperBound
      }
      while let last = range.last, bytes[last].isWhiteSpace { range = range.lowerBound..<last }
      if range.isEmpty { return nil }
      return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }
  }

  private mutating func record(of frame: Frame) -> Value {
    let fields = Array(values[frame.firstValue...])
    let nodes = valueNodes[frame.firstValue...]
    if let shape = paths.nodes[frame.node].shape,
      nodes.elementsEqual(paths.nodes[frame.node].shapeNodes)
    {
      return .record(Record(shape: shape, values: fields))
    }
    let shape = shape(of: Array(nodes))
    paths.nodes[frame.node].shape = shape
    paths.nodes[frame.node].shapeNodes = Array(nodes)
    return .record(Record(shape: shape, values: fields))
  }

  /// Shapes by the nodes of their values.
  private var shapes: [[Int]: Record.Shape] = [:]
  private static let maxShapes = 1_024

  private mutating func shape(of nodes: [Int]) -> Record.Shape {
    if let shape = shapes[nodes] { return shape }
    let shape = Record.Shape(nodes.map { paths.keys[paths.nodes[$0].key] })
    if shapes.count < Self.maxShapes { shapes[nodes] = shape }
    return shape
  }
}
