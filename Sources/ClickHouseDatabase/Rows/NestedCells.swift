import DataTables

/// Reads an array or a tuple within a cell: `[1,2]`, `['a\'b',NULL]`, `(1,'x')`.
struct NestedCells {
  let bytes: UnsafeRawBufferPointer
  private var index = 0
  private var depth = 0

  init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The maximum number of arrays within arrays: their types are limited too.
  private static let maxDepth = 100

  var isAtEnd: Bool { index == bytes.count }

  private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: scalar) else { return false }
    index += 1
    return true
  }

  /// - Parameter reader: reads the elements that are neither arrays nor tuples, without their quotes
  ///   and escapes.
  mutating func value(_ type: ColumnType, reader: inout CellReader) throws(MalformedCell) -> Value {
    if bytes[index...].starts(with: Self.null) {
      index += Self.null.count
      return .null
    }
    switch type {
    case .array(let element): return try list("[", "]", reader: &reader) { _ in element }
    case .tuple(let elements):
      let value = try list("(", ")", reader: &reader) {
        elements.indices.contains($0) ? elements[$0] : nil
      }
      guard case .array(let values) = value, values.count == elements.count else {
        throw MalformedCell()
      }
      return value
    default:
      guard take("'") else { return try reader.value(ofPlain: bare(), as: type) }
      let text = try quoted()
      return try text.withUnsafeBufferPointer { bytes throws(MalformedCell) in
        try reader.value(ofPlain: UnsafeRawBufferPointer(bytes), as: type)
      }
    }
  }

  private static let null = Array("NULL".utf8)

  /// - Parameter type: the type of the element at a position; nil if the list has none there.
  private mutating func list(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, reader: inout CellReader,
    type: (Int) -> ColumnType?
  ) throws(MalformedCell) -> Value {
    guard take(open), depth < Self.maxDepth else { throw MalformedCell() }
    depth += 1
    defer { depth -= 1 }
    var values: [Value] = []
    if take(close) { return .array(values) }
    repeat {
      guard let type = type(values.count) else { throw MalformedCell() }
      values.append(try value(type, reader: &reader))
    } while take(",")
    guard take(close) else { throw MalformedCell() }
    return .array(values)
  }

  /// The bytes up to the closing quote, unescaped.
  private mutating func quoted() throws(MalformedCell) -> [UInt8] {
    let start = index
    while let byte, byte != UInt8(ascii: "'") { index += byte == .backslash ? 2 : 1 }
    guard index < bytes.count else { throw MalformedCell() }
    defer { index += 1 }
    return try TabSeparated.unescaped(UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
  }

  /// The bytes up to the next separator that is outside of parentheses and quotes: a map is shown
  /// as the server's text.
  private mutating func bare() throws(MalformedCell) -> UnsafeRawBufferPointer {
    let start = index
    var open = 0
    while let byte {
      switch byte {
      case UInt8(ascii: "'"):
        index += 1
        _ = try quoted()
        continue
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        if open == 0 { return UnsafeRawBufferPointer(rebasing: bytes[start..<index]) }
        open -= 1
      case UInt8(ascii: ",") where open == 0:
        return UnsafeRawBufferPointer(rebasing: bytes[start..<index])
      default: break
      }
      index += 1
    }
    return UnsafeRawBufferPointer(rebasing: bytes[start...])
  }
}
