extension Value {
  /// The value as JSON on one line: keys in their order, numbers and dates as they were written,
  /// data in Base64. A number in another notation than JSON's is written in JSON's; NaN and the
  /// infinities, which JSON does not have, become strings.
  public var json: String {
    var bytes: [UInt8] = []
    appendJSON(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  public func appendJSON(to text: inout String) { text += json }

  /// Appends the UTF-8 of ``json``.
  public func appendJSON(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let bool): bytes.append(contentsOf: (bool ? "true" : "false").utf8)
    case .integer(let integer): bytes.append(contentsOf: String(integer).utf8)
    case .real(let real): real.appendJSON(to: &bytes)
    case .string(let string): string.appendJSON(to: &bytes)
    case .date(let date): date.text.appendJSON(to: &bytes)
    case .data(let data): data.appendJSON(to: &bytes)
    case .array(let elements): elements.appendJSON(to: &bytes)
    case .record(let record): record.appendJSON(to: &bytes)
    }
  }
}

extension Real {
  fileprivate func appendJSON(to bytes: inout [UInt8]) {
    if isFinite {
      bytes.append(contentsOf: number.utf8)
    } else {
      text.appendJSON(to: &bytes)
    }
  }
}

extension [Value] {
  fileprivate func appendJSON(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    for (index, element) in enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      element.appendJSON(to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}

extension Record {
  fileprivate func appendJSON(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      keys[index].appendJSON(to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      value.appendJSON(to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }
}

extension String {
  /// Appends the string in quotes, with only the escapes that JSON requires.
  func appendJSON(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var copy = self
    copy.withUTF8 { utf8 in
      var start = 0
      for (index, byte) in utf8.enumerated() {
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
          continue
        }
        bytes.append(contentsOf: utf8[start..<index])
        start = index + 1
        bytes.append(UInt8(ascii: "\\"))
        Self.appendEscape(of: byte, to: &bytes)
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x20...: bytes.append(byte)
    default:
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
  }
}

extension [UInt8] {
  /// Appends the bytes in Base64, in quotes.
  fileprivate func appendJSON(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    Base64.append(self, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }
}
