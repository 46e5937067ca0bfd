internal import _FoundationICU

extension TextEncoding {
  /// A text in the encoding; nil if it has a character that the encoding lacks.
  ///
  /// - Parameter text: UTF-8.
  package func encoded(_ text: [UInt8]) -> [UInt8]? {
    switch form {
    case .utf8: return text
    case .latin1:
      return encoded(text) { $0.value <= 0xFF ? UInt8($0.value) : nil }
    case .windows1252:
      return encoded(text) { scalar in
        if let place = Self.windows1252Scalars.firstIndex(where: { UInt32($0) == scalar.value }) {
          return 0x80 + UInt8(place)
        }
        return scalar.value < 0x80 || (0xA0...0xFF).contains(scalar.value)
          ? UInt8(scalar.value) : nil
      }
    case .utf16(let low):
      var bytes: [UInt8] = []
      for unit in String(decoding: text, as: UTF8.self).utf16 {
        let parts = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
        bytes += low == 0 ? parts : parts.reversed()
      }
      return bytes
    case .converter(let name): return EncodingConverter(name)?.encode(text)
    }
  }

  private func encoded(_ text: [UInt8], _ byte: (Unicode.Scalar) -> UInt8?) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      guard let byte = byte(scalar) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
