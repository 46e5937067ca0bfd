import TestSupport
import Testing

@testable import DataTables

struct GroupedPatternTests {
  private func groups(_ pattern: String, _ text: String) throws -> [String?]? {
    let pattern = try GroupedPattern(pattern)
    let matcher = PatternMatcher(pattern)
    let bytes = Array(text.utf8)
    guard bytes.withUnsafeBufferPointer({ matcher.match($0) }) == .match else { return nil }
    return pattern.names.indices.map { Self.text(bytes, matcher.slots, $0) }
  }

  private static func text(
    _ bytes: [UInt8], _ slots: UnsafeMutableBufferPointer<Int>, _ group: Int
  ) -> String? {
    let (start, end) = (slots[group * 2], slots[group * 2 + 1])
    return start < 0 || end < start ? nil : String(decoding: bytes[start..<end], as: UTF8.self)
  }

  @Test(
    arguments: [
      (
        #"^(?<time>\S+) \[(?<level>\w+)\] (?<message>.*)$"#, "10:00 [info] a b",
        ["10:00", "info", "a b"]
      ),
      (#"(?<a>.*) (?<b>.*)"#, "x y z", ["x y", "z"]),
      (#"(?<a>.*?) (?<b>.*)"#, "x y z", ["x", "y z"]),
      (#"(?<a>\w+)(?: (?<b>\d+))?"#, "x", ["x", nil]),
      (#"(?P<a>[é-ü]+)(?<b>.)"#, "éü漢", ["éü", "漢"]),
      (#"(?:(?<k>\w)=(?<v>\d),?)*"#, "a=1,b=2", ["b", "2"]),
      (#"(?<a>\b\w+\b).*"#, "ab cd", ["ab"]),
      (#"(?i)(?<a>abc)"#, "ABC", ["ABC"]),
      (#"(?<a>a*)(?<b>a*)"#, "aa", ["aa", ""]),
    ] as [(String, String, [String?])])
  func groupsAreThoseOfThePreferredWay(pattern: String, text: String, expected: [String?]) throws {
    #expect(try groups(pattern, text) == expected)
  }

  @Test func theWholeLineMustMatch() throws {
    #expect(try groups(#"(?<a>\w+)"#, "ab cd") == nil)
    #expect(try groups(#"(?<a>\w+)"#, "") == nil)
  }

  @Test(arguments: ["(a)", "(?<a>x", "(?<>x)", #"(?<a>x)\k<a>"#, "(?<a>(?:x{999}){999})"])
  func aMalformedPatternIsAnError(pattern: String) {
    #expect(throws: RegularExpressionError.self) { try GroupedPattern(pattern) }
  }

  /// With backtracking, such patterns take time that is exponential in the line.
  @Test(arguments: ["(?<a>(?:x+x+)+)y", "(?<a>(?:x|xx)*)(?<b>(?:x?){200})y", "(?<a>.*.*.*.*=.*)z"])
  func hostilePatternsTakeLinearTime(pattern: String) throws {
    #expect(try groups(pattern, String(repeating: "x", count: 20_000)) == nil)
  }

  /// The states of this pattern are exponential in its length, so that they cannot all be kept.
  @Test func aLineThatNeedsTooManyStatesIsRejected() throws {
    var random = SplitMix64(seed: 1)
    let line = String((0..<200_000).map { _ in Bool.random(using: &random) ? "a" : "b" })
    let matcher = PatternMatcher(
      try GroupedPattern("(?<x>(?:a|b)*)a(?:a|b){0,18}(?<y>(?:a|b)*)b[ab]*"))
    let found = Array(line.utf8).withUnsafeBufferPointer { matcher.match($0) }
    #expect(found == .tooComplex || found == .match)
    let short = Array("aab".utf8).withUnsafeBufferPointer { matcher.match($0) }
    #expect(short == .match)
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func groupsAreThoseOfBacktracking(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<400 {
      var names = 0
      let text = "(?<whole>\(pattern(depth: 3, &random, &names)))"
      let pattern = try GroupedPattern(text)
      let matcher = PatternMatcher(pattern)
      for _ in 0..<8 {
        let line = String(
          (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
            "aab é1".randomElement(using: &random)
          })
        let slow = try BacktrackingPattern(text, on: line)
        let expected = slow.match()
        let bytes = Array(line.utf8)
        let outcome = bytes.withUnsafeBufferPointer { matcher.match($0) }
        let comment: Comment = "seed \(seed), round \(round): \(text) on \(line.debugDescription)"
        #expect(outcome == (expected == nil ? .noMatch : .match), comment)
        guard let expected, outcome == .match, !slow.repeatsNothing else { continue }
        let scalars = Array(line.unicodeScalars)
        for (group, name) in pattern.names.enumerated() {
          let slow = expected[name].map { range in
            scalars[range].reduce(into: "") { $0.unicodeScalars.append($1) }
          }
          #expect(Self.text(bytes, matcher.slots, group) == slow, comment)
        }
      }
    }
  }

  private func pattern(
    depth: Int, _ random: inout SplitMix64, _ names: inout Int
  ) -> String {
    if depth == 0 {
      return ["a", "b", ".", "[ab]", #"\w"#, "é", " ", #"\b"#, "^", "$", #"\d"#, "[^a]"]
        .randomElement(using: &random) ?? "a"
    }
    func part(_ random: inout SplitMix64, _ names: inout Int) -> String {
      pattern(depth: depth - 1, &random, &names)
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return part(&random, &names) + part(&random, &names)
    case 1: return "(?:" + part(&random, &names) + "|" + part(&random, &names) + ")"
    case 2:
      names += 1
      let name = names
      return "(?<g\(name)>" + part(&random, &names) + ")"
    case 3:
      let quantifier =
        ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}?"].randomElement(using: &random)
        ?? "*"
      return "(?:" + part(&random, &names) + ")" + quantifier
    default: return part(&random, &names)
    }
  }
}
