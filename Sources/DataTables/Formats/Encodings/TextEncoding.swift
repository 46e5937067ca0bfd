internal import CScan

/// A text encoding of the WHATWG Encoding Standard, ISO-8859-1 or UTF-32. Text in an encoding other than
/// UTF-8 is converted to UTF-8 before a format reads it.
package struct TextEncoding: Hashable, Sendable {
  /// The name that reports show.
  package let name: String
  let form: Form

  enum Form: Hashable {
    case utf8, latin1, windows1252
    /// The index of the low byte of a unit.
    case utf16(low: Int)
    /// The name of ICU's converter.
    case converter(String)
  }

  package static let utf8 = TextEncoding(name: "UTF-8", form: .utf8)
  static let utf16LittleEndian = TextEncoding(name: "UTF-16LE", form: .utf16(low: 0))
  static let utf16BigEndian = TextEncoding(name: "UTF-16BE", form: .utf16(low: 1))
  static let utf32LittleEndian = TextEncoding(name: "UTF-32LE", form: .converter("UTF-32LE"))
  static let utf32BigEndian = TextEncoding(name: "UTF-32BE", form: .converter("UTF-32BE"))
  static let latin1 = TextEncoding(name: "ISO-8859-1", form: .latin1)
  static let windows1252 = TextEncoding(name: "windows-1252", form: .windows1252)

  /// The encodings whose byte order marks are detected. That of UTF-32LE begins like that of UTF-16LE.
  static let marked = [utf8, utf32LittleEndian, utf32BigEndian, utf16LittleEndian, utf16BigEndian]

  /// Encodings with their names, each followed by the converter and other labels of the standard.
  private static let converted: [(name: String, converter: String, labels: [String])] = [
    ("Shift_JIS", "windows-31j", ["sjis", "ms932", "mskanji", "windows31j", "cp932", "xsjis"]),
    ("EUC-JP", "EUC-JP", ["xeucjp", "cseucpkdfmtjapanese"]),
    ("ISO-2022-JP", "ISO-2022-JP", ["csiso2022jp"]),
    ("EUC-KR", "windows-949-2000", ["windows949", "cp949", "ksc56011987", "ksc5601", "korean"]),
    ("GB18030", "GB18030", []),
    ("GBK", "GBK", ["gb2312", "chinese", "gb231280", "xgbk", "cp936"]),
    ("Big5", "Big5", ["big5hkscs", "cnbig5", "xxbig5", "cp950"]),
    ("windows-874", "windows-874-2000", ["tis620", "iso885911", "dos874", "cp874"]),
    ("windows-1250", "ibm-5346_P100-1998", ["cp1250", "xcp1250"]),
    ("windows-1251", "ibm-5347_P100-1998", ["cp1251", "xcp1251"]),
    ("windows-1253", "ibm-5349_P100-1998", ["cp1253", "xcp1253"]),
    ("windows-1254", "ibm-5350_P100-1998", ["cp1254", "xcp1254", "latin5", "iso88599"]),
    ("windows-1255", "ibm-9447_P100-2002", ["cp1255", "xcp1255"]),
    ("windows-1256", "ibm-9448_X100-2005", ["cp1256", "xcp1256"]),
    ("windows-1257", "ibm-9449_P100-2002", ["cp1257", "xcp1257"]),
    ("windows-1258", "ibm-5354_P100-1998", ["cp1258", "xcp1258"]),
    ("ISO-8859-2", "ISO-8859-2", ["latin2", "l2"]), ("ISO-8859-3", "ISO-8859-3", ["latin3", "l3"]),
    ("ISO-8859-4", "ISO-8859-4", ["latin4", "l4"]), ("ISO-8859-5", "ISO-8859-5", ["cyrillic"]),
    ("ISO-8859-6", "ISO-8859-6", ["arabic", "ecma114", "asmo708"]),
    ("ISO-8859-7", "ISO-8859-7", ["greek", "greek8", "ecma118", "elot928"]),
    ("ISO-8859-8", "ISO-8859-8", ["hebrew", "visual", "iso88598i", "logical"]),
    ("ISO-8859-10", "iso-8859_10-1998", ["latin6", "l6"]), ("ISO-8859-13", "ISO-8859-13", []),
    ("ISO-8859-14", "iso-8859_14-1998", []), ("ISO-8859-15", "ISO-8859-15", ["latin9", "l9"]),
    ("ISO-8859-16", "iso-8859_16-2001", []),
    ("KOI8-R", "KOI8-R", ["koi", "koi8"]), ("KOI8-U", "KOI8-U", ["koi8ru"]),
    ("IBM850", "ibm-850_P100-1995", ["850", "cp850", "cp437", "437"]),
    ("IBM866", "IBM866", ["866", "cp866", "csibm866"]),
    ("macintosh", "macintosh", ["mac", "xmacroman", "csmacintosh"]),
    ("x-mac-cyrillic", "x-mac-cyrillic", ["xmacukrainian"]),
  ]

  private static let byLabel: [String: TextEncoding] = {
    var known: [String: TextEncoding] = [
      "utf8": utf8, "unicode11utf8": utf8, "utf16": utf16LittleEndian,
      "utf16le": utf16LittleEndian, "unicode": utf16LittleEndian, "utf16be": utf16BigEndian,
      "utf32": utf32LittleEndian, "utf32le": utf32LittleEndian, "utf32be": utf32BigEndian,
      "latin1": latin1, "iso88591": latin1, "l1": latin1, "windows1252": windows1252,
      "cp1252": windows1252, "xcp1252": windows1252, "ascii": windows1252, "usascii": windows1252,
    ]
    for (name, converter, labels) in converted {
      let encoding = TextEncoding(name: name, form: .converter(converter))
      for label in [plain(name)] + labels { known[label] = encoding }
    }
    return known
  }()

  /// The encoding with a name or label of the standard; case and punctuation are ignored.
  package init?(named name: String) {
    guard let encoding = Self.byLabel[Self.plain(name)] else { return nil }
    self = encoding
  }

  private init(name: String, form: Form) {
    self.name = name
    self.form = form
  }

  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// The names that `encoding:` accepts, without other labels.
  static let names =
    ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "latin1", "windows-1252"]
    + converted.map { $0.name.lowercased() }

  /// Whether characters have at least two bytes: UTF-16 and UTF-32.
  var hasWideUnits: Bool {
    switch form {
    case .utf16: true
    case .converter(let name): name.hasPrefix("UTF-32")
    case .utf8, .latin1, .windows1252: false
    }
  }

  /// The byte order mark that a text may start with.
  package var byteOrderMark: [UInt8] {
    switch form {
    case .utf8: [0xEF, 0xBB, 0xBF]
    case .utf16(let low): low == 0 ? [0xFF, 0xFE] : [0xFE, 0xFF]
    case .converter("UTF-32LE"): [0xFF, 0xFE, 0, 0]
    case .converter("UTF-32BE"): [0, 0, 0xFE, 0xFF]
    case .latin1, .windows1252, .converter: []
    }
  }

  /// The error for a byte that is not UTF-8, with the encodings that the bytes around it fit.
  package static func error(in bytes: any ByteStore, at offset: Int) throws -> TableError {
    try BrokenUTF8.error(in: bytes, at: offset)
      ?? EncodingGuess(bytes, around: offset).error(at: offset)
  }

  /// - Throws: ``TableError/encoding(expected:offset:fitting:)`` for bytes that are not UTF-8.
  package static func checkUTF8(_ bytes: [UInt8]) throws {
    let valid = bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { ds_utf8_valid_prefix($0, buffer.count) } ?? 0
    }
    guard valid < bytes.count else { return }
    let names = EncodingGuess(Array(bytes.prefix(1 << 16))).names
    throw TableError.encoding(
      expected: utf8.name, offset: valid, fitting: names.count == 1 ? names[0] : nil)
  }

  /// The text as UTF-8, or the offset of the first byte that is not valid in the encoding.
  func utf8(of bytes: ArraySlice<UInt8>) -> Result<[UInt8], EncodingFault> {
    switch form {
    case .utf8: .success(Array(bytes))
    case .latin1: .success(Self.encode(bytes.lazy.map { UInt32($0) }))
    case .windows1252: windows1252(bytes)
    case .utf16(let low): utf16(bytes, low: low)
    case .converter(let name): converted(bytes, name)
    }
  }

  struct EncodingFault: Error { let offset: Int }

  private func converted(_ bytes: ArraySlice<UInt8>, _ name: String) -> Result<
    [UInt8], EncodingFault
  > {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 2)
    let end = bytes.withUnsafeBytes { bytes in
      EncodingConverter(name).flatMap { converter in
        converter.convert(bytes) { scalar, _ in
          Self.append(scalar, to: &text)
          return true
        }
      }
    }
    return end == bytes.count
      ? .success(text) : .failure(EncodingFault(offset: bytes.startIndex + (end ?? 0)))
  }

  /// The offset in `bytes` of the character at a position in their conversion to UTF-8.
  func offset(ofPosition position: Int, in bytes: ArraySlice<UInt8>) -> Int {
    var converted = 0
    var offset = 0
    func width(_ scalar: UInt32) -> Int {
      scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
    }
    switch form {
    case .utf8: return position
    case .latin1, .windows1252:
      for byte in bytes where converted < position {
        let isWindows = form == .windows1252 && (0x80...0x9F).contains(byte)
        converted += width(
          isWindows ? UInt32(Self.windows1252Scalars[Int(byte) - 0x80]) : UInt32(byte))
        offset += 1
      }
      return offset
    case .utf16(let low):
      while converted < position, offset + 1 < bytes.count {
        let high = bytes[bytes.startIndex + offset + 1 - low]
        let isPair = (0xD8...0xDB).contains(high)
        let lowByte = bytes[bytes.startIndex + offset + low]
        converted += isPair ? 4 : width(UInt32(high) << 8 | UInt32(lowByte))
        offset += isPair ? 4 : 2
      }
      return offset
    case .converter(let name):
      var found: Int?
      _ = bytes.withUnsafeBytes { bytes in
        EncodingConverter(name)?.convert(bytes) { scalar, start in
          if converted >= position { found = start }
          converted += width(scalar.value)
          return found == nil
        }
      }
      return found ?? bytes.count
    }
  }

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
  static let windows1252Scalars: [UInt16] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]
}
