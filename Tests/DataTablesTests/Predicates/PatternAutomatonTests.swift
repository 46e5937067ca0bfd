import TestSupport
import Testing

@testable import DataTables

struct PatternAutomatonTests {
  private func outcome(
    _ automaton: inout PatternAutomaton, _ text: String
  ) -> PatternAutomaton.Outcome {
    Array(text.utf8).withUnsafeBytes { automaton.match($0) }
  }

  // The automaton of this expression has 2^13 states, more than are kept.
  @Test func automataThatBecomeTooLargeStartAgain() throws {
    let expression = try RegularExpression("[ab]*a[ab]{12}")
    var automaton = PatternAutomaton(expression, [])
    var random = SplitMix64(seed: 3)
    for _ in 0..<100 {
      let text = String((0..<100).map { _ in random.one(of: ["a", "b"]) as Character })
      let expected: PatternAutomaton.Outcome = expression.matchesWhole(text) ? .match : .noMatch
      let found = outcome(&automaton, text)
      #expect(found == expected, "\(text)")
      let isMatch = automaton.matches(text)
      #expect(isMatch == (expected == .match), "\(text)")
    }
  }

  @Test func moreSymbolsThanAnAutomatonHasAreMatched() throws {
    let characters = (0..<600).compactMap { Unicode.Scalar(0x4E00 + $0).map { Character($0) } }
    let pattern = String(characters)
    var matcher = TextMatcher(try TextPattern("*\(pattern)?*", .like, []))
    let texts = [
      ("x\(pattern)y", true), ("x\(pattern)", false), (String(characters.reversed()), false),
      ("\(pattern)\(pattern)", true),
    ]
    for (text, expected) in texts {
      let isMatch = matcher.matches(text)
      #expect(isMatch == expected)
    }
  }

  @Test(arguments: [
    ("a", "e\u{301}", PatternAutomaton.Outcome.notPlain), ("e", "e\u{301}", .notPlain),
    ("e", "ex", .noMatch), ("b", "ex\u{301}", .noMatch), ("\\r", "\r\n", .noMatch),
    ("\\s", "\r\n", .match), ("\\r\\n", "\r\n", .noMatch), (".", "é", .match),
    ("日.語", "日本語", .match), ("\\bab\\b", "ab", .match), ("\\w+\\B", "ab", .noMatch),
  ])
  func bytesAreCharactersOnlyIfTheyArePlain(
    pattern: String, text: String, expected: PatternAutomaton.Outcome
  ) throws {
    var automaton = PatternAutomaton(try RegularExpression(pattern), [])
    // The second time, the steps are known.
    for _ in 0..<2 {
      let found = outcome(&automaton, text)
      #expect(found == expected)
    }
  }

  @Test(arguments: [
    (".*#9+[0-4]?", "#9"), ("abc", "abc"), ("(?i)abc", ""), ("(?i)a12#b", "12#"), ("ab|cd", ""),
    ("x(ab|cd)yz", "yz"), ("(ab){2}c", "ababc"), ("a+b", "ab"), ("(?:ab)+c", "abc"), ("a?bc", "bc"),
    ("[a]b[cd]", "ab"), ("[^a]", ""), ("\\bword\\b", "word"), ("(?<name>ab)c", "abc"), ("", ""),
    ("e\\u0301", "e"), ("日本", "日本"),
  ])
  func partsOfAllMatchesAreKnown(pattern: String, expected: String) throws {
    #expect(try RegularExpression(pattern).requiredPart(ofLowercase: false) == expected)
  }
}
