import Foundation
import TestSupport
import Testing

@testable import DataTables

/// Patterns that compare characters one by one, without any preparation.
private struct SlowPattern {
  let pattern: String
  let kind: ComparisonOperator.Kind
  let options: ComparisonOperator.Options

  func matches(_ text: String) throws -> Bool {
    let text = options.fold(text)
    let part = options.fold(pattern)
    switch kind {
    case .equal: return text == part
    case .beginsWith: return Array(text).starts(with: Array(part))
    case .endsWith: return Array(text).reversed().starts(with: Array(part).reversed())
    case .contains:
      let (all, part) = (Array(text), Array(part))
      return (0...all.count).contains { all[$0...].starts(with: part) }
    case .like: return isLike(Array(text)[...], Array(part)[...])
    default:
      guard case .expression(let expression) = try TextPattern(pattern, kind, options).form else {
        return false
      }
      return expression.matchesWhole(text)
    }
  }

  private func isLike(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>) -> Bool {
    switch pattern.first {
    case nil: return text.isEmpty
    case "*":
      return isLike(text, pattern.dropFirst())
        || !text.isEmpty && isLike(text.dropFirst(), pattern)
    case "?": return !text.isEmpty && isLike(text.dropFirst(), pattern.dropFirst())
    case "\\" where pattern.count > 1:
      let pattern = pattern.dropFirst()
      return text.first == pattern.first && isLike(text.dropFirst(), pattern.dropFirst())
    default: return text.first == pattern.first && isLike(text.dropFirst(), pattern.dropFirst())
    }
  }
}

private struct RandomTexts {
  var random: SplitMix64

  private static let pieces = [
    "a", "b", "A", "B", "ab", " ", "\n", "\r", "\r\n", "é", "e", "\u{301}", "E\u{301}", "É", "K",
    "\u{212A}", "k", ";", "\u{37E}", "한", "\u{1112}\u{1161}\u{11AB}", "\u{1112}", "🇫", "🇷", "🇫🇷",
    "👍", "🏽", "\u{200D}", "✓", "日", "本", "ß", "ẞ", "İ", "i", "\u{308}", "0", "9", "#", "_", "ö",
    "ά", "\u{AD}", "\u{0}", "ক", "\u{9CD}", "ſ",
  ]

  mutating func text(_ length: Int, plain: Bool) -> String {
    let count = plain ? 12 : Self.pieces.count
    return (0..<length).map { _ in Self.pieces[random.below(count)] }.joined()
  }

  mutating func texts() -> [String?] {
    let plain = random.below(3) == 0
    let count = [1, 3, 64, 130, 400][random.below(5)]
    let shared = random.below(4) == 0
    return (0..<count).map { _ in
      if shared { return text(1, plain: true) }
      if random.below(12) == 0 { return nil }
      return text(random.below(random.below(8) == 0 ? 80 : 8), plain: plain)
    }
  }

  mutating func pattern(_ kind: ComparisonOperator.Kind, like texts: [String?]) -> String {
    var pattern = text(random.below(4), plain: random.below(2) == 0)
    if random.below(2) == 0, let text = random.one(of: texts) {
      let characters = Array(text)
      let start = random.below(characters.count + 1)
      let end = start + random.below(characters.count - start + 1)
      pattern = String(characters[start..<end])
      if random.below(4) == 0 { pattern = pattern.decomposedStringWithCanonicalMapping }
    }
    switch kind {
    case .like:
      let marks = ["", "", "*", "?", "\\", "**"]
      return random.one(of: marks)
        + pattern.map { String($0) + random.one(of: marks) }.joined()
    case .matches: return expression(depth: 3)
    default: return pattern
    }
  }

  private mutating func expression(depth: Int) -> String {
    switch depth == 0 ? 0 : random.below(8) {
    case 0, 1:
      return random.one(of: [
        "a", "b", "A", "e", "é", "k", "\\u212A", "日", "한", ".", "\\w", "\\W", "\\d", "\\s", "\\S",
        "[ab#]", "[^a]", "[à-ü]", "\\p{Lu}", "\\n", "\\r", "✓", "(?s).", "(?i)b", "#9", "[a-z]",
      ])
    case 2: return random.one(of: ["^", "$", "\\b", "\\B"])
    case 3, 4: return expression(depth: depth - 1) + expression(depth: depth - 1)
    case 5: return "(?:\(expression(depth: depth - 1))|\(expression(depth: depth - 1)))"
    default:
      return "(?:\(expression(depth: depth - 1)))"
        + random.one(of: ["*", "+", "?", "{2}", "{1,3}", "*?"])
    }
  }
}

