import TestSupport
import Testing

@testable import DataTables

struct RegularExpressionTests {
  @Test(arguments: [
    ("", "", true), ("", "a", false), ("a", "a", true), ("a*", "aaaa", true), ("a*", "", true),
    ("a+", "", false), ("ab?c", "ac", true), ("ab?c", "abbc", false), ("a{2,3}", "a", false),
    ("a{2,3}", "aaa", true), ("a{2,3}", "aaaa", false), ("a{2}", "aa", true),
    ("a{2,}", "aaaaa", true),
    ("a|bc", "bc", true), ("a|bc", "c", false), ("(a|b)*c", "ababc", true), ("a||b", "", true),
    ("(?:ab)+", "abab", true), ("(?<x>ab)+", "aba", false), ("[a-c]+", "abcb", true),
    ("[^a-c]+", "abc", false), ("[^a-c]+", "xyz", true), ("[]a]+", "]a", true),
    ("[a-]+", "a-", true),
    ("[\\]\\d]+", "]3", true), ("\\d+", "12", true), ("\\D", "1", false), ("\\w+", "é_1", true),
    ("\\s", " ", true), ("\\S\\s\\S", "a b", true), (".", "\n", false), ("(?s).", "\n", true),
    ("(?i)abc", "aBC", true), ("a(?i)b|c", "aB", true), ("(a(?i)b)c", "aBC", false),
    ("(?i:a)b", "AB", false), ("(?i:a)b", "Ab", true), ("(?i)[a-c]", "B", true),
    ("^a$", "a", true), ("a^b", "ab", false), ("\\ba b\\b", "a b", true), ("a\\bb", "ab", false),
    ("\\p{Lu}\\p{Ll}*", "Élan", true), ("\\P{L}", "a", false), ("[[:alpha:]]+", "aé", true),
    ("[[:^alpha:]]", "a", false), ("\\x41\\u0042\\u{43}", "ABC", true), ("\\.\\*", ".*", true),
    ("é", "e\u{301}", true), ("[à-ü]", "e\u{301}", true), (".", "👨‍👩‍👧", true), ("a*?b+?", "aab", true),
    ("(a*)*", "aaa", true), ("(a|b|)*", "ab", true), ("(|a){2,}", "aaaa", true),
    ("\\t", "\t", true),
    ("日.語", "日本語", true), ("[^\\d\\s]", "a", true), ("[^\\d\\s]", "1", false),
  ])
  func wholeStringsMatch(pattern: String, text: String, expected: Bool) throws {
    #expect(try RegularExpression(pattern).matchesWhole(text) == expected)
  }

  @Test(arguments: [
    "(", ")", "a)", "[", "[a", "[b-a]", "*", "a**", "+a", "a{", "a{2", "a{3,2}", "a{1001}", "\\",
    "\\q",
    "(?=a)", "(?<=a)", "(?!a)", "(?>a)", "a*+", "(a)\\1", "\\p{Xx}", "\\u12", "[a[b]]", "(?x)a",
    "[[:nope:]]", "((a{1000}){1000}){1000}", "a{99999999999999999999}",
  ])
  func unsupportedExpressionsThrow(pattern: String) {
    #expect(throws: RegularExpressionError.self) { try RegularExpression(pattern) }
    #expect(throws: RegularExpressionError.self) {
      try RegularExpression(String(repeating: "(", count: 100_000) + pattern)
    }
  }

  @Test func repeatingAnEmptyExpressionAddsNoInstructions() throws {
    #expect(try RegularExpression("(((){1000}){1000}){1000}").matchesWhole(""))
  }

  // A backtracking engine would take longer than the age of the universe.
  @Test func ambiguousExpressionsAreMatchedWithoutBacktracking() throws {
    let text = String(repeating: "a", count: 2_000)
    #expect(try !RegularExpression("(a+)+b").matchesWhole(text))
    #expect(try !RegularExpression("(a|a)*b").matchesWhole(text))
    #expect(try RegularExpression("(a*)*(a*)*(a*)*").matchesWhole(text))
  }

  @Test(arguments: 0..<200)
  func randomExpressionsMatchLikeSlowOnes(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let tree = SlowExpression(&random, depth: 4)
    let expression = try RegularExpression(tree.text)
    for _ in 0..<50 {
      let text = String((0..<random.below(7)).map { _ in random.one(of: ["a", "b"]) as Character })
      let expected = tree.ends(in: Array(text), from: 0).contains(text.count)
      #expect(expression.matchesWhole(text) == expected, "seed \(seed): \(tree.text) on \(text)")
    }
  }
}

/// An expression that is matched by trying every path.
private indirect enum SlowExpression {
  case character(Character)
  case both(SlowExpression, SlowExpression)
  case either(SlowExpression, SlowExpression)
  case repeated(SlowExpression, minimum: Int, maximum: Int?)

  init(_ random: inout SplitMix64, depth: Int) {
    switch depth == 0 ? 0 : random.below(4) {
    case 0: self = .character(random.one(of: ["a", "b", "."]))
    case 1:
      self = .both(.init(&random, depth: depth - 1), .init(&random, depth: depth - 1))
    case 2:
      self = .either(.init(&random, depth: depth - 1), .init(&random, depth: depth - 1))
    default:
      let minimum = random.below(3)
      let maximum = random.below(2) == 0 ? nil : minimum + random.below(3)
      self = .repeated(.init(&random, depth: depth - 1), minimum: minimum, maximum: maximum)
    }
  }

  var text: String {
    switch self {
    case .character(let character): String(character)
    case .both(let first, let second): "(\(first.text))(\(second.text))"
    case .either(let first, let second): "(?:\(first.text)|\(second.text))"
    case .repeated(let part, let minimum, let maximum):
      "(\(part.text)){\(minimum),\(maximum.map(String.init) ?? "")}"
    }
  }

  /// The ends of all matches that begin at `start`.
  func ends(in text: [Character], from start: Int) -> Set<Int> {
    switch self {
    case .character(let character):
      start < text.count && (character == "." || text[start] == character) ? [start + 1] : []
    case .both(let first, let second):
      Set(first.ends(in: text, from: start).flatMap { second.ends(in: text, from: $0) })
    case .either(let first, let second):
      first.ends(in: text, from: start).union(second.ends(in: text, from: start))
    case .repeated(let part, let minimum, let maximum):
      Self.ends(of: part, minimum, maximum, in: text, from: start)
    }
  }

  private static func ends(
    of part: SlowExpression, _ minimum: Int, _ maximum: Int?, in text: [Character], from start: Int
  ) -> Set<Int> {
    var starts: Set<Int> = [start]
    var found: Set<Int> = minimum == 0 ? starts : []
    // After this many rounds, only empty matches are left.
    for round in 1...(minimum + text.count + 1) where round <= maximum ?? .max {
      starts = Set(starts.flatMap { part.ends(in: text, from: $0) })
      if round >= minimum { found.formUnion(starts) }
    }
    return found
  }
}
