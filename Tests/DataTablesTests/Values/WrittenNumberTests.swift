import TestSupport
import Testing

@testable import DataTables

/// Numbers in other notations than JSON's.
struct WrittenNumberTests {
  private static func number(_ text: String, _ style: NumberStyle = NumberStyle()) -> Value? {
    var text = text
    return text.withUTF8 { Scalar.writtenNumber(UnsafeRawBufferPointer($0), style) }
  }

  private static func style(
    _ decimal: Character = ".", _ thousands: String = "", units: [String] = []
  ) -> NumberStyle {
    var style = NumberStyle()
    style.decimal = decimal.asciiValue ?? 0
    style.thousands = Array(thousands.utf8)
    style.units = units.map { Array($0.utf8) }
    return style
  }

  @Test(arguments: [
    (".5", "0.5"), ("5.", "5"), ("+5", "5"), ("-.25", "-0.25"), ("+.5e3", "0.5e3"),
    ("5.e-2", "5e-2"), ("+0", "0"), (" +5", "5"),
  ])
  func theTextIsKept(text: String, number: String) throws {
    guard case .real(let real)? = Self.number(text) else {
      Issue.record("\(text) is not a number")
      return
    }
    #expect(real.text == text.filter { $0 != " " })
    #expect(real.number == number)
    #expect(Value.real(real).json == number)
    #expect(Value.real(real) == Value(literal: number))
    #expect(Value.real(real).hashValue == Value(literal: number).hashValue)
  }

  @Test(arguments: [(" 5", "5"), ("5 \t", "5"), ("\t-1.50 ", "-1.50")])
  func blanksAroundNumbersAreTrimmed(text: String, number: String) {
    #expect(Self.number(text)?.json == number)
  }

  @Test(arguments: [
    "", " ", ".", "+", "-", "+-5", "0123", "+0123", "5..", "1,000", "5 5", "e5", ".e5", "5e",
    "0x1F",
    "1_000", "--5", "nano", "infinite", "- 5",
  ])
  func otherTextsAreNotNumbers(text: String) {
    #expect(Self.number(text) == nil)
  }

  @Test(arguments: [
    ("NaN", "NaN"), ("nan", "NaN"), ("-NaN", "NaN"), ("inf", "Infinity"), ("+Inf", "Infinity"),
    ("-inf", "-Infinity"), ("Infinity", "Infinity"), ("-INFINITY", "-Infinity"),
  ])
  func numbersThatJSONLacksAreStringsInJSON(text: String, other: String) {
    #expect(Self.number(text)?.json == "\"\(text)\"")
    #expect(Self.number(text) == Self.number(other))
    #expect(Self.number(text)?.hashValue == Self.number(other)?.hashValue)
  }

  @Test func theOrderOfAllNumbersIsTotal() throws {
    let ascending = [
      "-inf", "-1e400", "-1", "-.5", "0", "+.5", "1", "1e308", "1e400", "inf", "nan",
    ]
    let values = ascending.map { Self.number($0) ?? Value(literal: $0) }
    for (left, one) in values.enumerated() {
      for (right, other) in values.enumerated() {
        #expect(one.compare(other) == Ordering(left, right), "\(one.json) \(other.json)")
        #expect((one == other) == (left == right))
      }
      #expect(Value.integer(7).compare(one) == one.compare(.integer(7)).reversed)
    }
  }

  @Test(
    arguments: [
      ("1,234.56", ".", ",", "1234.56"), ("12,34,567", ".", ",", "1234567"),
      ("1.234,56", ",", ".", "1234.56"), ("-1.234.567", ",", ".", "-1234567"), ("5,", ",", "", "5"),
      ("1 234,5", ",", " ", "1234.5"), ("1\u{A0}234\u{202F}567", ",", " ", "1234567"),
      ("1'234", ".", "'", "1234"), ("1_000", ".", "_", "1000"), ("1234,5", ",", ".", "1234.5"),
    ] as [(String, Character, String, String)])
  func stylesAreRead(text: String, decimal: Character, thousands: String, number: String) {
    guard case .real(let real)? = Self.number(text, Self.style(decimal, thousands)) else {
      Issue.record("\(text) is not a number")
      return
    }
    #expect(real.text == text)
    #expect(real.number == number)
  }

  @Test(arguments: ["1,23", "1,2345", ",123", "1234,567", "1,,234", "1,234,", "12,3456", "0,123"])
  func groupsOfThousandsHaveThreeDigits(text: String) {
    #expect(Self.number(text, Self.style(".", ",")) == nil)
  }

