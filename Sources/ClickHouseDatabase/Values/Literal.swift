import DataSources
import DataTables
import Databases

/// Values as SQL, because old servers bind no arguments.
struct Literal {
  /// Whether the server has dates before 1970 and fractions of seconds.
  let hasWideDates: Bool

  /// The text of a statement, with its values as literals.
  ///
  /// - Throws: ``DatabaseError`` for a date that the server does not have.
  func text(of statement: SQL) throws(DatabaseError) -> String {
    var text = ""
    for piece in statement.pieces {
      switch piece {
      case .text(let piece): text += piece
      case .value(let value): text += try self.text(of: value)
      }
    }
    return text
  }

  /// A literal that the server reads as `value`: a bool as 1 or 0, a record as JSON, a date without
  /// a zone as a time in GMT.
  ///
  /// A number that a double does not hold exactly is a decimal, which the server compares with
  /// integers and decimals only.
  func text(of value: Value) throws(DatabaseError) -> String {
    switch value {
    case .null: return "NULL"
    case .bool(let bool): return bool ? "1" : "0"
    // Parentheses, so that a minus before it does not begin a comment.
    case .integer(let number): return number < 0 ? "(\(number))" : "\(number)"
    case .real(let real): return try Self.text(of: real)
    case .string(let string): return Self.quoted(string)
    case .date(let date): return try text(of: date)
    case .data(let bytes): return "unhex('\(Self.hexadecimal(bytes))')"
    case .array(let values):
      var elements: [String] = []
      for value in values { elements.append(try text(of: value)) }
      return "[" + elements.joined(separator: ", ") + "]"
    case .record: return Self.quoted(value.json)
    }
  }

  /// A string in quotes; backslashes, quotes and control characters are escaped.
  static func quoted(_ text: String) -> String { quoted(text, by: UInt8(ascii: "'")) }

  /// The name of a table or a column, in backticks.
  static func name(_ name: String) -> String { quoted(name, by: UInt8(ascii: "`")) }

  private static func quoted(_ text: String, by quote: UInt8) -> String {
    var bytes = [quote]
    TabSeparated.escape(text.utf8, quote: quote, into: &bytes)
    bytes.append(quote)
    return String(decoding: bytes, as: UTF8.self)
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static func text(of real: Real) throws(DatabaseError) -> String {
    guard real.isFinite else {
      return real.value.isNaN ? "nan" : real.value > 0 ? "inf" : "(-inf)"
    }
    // Old servers do not read the text of a number this small.
    if real.value.isSubnormal, Real(real.value) == real {
      let bytes = withUnsafeBytes(of: real.value.bitPattern.littleEndian) { Array($0) }
      return "reinterpretAsFloat64(unhex('\(hexadecimal(bytes))'))"
    }
    let number = Value.real(real).json
    // The shortest text of the double is the same number, or the digits are of an integer.
    if Real(real.value) == real || UInt64(number) != nil {
      return number.hasPrefix("-") ? "(\(number))" : number
    }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    let digits = number.utf8.count { (0x30...0x39).contains($0) }
    guard digits <= 38, !number.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else {
      throw DatabaseError(.engine, "the server has no number with all digits of `\(real.text)`")
    }
    return "toDecimal128('\(number)', \(parts.count > 1 ? parts[1].utf8.count : 0))"
  }

  /// A decimal of the type of a column, or one with more digits if the value needs them; nil for a
  /// value that is not a decimal of the server.
  static func decimal(_ value: Value, of type: StoredType) -> String? {
    let number = value.json
    guard case .decimal(let bytes, let digits, let scale) = type.unwrapped, bytes <= 16,
      number.utf8.allSatisfy({ $0 < 0x3A })
    else { return nil }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? parts[1].utf8.count : 0
    let whole = (parts.first ?? "").utf8.count { $0 >= 0x30 }
    if fraction <= scale, whole <= digits - scale {
      return "toDecimal\(bytes * 8)('\(number)', \(scale))"
    }
    return whole + fraction <= 38 ? "toDecimal128('\(number)', \(fraction))" : nil
  }

  private func text(of date: Timestamp) throws(DatabaseError) -> String {
    let time = CivilTime(seconds: date.secondsFromGMT)
    let isNarrow = (1970...2105).contains(time.year)
    guard isNarrow || hasWideDates else {
      throw DatabaseError(
        .engine, "the server has dates from 1970 to 2105 only, and `\(date.text)` is another one")
    }
    guard date.nanoseconds == 0 || hasWideDates else {
      throw DatabaseError(
        .engine, "the server has times of whole seconds only, and `\(date.text)` has a fraction")
    }
    guard date.hasTime else {
      return (isNarrow ? "toDate('" : "toDate32('") + date.text + "')"
    }
    let text = TabSeparated.wallTime(of: date, offset: 0)
    if isNarrow, date.nanoseconds == 0 { return "toDateTime('\(text)', 'UTC')" }
    return "toDateTime64('\(text)', 9, 'UTC')"
  }
}
