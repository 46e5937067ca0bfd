import DataSources
import Testing

@testable import DSReplay

/// Compares the matchers with slow ones that try every possibility.
@Suite struct MatcherPropertyTests {
  static let segments: [LinePattern.Segment] =
    [
      .text(Array("a".utf8)), .text(Array("1".utf8)), .text(Array("a,".utf8)),
      .hole(.anything, name: nil, text: "*"), .hole(.integer, name: nil, text: "int"),
      .hole(.number(tolerance: nil), name: nil, text: "num"),
      .hole(.hexadecimal, name: nil, text: "hex"), .hole(.path, name: nil, text: "path"),
    ] + ["a1*", "(1|,2)+"].compactMap(expression)

  static func expression(_ text: String) -> LinePattern.Segment? {
    (try? LineExpression(text)).map { .hole(.expression($0), name: nil, text: "/\(text)/") }
  }

  static func pattern(_ generator: inout SeededGenerator) -> LinePattern {
    LinePattern(
      (0..<Int.random(in: 0...5, using: &generator)).map { _ in generator.pick(segments) })
  }

  static func line(_ generator: inout SeededGenerator, upTo length: Int = 8) -> String {
    (0..<Int.random(in: 0...length, using: &generator))
      .map { _ in generator.pick(["a", "1", ",", "2", " ", "."]) }.joined()
  }

  /// Tries every split of the line.
  static func slowly(_ segments: ArraySlice<LinePattern.Segment>, _ bytes: ArraySlice<UInt8>)
    -> Bool
  {
    guard let first = segments.first else { return bytes.isEmpty }
    for end in bytes.startIndex...bytes.endIndex {
      let part = bytes[bytes.startIndex..<end]
      let fits =
        switch first {
        case .text(let text): part.elementsEqual(text)
        case .hole(let hole, _, _): hole.matches(part)
        case .reference: false
        }
      if fits, slowly(segments.dropFirst(), bytes[end...]) { return true }
    }
    return false
  }

