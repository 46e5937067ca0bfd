import DataTables

/// The text of an array: `{1,NULL,"a \"b\""}`, `{{1,2},{3,4}}`, or `[0:1]={1,2}` for bounds other
/// than from 1.
struct ArrayText {
  private let text: UnsafeRawBufferPointer
  private var index = 0
  /// The server allows six dimensions.
  private static let maxDimensions = 6

  init(_ text: UnsafeRawBufferPointer) { self.text = text }

  /// The array of its elements; nil if the text is malformed.
  func value(_ element: ServerType.Reading) -> Value? {
    var parser = self
    if parser.byte == UInt8(ascii: "["), let equals = text.firstIndex(of: UInt8(ascii: "=")),
      text[equals - 1] == UInt8(ascii: "]")
    {
      parser.index = equals + 1
    }
    guard let array = parser.array(element, dimension: 1), parser.index == text.count else {
      return nil
    }
    return array
  }

  /// The next byte; 0 at the end, which no array contains.
  private var byte: UInt8 { index < text.count ? text[index] : 0 }

  private mutating func array(_ element: ServerType.Reading, dimension: Int) -> Value? {
    guard dimension <= Self.maxDimensions, byte == UInt8(ascii: "{") else { return nil }
    index += 1
    var elements: [Value] = []
    if byte == UInt8(ascii: "}") {
      index += 1
      return .array([])
    }
    while true {
      let next =
        byte == UInt8(ascii: "{")
        ? array(element, dimension: dimension + 1)
        : byte == UInt8(ascii: "\"") ? quoted(element) : plain(element)
      guard let next else { return nil }
      elements.append(next)
      switch byte {
      case UInt8(ascii: ","): index += 1
      case UInt8(ascii: "}"):
        index += 1
        return .array(elements)
      default: return nil
      }
    }
  }

  private mutating func quoted(_ element: ServerType.Reading) -> Value? {
    var bytes: [UInt8] = []
    index += 1
    while index < text.count {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return bytes.withUnsafeBytes { element.value($0) }
      case UInt8(ascii: "\\"):
        index += 1
        bytes.append(byte)
      default: bytes.append(byte)
      }
      index += 1
    }
    return nil
  }

  private mutating func plain(_ element: ServerType.Reading) -> Value? {
    let start = index
    while index < text.count, byte != UInt8(ascii: ","), byte != UInt8(ascii: "}") { index += 1 }
    let word = UnsafeRawBufferPointer(rebasing: text[start..<index])
    if word.isEmpty { return nil }
    return word.elementsEqual("NULL".utf8) ? .null : element.value(word)
  }
}