struct TextPatternTests {
  private static let kinds: [ComparisonOperator.Kind] = [
    .equal, .beginsWith, .endsWith, .contains, .like, .matches,
  ]

  private func heap(_ texts: [String?], _ random: inout SplitMix64) throws -> TextHeap {
    var blocks: [TextBlock] = []
    let writer = TextWriter()
    for text in texts {
      if let text { writer.append(text) } else { writer.appendNull() }
      if random.below(50) == 0 { blocks += try writer.finish() }
    }
    return TextHeap(blocks + (try writer.finish()))
  }

  /// Compares the texts in a heap, and each by itself, with a slow search.
  private func check(
    _ texts: [String?], _ slow: SlowPattern, _ random: inout SplitMix64, _ note: String
  ) throws {
    let pattern = try TextPattern(slow.pattern, slow.kind, slow.options)
    let heap = try heap(texts, &random)
    let few = (0..<texts.count).filter { _ in random.below(40) == 0 }
    let cancellation = Cancellation()
    let all = try heap.mask(
      of: pattern, among: RowMask(all: texts.count), cancellation: cancellation)
    let some = try heap.mask(
      of: pattern, among: RowMask(few, of: texts.count), cancellation: cancellation)
    var matcher = TextMatcher(pattern)
    for (number, text) in texts.enumerated() {
      let expected = try text.map { try slow.matches($0) } ?? false
      let place = "\(note), \(number): \(slow) on \(text.map { Array($0.unicodeScalars) } ?? [])"
      #expect(all.contains(number) == expected, "\(place)")
      if few.contains(number) { #expect(some.contains(number) == expected, "\(place)") }
      if let text {
        let isMatch = matcher.matches(text)
        #expect(isMatch == expected, "\(place)")
        #expect(pattern.matches(text) == expected, "\(place)")
      }
    }
  }

  @Test(arguments: 0..<120)
  func heapsAreSearchedAsCharactersAre(seed: Int) throws {
    var random = RandomTexts(random: SplitMix64(seed: UInt64(seed)))
    let texts = random.texts()
    for _ in 0..<12 {
      let kind = random.random.one(of: Self.kinds)
      let options = ComparisonOperator.Options(
        rawValue: random.random.below(2) * random.random.below(8))
      let pattern = random.pattern(kind, like: texts)
      let slow = SlowPattern(pattern: pattern, kind: kind, options: options)
      guard (try? TextPattern(pattern, kind, options)) != nil else { continue }
      try check(texts, slow, &random.random, "seed \(seed)")
    }
  }

  @Test(arguments: kinds)
  func largeTextsAreSearched(kind: ComparisonOperator.Kind) throws {
    var random = SplitMix64(seed: 1)
    let middle = String(repeating: "ab", count: 500_000)
    let texts = [middle + "#9", "é" + middle + "x#9\u{301}", middle, nil, "", "#9", "b#9"]
    let pattern = kind == .matches || kind == .like ? "*b#9" : "b#9"
    let slow = SlowPattern(
      pattern: kind == .matches ? "." + pattern : pattern, kind: kind, options: [])
    let prepared = try TextPattern(slow.pattern, kind, [])
    let heap = try heap(texts, &random)
    let found = try heap.mask(
      of: prepared, among: RowMask(all: texts.count), cancellation: Cancellation())
    let suffixes: [String] = kind == .equal || kind == .beginsWith ? [] : [middle + "#9"]
    let expected = texts.map { $0 == "b#9" || suffixes.contains($0 ?? "") }
    #expect(found.flags == expected.map { $0 ? 1 : 0 })
  }

  // With one star after the other, trying every length for each would take forever.
  @Test func manyStarsAreMatchedWithoutBacktracking() throws {
    let text = String(repeating: "a", count: 20_000)
    let stars = String(repeating: "*a", count: 200)
    let patterns = [(stars + "*b", false), (stars + "*", true), (stars + "?*b?", false)]
    for (pattern, expected) in patterns {
      var matcher = TextMatcher(try TextPattern(pattern, .like, []))
      let isMatch = matcher.matches(text)
      #expect(isMatch == expected)
      let isLongerMatch = matcher.matches(text + "é\u{301}")
      #expect(isLongerMatch == (expected && pattern.hasSuffix("*")))
    }
  }
}
