import TestSupport
import Testing

@testable import DataTables

extension Scalar {
  static func reading<Result>(
    _ text: String, _ read: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    Array(text.utf8).withUnsafeBytes { read($0) }
  }
}

@Suite struct ScalarNumberTests {
  /// Whether the text has JSON's number syntax, determined by splitting it at its marks.
  private static func isNumber(_ text: String) -> Bool {
    func isDigits(_ text: Substring) -> Bool { !text.isEmpty && text.allSatisfy(\.isNumber) }
    let halves = text.lowercased().split(
      separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
    if let exponent = halves.dropFirst().first {
      let isSigned = exponent.hasPrefix("+") || exponent.hasPrefix("-")
      if !isDigits(exponent.dropFirst(isSigned ? 1 : 0)) { return false }
    }
    guard let number = halves.first else { return false }
    let parts = number.drop { $0 == "-" && $0 == number.first }.split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard number.prefix(while: { $0 == "-" }).count < 2 else { return false }
    let isCanonical = parts[0] == "0" || !parts[0].hasPrefix("0")
    return isCanonical && parts.allSatisfy(isDigits)
  }

  @Test(arguments: [
    "0", "7", "-1", "10", "9223372036854775807", "-9223372036854775808", "1000000000000000000",
  ])
  func plainIntegersAreIntegers(text: String) {
    #expect(Scalar.reading(text, Scalar.integer) == Int(text))
    guard case .integer(let integer) = Value(literal: text) else {
      Issue.record("\(text) is not an integer")
      return
    }
    #expect(String(integer) == text)
  }

  @Test(arguments: [
    "-0", "1.0", "1e3", "1E+3", "0.5", "-0.0e-0", "9223372036854775808", "-9223372036854775809",
    "12345678901234567890", "1e999", "123456789012345678901234567890", "5e-324", "0e9999999999999",
  ])
  func otherNumbersKeepTheirText(text: String) {
    #expect(Scalar.reading(text, Scalar.integer) == nil)
    guard case .real(let real) = Value(literal: text) else {
      Issue.record("\(text) is not a number")
      return
    }
    #expect(real.text == text)
    #expect(real.value == Double(text))
  }

  @Test(arguments: [
    "", "-", "+1", "007", "01234", "-01", "00", "1.", ".5", "1.e3", "1e", "1e+", "1e+-3", "0x10",
    " 1", "1 ", "1_000", "1,5", "inf", "nan", "-.5", "0.1.2", "٣", "1e3.5", "--1",
  ])
  func otherTextsAreStrings(text: String) {
    #expect(Value(literal: text) == .string(text))
    #expect(Scalar.reading(text, Scalar.integer) == nil)
    #expect(Scalar.reading(text, Scalar.real) == nil)
  }

  @Test func literalsAreWordsInLowercase() {
    #expect(Value(literal: "true") == true)
    #expect(Value(literal: "false") == false)
    #expect(Value(literal: "null") == nil)
    #expect(Value(literal: "True") == "True")
    #expect(Value(literal: "NULL") == "NULL")
    #expect(Scalar.reading("TRUE", Scalar.bool) == true)
    #expect(Scalar.reading("False", Scalar.bool) == false)
    #expect(Scalar.reading("truth", Scalar.bool) == nil)
    #expect(Scalar.reading("\u{14}rue", Scalar.bool) == nil)
  }

  @Test(arguments: [UInt64(7), 8])
  func randomNumbersEqualThoseOfTheStandardLibrary(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let alphabet = Array("0123456789012345678900..--e+E")
    for _ in 0..<100_000 {
      let text = String((0...random.below(22)).map { _ in random.one(of: alphabet) })
      let isNumber = Self.isNumber(text)
      let expected = isNumber ? Double(text) : nil
      let read = Scalar.reading(text, Scalar.real)
      let integer = Int(text).flatMap { String($0) == text ? $0 : nil }
      // An expectation costs more than everything else, so it is evaluated only for differences.
      if read?.bitPattern != expected?.bitPattern
        || Scalar.reading(text, Scalar.integer) != integer
      {
        Issue.record("seed \(seed): \(text)")
      }
    }
  }

  @Test(arguments: [UInt64(9)])
  func doublesReadBackFromTheirShortestText(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<50_000 {
      let double = Double(bitPattern: random.next())
      guard double.isFinite else { continue }
      let real = Real(double)
      if Scalar.reading(real.text, Scalar.real)?.bitPattern != double.bitPattern {
        Issue.record("seed \(seed): \(real.text)")
      }
    }
  }
}