  @Test func aDecimalCommaExcludesThePoint() {
    #expect(Self.number("1.5", Self.style(",")) == nil)
    #expect(Self.number("15", Self.style(",")) == 15)
  }

  @Test(arguments: ["$5", "-$5", "$-5", "$ 5", "5 $", "5$"])
  func unitsAreIgnored(text: String) {
    let value = Self.number(text, Self.style(units: ["$"]))
    #expect(value == (text.contains("-") ? -5 : 5))
    #expect(value?.json == (text.contains("-") ? "-5" : "5"))
  }

  @Test func unitsMayHaveSeveralBytes() {
    #expect(
      Self.number("12,5 km/h", Self.style(",", units: ["€", "km/h"])) == Value(literal: "12.5"))
    #expect(Self.number("€12,5", Self.style(",", units: ["€", "km/h"])) == Value(literal: "12.5"))
    #expect(Self.number("€", Self.style(units: ["€"])) == nil)
  }

  /// Compares with a slow reader of the same notation.
  @Test(arguments: [UInt64(1), 2, 3])
  func randomTextsAreReadAsByASlowReader(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let pieces = ["0", "1", "23", "456", ".", ",", "-", "+", "e", "E", " ", "$", "007", "\t"]
    for _ in 0..<20_000 {
      let text = (0..<1 + random.below(6)).map { _ in random.one(of: pieces) }.joined()
      let style = Self.style(
        random.one(of: [".", ","]), random.one(of: ["", ","]), units: random.one(of: [[], ["$"]]))
      if style.decimal == style.thousands.first { continue }
      let expected = SlowNumber.value(of: text, style)
      let found = Self.number(text, style)
      #expect(found == expected, "seed \(seed): \(text.debugDescription) \(style)")
    }
  }
}

/// Reads numbers with string operations.
private enum SlowNumber {
  static func value(of text: String, _ style: NumberStyle) -> Value? {
    var text = text.trimmingBlanks
    var sign = sign(&text)
    if !style.units.isEmpty, text.count > 1 {
      if text.hasPrefix("$") {
        text = String(text.dropFirst()).trimmingLeadingBlanks
      } else if text.hasSuffix("$") {
        text = String(text.dropLast()).trimmingTrailingBlanks
      }
      if sign == nil { sign = self.sign(&text) }
    }
    return plain(text, sign ?? "", style)
  }

  private static func sign(_ text: inout String) -> String? {
    guard let first = text.first, first == "-" || first == "+" else { return nil }
    text.removeFirst()
    return first == "-" ? "-" : ""
  }

  private static func plain(_ text: String, _ sign: String, _ style: NumberStyle) -> Value? {
    var mantissa = text
    var exponent = ""
    if let place = text.firstIndex(where: { $0 == "e" || $0 == "E" }) {
      mantissa = String(text[..<place])
      exponent = String(text[place...])
      let digits = exponent.dropFirst().drop { $0 == "-" || $0 == "+" }
      guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit),
        exponent.dropFirst().count - digits.count <= 1
      else { return nil }
    }
    let point = Character(Unicode.Scalar(style.decimal))
    let parts = mantissa.split(separator: point, omittingEmptySubsequences: false)
    guard parts.count <= 2 else { return nil }
    var whole = String(parts[0])
    let fraction = parts.count == 2 ? String(parts[1]) : ""
    if let separator = style.thousands.first {
      let groups = whole.split(
        separator: Character(Unicode.Scalar(separator)), omittingEmptySubsequences: false)
      if groups.count > 1 {
        guard let first = groups.first, let last = groups.last, (1...3).contains(first.count),
          last.count == 3, groups.dropFirst().dropLast().allSatisfy({ (2...3).contains($0.count) })
        else { return nil }
        whole = groups.joined()
      }
    }
    guard (whole + fraction).allSatisfy(\.isASCIIDigit), !(whole + fraction).isEmpty else {
      return nil
    }
    if whole.count > 1, whole.first == "0" { return nil }
    let number =
      sign + (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : "." + fraction) + exponent
    guard case .string = Value(literal: number) else { return Value(literal: number) }
    return nil
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}

extension String {
  fileprivate var trimmingLeadingBlanks: String { String(drop { $0 == " " || $0 == "\t" }) }
  fileprivate var trimmingTrailingBlanks: String {
    String(String(reversed()).trimmingLeadingBlanks.reversed())
  }
  fileprivate var trimmingBlanks: String { trimmingLeadingBlanks.trimmingTrailingBlanks }
}
