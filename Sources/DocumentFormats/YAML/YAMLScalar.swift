import DataTables

/// The values of scalars by the core schema of YAML 1.2 (section 10.3), with these differences:
///
/// - ISO 8601 dates are dates, as in YAML 1.1 and in cells of CSV;
/// - digits with a leading zero are a string, as everywhere in this project;
/// - `yes`, `no`, `on`, `off` and `12:30:45`, which only YAML 1.1 reads otherwise, are strings.
enum YAMLScalar {
  /// The value of a scalar that is neither quoted nor tagged.
  static func plain(_ bytes: UnsafeRawBufferPointer) -> Value {
    guard let first = bytes.first else { return .null }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      if let number = number(bytes) { return number }
      if let date = date(bytes) { return .date(date) }
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      if let number = number(bytes) { return number }
    case UInt8(ascii: "~") where bytes.count == 1: return .null
    case UInt8(ascii: "n"), UInt8(ascii: "N"):
      if ["null", "Null", "NULL"].contains(where: { bytes.elementsEqual($0.utf8) }) {
        return .null
      }
    case UInt8(ascii: "t"), UInt8(ascii: "T"), UInt8(ascii: "f"), UInt8(ascii: "F"):
      if let bool = bool(bytes) { return .bool(bool) }
    default: break
    }
    return string(bytes)
  }

  /// A date, whose fraction begins with a dot in YAML.
  static func date(_ bytes: UnsafeRawBufferPointer) -> Timestamp? {
    bytes.contains(UInt8(ascii: ",")) ? nil : Scalar.date(bytes)
  }

  static func string(_ bytes: UnsafeRawBufferPointer) -> Value {
    .string(String(decoding: bytes, as: UTF8.self))
  }

  static func bool(_ bytes: UnsafeRawBufferPointer) -> Bool? {
    if ["true", "True", "TRUE"].contains(where: { bytes.elementsEqual($0.utf8) }) { return true }
    if ["false", "False", "FALSE"].contains(where: { bytes.elementsEqual($0.utf8) }) {
      return false
    }
    return nil
  }

  /// A number: decimal, `0x` hexadecimal, `0o` octal, infinity or NaN.
  static func number(_ bytes: UnsafeRawBufferPointer) -> Value? {
    if let number = Scalar.number(bytes) { return number }
    if bytes.count > 2, bytes[0] == UInt8(ascii: "0") {
      let digits = UnsafeRawBufferPointer(rebasing: bytes[2...])
      if bytes[1] == UInt8(ascii: "x") { return integer(digits, radix: 16) }
      if bytes[1] == UInt8(ascii: "o") { return integer(digits, radix: 8) }
    }
    if let number = nonFinite(bytes) { return number }
    return jsonText(of: bytes)?.withUnsafeBytes { Scalar.number($0) }
  }

  /// `.inf`, `-.INF`, `.NaN`.
  private static func nonFinite(_ bytes: UnsafeRawBufferPointer) -> Value? {
    guard bytes.count == 4 || bytes.count == 5 else { return nil }
    switch String(decoding: bytes, as: UTF8.self) {
    case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .real(Real(.infinity))
    case "-.inf", "-.Inf", "-.INF": return .real(Real(-.infinity))
    case ".nan", ".NaN", ".NAN": return .real(Real(.nan))
    default: return nil
    }
  }

  /// The number in JSON's syntax, which has neither a plus sign nor a bare decimal point: `+.5` is
  /// 0.5, and `5.` is 5.0. nil if this does not make it a number.
  private static func jsonText(of bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    var rest = bytes[...]
    var text: [UInt8] = []
    if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      if sign == UInt8(ascii: "-") { text.append(sign) }
      rest.removeFirst()
    }
    let whole = rest.prefix(while: \.isDigit)
    rest = rest[whole.endIndex...]
    text += whole.isEmpty ? [UInt8(ascii: "0")] : Array(whole)
    var fraction = rest.prefix(0)
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix(while: \.isDigit)
      rest = rest[fraction.endIndex...]
      text.append(UInt8(ascii: "."))
      text += fraction.isEmpty ? [UInt8(ascii: "0")] : Array(fraction)
    }
    return whole.isEmpty && fraction.isEmpty ? nil : text + rest
  }

  /// An integer of at most 64 bits; nil for others, which stay strings.
  private static func integer(_ digits: UnsafeRawBufferPointer, radix: Int) -> Value? {
    guard let first = digits.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else {
      return nil
    }
    return Int(String(decoding: digits, as: UTF8.self), radix: radix).map(Value.integer)
  }
}

/// A tag of the YAML tag repository, which determines how a scalar is read.
enum YAMLTag: String {
  case null, bool, int, float, str, binary, timestamp
  // Tags of sequences and mappings, whose values are read as such anyway.
  case seq, map, set, omap, pairs

  private static let prefix = "tag:yaml.org,2002:"

  /// - Parameter text: a tag with its prefix; nil for others.
  init?(_ text: String) {
    guard text.hasPrefix(Self.prefix) else { return nil }
    self.init(rawValue: String(text.dropFirst(Self.prefix.count)))
  }

  /// The value of a scalar with this tag; nil if the scalar is not of the type.
  func value(_ bytes: UnsafeRawBufferPointer) -> Value? {
    switch self {
    case .str: return YAMLScalar.string(bytes)
    case .binary: return Base64.decoded(document: bytes).map(Value.data)
    case .timestamp: return YAMLScalar.date(bytes).map(Value.date)
    case .bool: return YAMLScalar.bool(bytes).map(Value.bool)
    case .null, .int, .float:
      let value = YAMLScalar.plain(bytes)
      // `value : nil` would be the value null.
      guard value.type == (self == .null ? .null : .number) else { return nil }
      return value
    // An empty node, as in `!!set`.
    case .seq, .map, .set, .omap, .pairs:
      guard bytes.isEmpty else { return nil }
      return self == .seq ? .array([]) : .record(Record([]))
    }
  }
}
