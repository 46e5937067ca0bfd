import DataTables

/// A placeholder in a pattern, written `{…}`.
enum Hole: Sendable, Equatable {
  /// `{*}`: any text, or none.
  case anything
  /// `{int}`: digits, with an optional sign and optional groups of three: `-12`, `1,988,214`.
  case integer
  /// `{num}`: a number, with an optional fraction and exponent. With a tolerance, as in
  /// `{n=num~1e-6}`, a later `{n}` matches a number within the tolerance.
  case number(tolerance: Double?)
  /// `{456.5~1e-3}`: a number within the tolerance of 456.5.
  case near(Double, tolerance: Double)
  /// `{duration}`: numbers with units of time: `12.3 ms`, `1 min 3 s`.
  case duration
  /// `{date}`: ISO 8601, with an optional time and zone.
  case date
  /// `{path}`: text without white space.
  case path
  /// `{uuid}`: 8-4-4-4-12 hexadecimal digits.
  case uuid
  /// `{hex}`: hexadecimal digits, with an optional `0x`.
  case hexadecimal
  /// `{/…/}`: text that a regular expression matches.
  case expression(LineExpression)

  private static let byName: [(name: String, hole: Hole)] = [
    ("*", .anything), ("int", .integer), ("num", .number(tolerance: nil)), ("duration", .duration),
    ("date", .date), ("path", .path), ("uuid", .uuid), ("hex", .hexadecimal),
  ]
  static var names: [String] { byName.map(\.name) }

  /// - Parameter text: the text in the braces: `int`, `num~1e-6`.
  /// - Returns: nil if it does not name a hole.
  init?(_ text: String) {
    if let known = Self.byName.first(where: { $0.name == text }) {
      self = known.hole
      return
    }
    let parts = text.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let tolerance = Self.tolerance(parts[1]) else { return nil }
    if parts[0] == "num" {
      self = .number(tolerance: tolerance)
    } else if let number = Double(String(parts[0])), number.isFinite {
      self = .near(number, tolerance: tolerance)
    } else {
      return nil
    }
  }

  static func tolerance(_ text: Substring) -> Double? {
    guard let value = Double(String(text)), value.isFinite, value >= 0 else { return nil }
    return value
  }

  /// Whether the difference of two numbers is at most `tolerance * max(1, abs(expected))`.
  static func agree(_ number: Double, _ expected: Double, tolerance: Double) -> Bool {
    abs(number - expected) <= tolerance * max(1, abs(expected))
  }
}

// Matching, on bytes of UTF-8.
extension Hole {
  /// The maximum length, in bytes, that a hole other than `{*}` and `{path}` matches: longer than
  /// any number, date or duration in the output of the shell.
  private static let maximumWordLength = 256

  /// The end of each text that begins at `start` and that the hole matches, in the order in which
  /// the matcher tries them.
  func ends(in bytes: [UInt8], from start: Int) -> [Int] {
    switch self {
    case .anything: return Array(start...bytes.count)
    case .expression(let expression): return LineCharacters(bytes).ends(of: expression, from: start)
    case .path:
      var end = start
      while end < bytes.count, !Self.isSpace(bytes[end]) { end += 1 }
      return (start..<end).reversed().map { $0 + 1 }
    default:
      var end = start
      let limit = min(bytes.count, start + Self.maximumWordLength)
      while end < limit, canContain(bytes[end]) { end += 1 }
      return (start..<end).reversed().map { $0 + 1 }.filter { matches(bytes[start..<$0]) }
    }
  }

  /// Whether the hole matches the whole text.
  func matches(_ text: ArraySlice<UInt8>) -> Bool {
    var reader = WordReader(text)
    switch self {
    case .anything: return true
    case .expression: return ends(in: Array(text), from: 0).contains(text.count)
    case .path: return !text.isEmpty && !text.contains(where: Self.isSpace)
    case .integer: return reader.integer() && reader.isAtEnd
    case .number: return reader.number() && reader.isAtEnd
    case .near(let expected, let tolerance):
      guard let number = Self.value(of: text) else { return false }
      return Self.agree(number, expected, tolerance: tolerance)
    case .duration: return reader.duration() && reader.isAtEnd
    case .date:
      if case .date = Value(literal: String(decoding: text, as: UTF8.self)) { return true }
      return false
    case .uuid: return reader.uuid() && reader.isAtEnd
    case .hexadecimal:
      reader.skip("0x")
      return reader.hexDigits() > 0 && reader.isAtEnd
    }
  }

  /// The number in a text, which may have commas between its digits; nil if the text is not a
  /// number.
  static func value(of text: ArraySlice<UInt8>) -> Double? {
    var reader = WordReader(text)
    guard reader.number(), reader.isAtEnd else { return nil }
    return Double(String(decoding: text.filter { $0 != UInt8(ascii: ",") }, as: UTF8.self))
  }

  /// Whether a byte can be part of a match.
  private func canContain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ":"):
      true
    // Only durations contain spaces (`12 ms`) and µ, which is encoded as 0xC2 0xB5 or 0xCE 0xBC.
    case UInt8(ascii: " "), 0xC2, 0xB5, 0xCE, 0xBC: self == .duration
    default: false
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}

/// Reads the parts of a word from left to right.
private struct WordReader {
  private var rest: ArraySlice<UInt8>

  init(_ text: ArraySlice<UInt8>) { rest = text }

  var isAtEnd: Bool { rest.isEmpty }

  /// - Returns: whether `text` was next.
  @discardableResult
  mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  private mutating func digits() -> Int {
    let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    rest = rest.dropFirst(count)
    return count
  }

  mutating func hexDigits() -> Int {
    let count = rest.prefix { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
      default: false
      }
    }.count
    rest = rest.dropFirst(count)
    return count
  }

  mutating func integer() -> Bool {
    if !skip("-") { skip("+") }
    let first = digits()
    guard first > 0 else { return false }
    if first > 3 { return true }
    while rest.first == UInt8(ascii: ",") {
      let saved = rest
      rest = rest.dropFirst()
      if digits() != 3 {
        rest = saved
        break
      }
    }
    return true
  }

  mutating func number() -> Bool {
    guard integer() else { return false }
    if rest.first == UInt8(ascii: ".") {
      let saved = rest
      rest = rest.dropFirst()
      if digits() == 0 { rest = saved }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      let saved = rest
      rest = rest.dropFirst()
      if !skip("-") { skip("+") }
      if digits() == 0 { rest = saved }
    }
    return true
  }

  /// Long units first: `m` is a prefix of `ms` and `min`.
  private static let units = [
    "ns", "µs", "μs", "us", "ms", "min", "sec", "s", "m", "h", "d",
  ]

  mutating func duration() -> Bool {
    repeat {
      guard number() else { return false }
      skip(" ")
      guard Self.units.contains(where: { skip($0) }) else { return false }
    } while skip(" ")
    return true
  }

  mutating func uuid() -> Bool {
    guard hexDigits() == 8 else { return false }
    for count in [4, 4, 4, 12] {
      guard skip("-"), hexDigits() == count else { return false }
    }
    return true
  }
}
