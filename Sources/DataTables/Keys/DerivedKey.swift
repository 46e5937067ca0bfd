import Foundation

/// A key that is computed from a string, a date or a number: `firstCharacter`, `year`, `rounded`.
///
/// Equal values have equal results, so a key is derived once for each distinct value.
public struct DerivedKey: Sendable {
  public let name: String
  /// One line for help: `the first character; null for ""`.
  public let summary: String
  let function: Function

  enum Function: Sendable {
    case string(@Sendable (String) -> Value)
    case date(@Sendable (CivilTime) -> Int)
    case number(@Sendable (Double) -> Double)
    /// The value itself.
    case itself
  }

  /// Every derived key, in the order of help.
  public static let all: [DerivedKey] =
    stringKeys + dateKeys + numberKeys + [
      DerivedKey(
        name: itself, summary: "the object itself", function: .itself)
    ]

  /// The derived key that every value has.
  package static let itself = "SELF"

  private static let byName = Dictionary(
    all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  static func named(_ name: String) -> DerivedKey? { byName[name] }

  /// The derived value; null if the key does not apply to the value.
  func evaluate(_ value: Value) -> Value {
    switch (function, value) {
    case (.string(let function), .string(let string)): function(string)
    case (.date(let function), .date(let date)): .integer(function(date.civil()))
    case (.date(let function), .string(let string)):
      Self.date(string).map { .integer(function($0.civil())) } ?? .null
    case (.itself, _): value
    case (.number, .integer): value
    case (.number(let function), .real(let real)): Self.integral(function(real.value), of: real)
    default: .null
    }
  }

  func applies(to type: ValueType) -> Bool {
    switch function {
    case .string: type == .string
    case .date: type == .date || type == .string
    case .number: type == .number
    case .itself: type != .null
    }
  }

  private static func date(_ string: String) -> Timestamp? {
    var string = string
    return string.withUTF8 { Scalar.date(UnsafeRawBufferPointer($0)) }
  }

  private static func integral(_ double: Double, of real: Real) -> Value {
    if let integer = Int(exactly: double) { return .integer(integer) }
    // Beyond 64 bits, every double is an integer. The number keeps its text, which may have more
    // digits than the double.
    return .real(real)
  }
}

extension DerivedKey {
  private static let stringKeys: [DerivedKey] = [
    string("firstCharacter", "the first character; null for \"\"") {
      $0.first.map { .string(String($0)) } ?? .null
    },
    string("uppercased", "in uppercase") { .string($0.uppercased()) },
    string("lowercased", "in lowercase") { .string($0.lowercased()) },
    string("capitalized", "every word capitalized") { .string(capitalized($0)) },
    string("length", "the number of characters") { .integer($0.count) },
    string("folded", "without differences of case and accents") { .string(folded($0)) },
    string("initials", "the first characters of the words, in uppercase") {
      .string(initials($0))
    },
    string("number", "the number that a string spells; null for other strings") {
      $0.numeral ?? .null
    },
    string("trimmed", "without leading and trailing white space") { .string(trimmed($0)) },
  ]

  private static func string(
    _ name: String, _ summary: String, _ function: @escaping @Sendable (String) -> Value
  ) -> DerivedKey {
    DerivedKey(name: name, summary: summary, function: .string(function))
  }

  private static func capitalized(_ string: String) -> String {
    var result = ""
    var isInWord = false
    for character in string {
      result += isInWord ? character.lowercased() : character.uppercased()
      // An apostrophe continues a word, so that "don't" becomes "Don't".
      isInWord =
        character.isLetter || character.isNumber
        || isInWord && (character == "'" || character == "\u{2019}")
    }
    return result
  }

  private static func initials(_ string: String) -> String {
    string.split(whereSeparator: \.isWhitespace).compactMap(\.first).reduce(into: "") {
      $0 += $1.uppercased()
    }
  }

  private static func trimmed(_ string: String) -> String {
    guard let start = string.firstIndex(where: { !$0.isWhitespace }),
      let end = string.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(string[start...end])
  }
}

extension DerivedKey {
  // In GMT, so that equal dates have equal results regardless of the zones in which they are
  // written.
  private static let dateKeys: [DerivedKey] = [
    date("year", "the year") { $0.year },
    date("month", "the month, 1 to 12") { $0.month },
    date("day", "the day of the month, 1 to 31") { $0.day },
    date("weekday", "the day of the week, 1 (Monday) to 7") { $0.weekday },
    date("week", "the ISO week, 1 to 53") { $0.week },
    date("hour", "the hour, 0 to 23") { $0.hour },
  ]

  private static func date(
    _ name: String, _ summary: String, _ function: @escaping @Sendable (CivilTime) -> Int
  ) -> DerivedKey {
    DerivedKey(name: name, summary: summary, function: .date(function))
  }
}

extension DerivedKey {
  private static let numberKeys: [DerivedKey] = [
    number("rounded", "the nearest integer, halves away from 0") { $0.rounded() },
    number("floor", "the nearest integer at or below") { $0.rounded(.down) },
  ]

  private static func number(
    _ name: String, _ summary: String, _ function: @escaping @Sendable (Double) -> Double
  ) -> DerivedKey {
    DerivedKey(name: name, summary: summary, function: .number(function))
  }
}

/// The string without differences of case and accents, independent of any language.
func folded(_ string: String) -> String {
  if string.utf8.allSatisfy({ $0 < 0x80 }) { return string.lowercased() }
  return string.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
}
