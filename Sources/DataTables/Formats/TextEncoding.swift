internal import CScan

/// The supported text encodings. Text in an encoding other than UTF-8 is converted to UTF-8 before
/// a format reads it.
package enum TextEncoding: String, CaseIterable, Sendable {
  case utf8 = "UTF-8"
  case utf16LittleEndian = "UTF-16LE"
  case utf16BigEndian = "UTF-16BE"
  case latin1 = "ISO-8859-1"
  case windows1252 = "windows-1252"

  /// The encoding with a common name; case and punctuation are ignored.
  init?(named name: String) {
    let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
    switch plain {
    case "utf8": self = .utf8
    case "utf16", "utf16le": self = .utf16LittleEndian
    case "utf16be": self = .utf16BigEndian
    case "latin1", "iso88591": self = .latin1
    case "windows1252", "cp1252": self = .windows1252
    default: return nil
    }
  }

  /// The names that `encoding:` accepts.
  static let names = ["utf-8", "utf-16le", "utf-16be", "latin1", "windows-1252"]

  /// The byte order mark that a text may start with.
  var byteOrderMark: [UInt8] {
    switch self {
    case .utf8: [0xEF, 0xBB, 0xBF]
    case .utf16LittleEndian: [0xFF, 0xFE]
    case .utf16BigEndian: [0xFE, 0xFF]
    case .latin1, .windows1252: []
    }
  }

  /// A name that `encoding:` accepts, of an encoding that fits bytes that are not UTF-8; nil if no
  /// encoding fits.
  static func fitting(_ bytes: UnsafeRawBufferPointer) -> String? {
    if bytes.contains(0) { return nil }
    let controls = bytes.filter { (0x80...0x9F).contains($0) }
    if controls.isEmpty { return "latin1" }
    return controls.contains { windows1252Scalars[Int($0) - 0x80] == 0 } ? nil : "windows-1252"
  }

  /// - Throws: ``TableError/encoding(expected:offset:fitting:)`` for bytes that are not UTF-8.
  package static func checkUTF8(_ bytes: [UInt8]) throws {
    let valid = bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { ds_utf8_valid_prefix($0, buffer.count) } ?? 0
    }
    guard valid < bytes.count else { return }
    throw TableError.encoding(
      expected: "UTF-8", offset: valid,
      fitting: bytes[valid...].prefix(1 << 16).withUnsafeBytes { fitting($0) })
  }

  /// The text as UTF-8, or the offset of the first byte that is not valid in the encoding.
  func utf8(of bytes: ArraySlice<UInt8>) -> Result<[UInt8], EncodingFault> {
    switch self {
    case .utf8: .success(Array(bytes))
    case .latin1: .success(Self.encode(bytes.lazy.map { UInt32($0) }))
    case .windows1252: windows1252(bytes)
    case .utf16LittleEndian: utf16(bytes, low: 0)
    case .utf16BigEndian: utf16(bytes, low: 1)
    }
  }

  struct EncodingFault: Error { let offset: Int }

  private func windows1252(_ bytes: ArraySlice<UInt8>) -> Result<[UInt8], EncodingFault> {
    func scalar(_ byte: UInt8) -> UInt32 {
      (0x80...0x9F).contains(byte)
        ? UInt32(Self.windows1252Scalars[Int(byte) - 0x80]) : UInt32(byte)
    }
    if let fault = bytes.firstIndex(where: { $0 >= 0x80 && scalar($0) == 0 }) {
      return .failure(EncodingFault(offset: fault))
    }
    return .success(Self.encode(bytes.lazy.map(scalar)))
  }

  private func utf16(_ bytes: ArraySlice<UInt8>, low: Int) -> Result<[UInt8], EncodingFault> {
    guard bytes.count % 2 == 0 else { return .failure(EncodingFault(offset: bytes.endIndex - 1)) }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).lazy.map {
      UInt16(bytes[$0 + low]) | UInt16(bytes[$0 + 1 - low]) << 8
    }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var consumed = 0
    var decoder = UTF16()
    var iterator = units.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar):
        consumed += UTF16.width(scalar) * 2
        Self.append(scalar, to: &result)
      case .emptyInput: return .success(result)
      case .error: return .failure(EncodingFault(offset: bytes.startIndex + consumed))
      }
    }
  }

  private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    if let encoded = UTF8.encode(scalar) { bytes.append(contentsOf: encoded) }
  }

  private static func encode(_ scalars: some Sequence<UInt32>) -> [UInt8] {
    var result: [UInt8] = []
    for value in scalars {
      if let scalar = Unicode.Scalar(value) { append(scalar, to: &result) }
    }
    return result
  }

  /// The Unicode mapping of bytes 80...9F in windows-1252; 0 for a byte without a character.
  private static let windows1252Scalars: [UInt16] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]
}