  @Test func aLineMatchesIfSomeSplitOfItDoes() {
    let seed: UInt64 = 1
    var generator = SeededGenerator(seed: seed)
    var matches = 0
    for _ in 0..<20_000 {
      let pattern = Self.pattern(&generator)
      let line = Self.line(&generator)
      var matcher = LineMatcher(pattern, line, captures: Captures())
      let isMatch = matcher.matches()
      matches += isMatch ? 1 : 0
      #expect(
        isMatch == Self.slowly(pattern.segments[...], Array(line.utf8)[...]),
        "seed \(seed): \(pattern.written(.doubled)) \(line)")
    }
    #expect(matches > 500)
  }

  static func expected(_ generator: inout SeededGenerator) -> [ExpectedLine] {
    (0..<Int.random(in: 0...6, using: &generator)).map { _ in
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: ExpectedLine(kind: .anyLines, location: .script(1))
      case 1: ExpectedLine(kind: .pattern(LinePattern([.hole(.integer, name: nil, text: "int")])))
      default: ExpectedLine(kind: .text(generator.pick(["a", "b", "1", "2"])))
      }
    }
  }

  static func lines(_ generator: inout SeededGenerator) -> [String] {
    (0..<Int.random(in: 0...6, using: &generator)).map { _ in generator.pick(["a", "b", "1", "2"]) }
  }

  /// The fewest differing lines, by trying every possibility.
  static func cost(_ expected: ArraySlice<ExpectedLine>, _ actual: ArraySlice<String>) -> Int {
    guard let first = expected.first else { return actual.count }
    if first.isAnyLines {
      return (actual.startIndex...actual.endIndex)
        .map { cost(expected.dropFirst(), actual[$0...]) }.min() ?? 0
    }
    guard let line = actual.first else { return 1 + cost(expected.dropFirst(), actual) }
    var lowest = 1 + min(cost(expected.dropFirst(), actual), cost(expected, actual.dropFirst()))
    if first.mayMatch(line, Captures()) {
      lowest = min(lowest, cost(expected.dropFirst(), actual.dropFirst()))
    }
    return lowest
  }

  @Test func anAlignmentIsMinimalAndAMatchHasNoDifferences() {
    let seed: UInt64 = 1
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<3000 {
      let expected = Self.expected(&generator)
      let actual = Self.lines(&generator)
      let lowest = Self.cost(expected[...], actual[...])
      let steps = Alignment(expected, actual, captures: Captures()).steps
      let note: Comment = "seed \(seed): \(expected.map(\.written)) \(actual)"
      #expect(steps.count(where: \.isDifference) == lowest, note)
      #expect(steps.flatMap(\.expected) == Array(expected.indices), note)
      #expect(steps.flatMap(\.actual) == Array(actual.indices), note)
      var matcher = BlockMatcher(expected, actual, captures: Captures())
      let isMatch = matcher.matches()
      #expect(isMatch == (lowest == 0), note)
    }
  }

  @Test func unorderedLinesMatchIfSomeOrderDoes() {
    let seed: UInt64 = 1
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let expected = Self.expected(&generator)
      let actual = Self.lines(&generator)
      #expect(
        UnorderedMatcher(expected, actual, captures: Captures()).isMatch
          == Self.someOrder(
            expected.filter { !$0.isAnyLines }, actual, expected.contains(where: \.isAnyLines)),
        "seed \(seed): \(expected.map(\.written)) \(actual)")
    }
  }

  static func someOrder(_ expected: [ExpectedLine], _ actual: [String], _ isOpen: Bool) -> Bool {
    guard let first = expected.first else { return isOpen || actual.isEmpty }
    return actual.indices.contains { index in
      var rest = actual
      let line = rest.remove(at: index)
      return first.mayMatch(line, Captures())
        && someOrder(Array(expected.dropFirst()), rest, isOpen)
    }
  }

  @Test func capturesChooseAmongTheLinesThatAnyLinesLeave() throws {
    let capture = try LinePattern(parsing: "n {n=int}", .doubled, known: [])
    let again = try LinePattern(parsing: "again {n}", .doubled, known: ["n"])
    let expected = [
      ExpectedLine(kind: .anyLines), ExpectedLine(kind: .pattern(capture)),
      ExpectedLine(kind: .anyLines), ExpectedLine(kind: .pattern(again)),
    ]
    var matcher = BlockMatcher(expected, ["n 1", "n 2", "x", "again 2"], captures: Captures())
    let isMatch = matcher.matches()
    #expect(isMatch)
    #expect(matcher.captures["n"]?.text == Array("2".utf8))
  }

  @Test func aLineThatRefersToItselfIsNotTriedForever() throws {
    let pattern = try LinePattern(
      parsing: "{a=*}{b=*}{c=*}{d=*}{a}{b}{c}{d}z", .doubled, known: [])
    var matcher = LineMatcher(
      pattern, String(repeating: "x", count: 120), captures: Captures())
    let isMatch = matcher.matches()
    #expect(!isMatch)
  }

  @Test func namesAreCapturedBeforeReferencesInAnyOrder() throws {
    let capture = try LinePattern(parsing: "n {n=int}", .doubled, known: [])
    let again = try LinePattern(parsing: "{n} again", .doubled, known: ["n"])
    let expected = [
      ExpectedLine(kind: .pattern(capture)), ExpectedLine(kind: .pattern(again)),
      ExpectedLine(kind: .pattern(LinePattern([.hole(.anything, name: nil, text: "*")]))),
    ]
    for lines in [["rest", "n 2", "2 again"], ["n 1", "2 again", "n 2"]] {
      #expect(UnorderedMatcher(expected, lines, captures: Captures()).isMatch, "\(lines)")
    }
    #expect(!UnorderedMatcher(expected, ["n 1", "3 again", "n 2"], captures: Captures()).isMatch)
  }
}

extension Alignment.Step {
  fileprivate var isDifference: Bool {
    switch self {
    case .missing, .extra: true
    case .match, .any: false
    }
  }
  fileprivate var expected: [Int] {
    switch self {
    case .match(let index, _), .any(let index, _), .missing(let index): [index]
    case .extra: []
    }
  }
  fileprivate var actual: [Int] {
    switch self {
    case .match(_, let line), .extra(let line): [line]
    case .any(_, let lines): Array(lines)
    case .missing: []
    }
  }
}
