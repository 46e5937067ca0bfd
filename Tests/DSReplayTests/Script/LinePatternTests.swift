import Testing

@testable import DSReplay

@Suite struct LinePatternTests {
  /// Cells that differ become holes, also if other words of the line begin elsewhere.
  @Test(arguments: [
    ("8  Boo  2024-05-06", "2  Bo   2024-01-02", "{int}  {*}   {date}"),
    ("8  Boo  x", " 8  Boo  y", " 8  Boo  {*}"), ("8  a b  x", "8  a c    x", "8  {*}    x"),
    ("8  a", "8  a  b", nil), ("word", "other", nil), ("8    x", "8  x", "8  x"),
  ])
  func cellsThatDifferBecomeHoles(earlier: String, line: String, pattern: String?) throws {
    let found = LinePattern.byCells(earlier, line)
    #expect(found?.written(.doubled) == pattern)
    if let found {
      var matcher = LineMatcher(found, line, captures: Captures())
      let matches = matcher.matches()
      #expect(matches)
    }
  }

  static func matches(_ pattern: String, _ line: String) throws -> Bool {
    let pattern = try LinePattern(parsing: pattern, .doubled, known: [])
    var matcher = LineMatcher(pattern, line, captures: Captures())
    return matcher.matches()
  }

  @Test(arguments: [
    ("{int}", "12"), ("{int}", "-1,988,214"), ("{num}", "1.5e-6"), ("{num}", "12"),
    ("{num~1e-6}", "0.5"), ("{456.538~1e-3}", "456.5384"), ("{duration}", "12.3 ms"),
    ("{duration}", "1 min 3 s"), ("{duration}", "2s"), ("{duration}", "7 µs"),
    ("{date}", "2012-11-02"), ("{date}", "2012-11-02T10:00:00Z"), ("{path}", "/tmp/x.csv"),
    ("{uuid}", "123e4567-e89b-12d3-a456-426614174000"), ("{hex}", "0xdeadBEEF"), ("{hex}", "ff"),
    ("{*}", ""), ("a {*} b", "a  b"), ("{{{int}}}", "{3}"), ("{a=int} {a}", "4 4"),
    ("{a=*}x{a}", "yxy"), ("{a=int} {a}", "1,000 1000"), ("{a=num} {a}", "1000.5 1,000.5"),
    ("{/[a-z]+/}", "abc"), ("{/a{2,3}/}}}", "aa}"), ("{*}{/b|bc/}d", "abcd"),
    ("{/é./}", "e\u{301}x"),
    ("{/\\//}", "/"), ("{a=/[0-9]+/} {a}", "12 12"), ("{//}", ""), ("{/$/}", ""),
  ])
  func theHoleMatches(pattern: String, line: String) throws {
    #expect(try Self.matches(pattern, line))
  }

  @Test(arguments: [
    ("{int}", "1.5"), ("{int}", ""), ("{int}", "1,98"), ("{num}", "1.2.3"), ("{num}", "e5"),
    ("{456.538~1e-3}", "457.5"), ("{duration}", "12"), ("{date}", "2012-13-02"), ("{path}", "a b"),
    ("{path}", ""), ("{uuid}", "123e4567"), ("{hex}", "0x"), ("{hex}", "xyz"), ("a{*}b", "ab c"),
    ("{a=int} {a}", "4 5"), ("é{*}", "e"), ("{a=int} {a}", "1,000 100"),
    ("{a=int} {a}", "1,000 1,0000"), ("{a=*} {a}", "1,000 1000"), ("{/[a-z]+/}", "ab1"),
    ("{/a/}b", "a"), ("{a=/[0-9]+/} {a}", "1,000 1000"), ("{/./}", "\u{1F1E9}\u{1F1EA}x"),
  ])
  func theHoleDoesNotMatch(pattern: String, line: String) throws {
    #expect(try !Self.matches(pattern, line))
  }

  @Test(
    arguments: [
      ("{itn}", "int", 0..<5), ("a {duratoin}", "duration", 2..<12), ("x } y", nil, 2..<3),
      ("a {/[x/}", nil, 6..<7), ("{/x", nil, 0..<2), ("{n=/*/}", nil, 4..<5),
      ("{int", nil, 0..<1), ("{n}", nil, 0..<3), ("{int=int}", nil, 0..<9), ("{num~x}", nil, 0..<7),
    ] as [(String, String?, Range<Int>)])
  func anUnknownHoleIsAMistake(text: String, suggestion: String?, range: Range<Int>) throws {
    let mistake = #expect(throws: LinePattern.Mistake.self) {
      try LinePattern(parsing: text, .doubled, known: [])
    }
    #expect(mistake?.suggestion == suggestion)
    #expect(mistake?.range == range)
  }

  @Test(arguments: ["{name: Pie} {}", "{itn}", "a } b", "{int}", "{{x}}", "{{", "{n}"])
  func anErrorLineParsesAsItself(text: String) throws {
    let written = LinePattern(text: text).written(.lenient)
    let read = try LinePattern(parsing: written, .lenient, known: ["n"])
    #expect(read.plainText == text)
  }

  @Test func bracesOfErrorLinesAreNotDoubledUnnecessarily() {
    #expect(LinePattern(text: "`BETWEEN {1, 10}`").written(.lenient) == "`BETWEEN {1, 10}`")
  }

  /// Backtracking takes years for these, and a match at each character takes hours.
  @Test(arguments: ["{/(a+)+b/}", "{*}{/(a|a)*b/}", "{*}{/.*c/}{*}{/.*c/}"])
  func anExpressionOnALongLineMatchesInLinearTime(pattern: String) throws {
    #expect(try !Self.matches(pattern, String(repeating: "a", count: 20_000)))
  }

  @Test func aPatternWithManyHolesMatchesFast() throws {
    let pattern = String(repeating: "{*}a", count: 40)
    #expect(try !Self.matches(pattern, String(repeating: "a", count: 2000) + "b"))
  }
}
