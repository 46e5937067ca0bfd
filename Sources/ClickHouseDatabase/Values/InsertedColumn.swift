import DataSources
import DataTables
import Databases

/// Writes values of a column in `RowBinary`.
///
/// Texts of numbers are not sent, because old servers read them with small errors. The server also
/// accepts silently what does not fit: a null becomes a default, a large integer wraps, digits of a
/// decimal are cut. Such values are rejected here.
struct InsertedColumn {
  let column: DatabaseColumn
  private let type: StoredType

  init(_ column: DatabaseColumn) {
    self.column = column
    type = StoredType(column.declaredType)
  }

  /// Appends a value.
  /// - Throws: ``DatabaseError`` for a value that the column cannot hold.
  func append(_ value: Value, to bytes: inout [UInt8]) throws(DatabaseError) {
    try append(value, as: type, to: &bytes)
  }

  private func append(
    _ value: Value, as type: StoredType, to bytes: inout [UInt8]
  ) throws(DatabaseError) {
    switch (type, value) {
    case (.nullable, .null): bytes.append(1)
    case (.nullable(let type), _):
      bytes.append(0)
      try append(value, as: type, to: &bytes)
    case (_, .null): throw misfit(value)
    case (.array(let element), .array(let values)):
      Self.append(length: values.count, to: &bytes)
      for value in values { try append(value, as: element, to: &bytes) }
    case (.tuple(let types), .array(let values)) where types.count == values.count:
      for (type, value) in zip(types, values) { try append(value, as: type, to: &bytes) }
    case (.string, _):
      let text = Self.text(of: value)
      Self.append(length: text.count, to: &bytes)
      bytes += text
    case (.fixedString(let count), _):
      let text = Self.text(of: value)
      guard text.count <= count else { throw misfit(value) }
      bytes += text + Array(repeating: 0, count: count - text.count)
    case (.real(let count), .integer), (.real(let count), .real):
      let number =
        if case .real(let real) = value { real.value } else { Double(value.json) ?? .nan }
      if count == 8 {
        Self.append(number.bitPattern, count: 8, to: &bytes)
      } else {
        Self.append(Float(number).bitPattern, count: 4, to: &bytes)
      }
    case (.bool, .bool(let bool)): bytes.append(bool ? 1 : 0)
    case (.uuid, .string(let text)):
      guard let halves = Self.uuid(text) else { throw misfit(value) }
      for half in halves { Self.append(half, count: 8, to: &bytes) }
    default:
      guard let (number, count) = Self.number(of: value, as: type) else { throw misfit(value) }
      Self.append(number, count: count, to: &bytes)
    }
  }

  private func misfit(_ value: Value) -> DatabaseError {
    DatabaseError(
      .engine,
      "the column `\(column.name)` of type \(column.declaredType) cannot hold \(value.excerpt)")
  }

  private static func text(of value: Value) -> [UInt8] {
    switch value {
    case .string(let text): Array(text.utf8)
    case .data(let bytes): bytes
    case .date(let date): Array(date.text.utf8)
    default: Array(value.json.utf8)
    }
  }

  /// Little-endian, with the sign in the bytes above those of the number.
  private static func append(_ number: some FixedWidthInteger, count: Int, to bytes: inout [UInt8])
  {
    var rest = number
    for _ in 0..<count {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// Seven bits in each byte, the lowest first.
  private static func append(length: Int, to bytes: inout [UInt8]) {
    var rest = length
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  private static func uuid(_ text: String) -> [UInt64]? {
    let digits = text.filter { $0 != "-" }
    guard digits.utf8.count == 32, text.utf8.count == 36,
      let first = UInt64(digits.prefix(16), radix: 16),
      let last = UInt64(digits.suffix(16), radix: 16)
    else { return nil }
    return [first, last]
  }

  /// The integer that stands for a value, and its number of bytes; nil if it does not fit.
  private static func number(of value: Value, as type: StoredType) -> (Int128, count: Int)? {
    switch (type, value) {
    case (.integer(let count, let isSigned), _):
      guard let number = integer(value), isSigned || number >= 0 else { return nil }
      return fits(number, bytes: count, isSigned: isSigned) ? (number, count) : nil
    case (.decimal(let count, let digits, let scale), .integer),
      (.decimal(let count, let digits, let scale), .real):
      guard let number = scaled(value.json, by: scale),
        String(number.magnitude).utf8.count <= digits
      else { return nil }
      return (number, count)
    case (.date(let count), .date(let date)):
      let days = Int128(Gregorian.floorDivide(date.seconds, 86_400))
      let isFitting = !date.hasTime && fits(days, bytes: count, isSigned: count > 2)
      return isFitting ? (days, count) : nil
    case (.dateTime(let count, let digits), .date(let date)):
      guard let unit = power(of: 10, digits), let rest = power(of: 10, 9 - digits),
        date.nanoseconds % Int(rest) == 0
      else { return nil }
      let number = Int128(date.secondsFromGMT) * unit + Int128(date.nanoseconds) / rest
      return fits(number, bytes: count, isSigned: count > 4) ? (number, count) : nil
    case (.enumeration(let count, let names), .string(let name)):
      return names[name].map { (Int128($0), count) }
    default: return nil
    }
  }

  private static func integer(_ value: Value) -> Int128? {
    switch value {
    case .bool(let bool): bool ? 1 : 0
    case .integer(let number): Int128(number)
    case .real(let real) where real.isFinite: scaled(value.json, by: 0)
    default: nil
    }
  }

  private static func fits(_ number: Int128, bytes: Int, isSigned: Bool) -> Bool {
    let bits = isSigned ? bytes * 8 - 1 : bytes * 8
    return bits >= 127 || number < 1 << bits && number >= (isSigned ? -(1 << bits) : 0)
  }

  /// nil for an exponent that is not 0...36.
  private static func power(of base: Int128, _ exponent: Int) -> Int128? {
    guard (0...36).contains(exponent) else { return nil }
    return (0..<exponent).reduce(1) { power, _ in power * base }
  }

  /// A number in JSON's syntax, times 10 to the power of `scale`; nil unless that is an integer.
  private static func scaled(_ text: String, by scale: Int) -> Int128? {
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { "eE".contains($0) }
    let mantissa = parts.first?.split(separator: ".", omittingEmptySubsequences: false) ?? []
    guard let whole = mantissa.first, let exponent = parts.count > 1 ? Int(parts[1]) : 0,
      exponent.magnitude <= 100
    else { return nil }
    var digits = String(whole)
    var zeros = scale + exponent
    if mantissa.count > 1 {
      digits += mantissa[1]
      zeros -= mantissa[1].utf8.count
    }
    while zeros < 0, digits.utf8.last == UInt8(ascii: "0"), digits.utf8.count > 1 {
      digits.removeLast()
      zeros += 1
    }
    let isZero = !digits.utf8.contains { $0 > UInt8(ascii: "0") }
    if isZero { return 0 }
    guard zeros >= 0 else { return nil }
    return Int128(digits + String(repeating: "0", count: zeros))
  }
}
