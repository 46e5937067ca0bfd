import Foundation
import TestSupport
import Testing

@testable import DataTables

/// Compares the order of texts as bytes with that of strings.
struct TextOrderTests {
  private static let stems = [
    "", "a", "aa", "common prefix of many texts/", "common prefix of many texts/and more/", "\0",
  ]

  private static let tails = [
    "0", "1", "9", "a", "f", "é", "e\u{301}", "\u{301}", "\0", "か", "が", "か\u{3099}", "中", "🍰",
    "\u{212B}", "Å", "\u{387}", "·", "Ж", "가", "\u{1100}\u{1161}", "\u{2002}", "\u{FE0F}", "ｱ",
  ]

  /// Composed by Foundation, because Swift's own order of strings with combining marks is
  /// inconsistent.
  private func scalars(_ string: String?) -> [Unicode.Scalar] {
    Array((string ?? "").precomposedStringWithCanonicalMapping.unicodeScalars)
  }

  private func texts(_ random: inout SplitMix64) -> [String?] {
    let stems = Bool.random(using: &random) ? Self.stems : [random.one(of: Self.stems)]
    let tails = Bool.random(using: &random) ? Self.tails : Array(Self.tails.prefix(5))
    let count = [0, 1, 30, 400, 5_000][random.below(5)]
    return (0..<count).map { _ in
      if random.below(40) == 0 { return nil }
      let length = random.below(12)
      return random.one(of: stems) + (0..<length).map { _ in random.one(of: tails) }.joined()
    }
  }

  private func heap(_ strings: [String?], _ random: inout SplitMix64) throws -> TextHeap {
    var blocks: [TextBlock] = []
    var writer = TextWriter()
    for string in strings {
      if let string { writer.append(string) } else { writer.appendNull() }
      if random.below(300) == 0 {
        blocks += try writer.finish()
        writer = TextWriter()
      }
    }
    return TextHeap(blocks + (try writer.finish()))
  }

  @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6])
  func textsHaveTheOrderOfTheirStrings(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<12 {
      let strings = texts(&random)
      let order = try heap(strings, &random).sorted(cancellation: Cancellation())
      let expected = strings.indices.filter { strings[$0] != nil }.sorted {
        let (left, right) = (scalars(strings[$0]), scalars(strings[$1]))
        return left == right ? $0 < $1 : left.lexicographicallyPrecedes(right)
      }
      let found = order.codes.map { Int($0) }
      let wrong = zip(found, expected).first { $0 != $1 }
      #expect(
        found == expected,
        "seed \(seed), round \(round): \(wrong.map { (strings[$0], strings[$1]) } as Any)")
      let repeats = expected.indices.dropFirst().filter {
        strings[expected[$0 - 1]] == strings[expected[$0]]
      }
      #expect(order.repeats == Array(repeats), "seed \(seed), round \(round)")
    }
  }

  @Test func bytesOfSurelyCanonicalTextsAreEqualOnlyIfTheStringsAre() {
    // Such a scalar must not be reordered, and must not be equivalent to another one.
    let sure = (0..<UInt32(0x11_0000)).compactMap { Unicode.Scalar($0) }.filter { scalar in
      Array(String(scalar).utf8).withUnsafeBytes { $0.isSurelyCanonical }
    }
    #expect(sure.count > 40_000)
    for scalar in sure {
      #expect(scalar.properties.canonicalCombiningClass == .notReordered, "\(scalar)")
      let bytes = Array(String(scalar).utf8)
      #expect(bytes.withUnsafeBytes { CanonicalForm.bytes(of: $0) } == bytes, "\(scalar)")
    }
    for common in "€→≠✓★•™½ⅷ" {
      #expect(sure.contains { Character($0) == common }, "\(common)")
    }
    var strings: [String: Unicode.Scalar] = [:]
    for scalar in sure { strings[String(scalar)] = scalar }
    #expect(strings.count == sure.count)
  }

  @Test(arguments: [UInt64(7), 8])
  func theFirstCharacterEqualsThatOfTheString(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let pieces = [
      "a", "B", "7", "\r", "\n", "e", "\u{301}", "é", "👨‍👩‍👧", "\u{200D}", "🇸", "🇪", "한", "\u{1100}",
      "\u{1161}", "\u{FE0F}", "क", "\u{94D}", "ष", " ", "\0", "\u{7F}",
    ]
    let strings = (0..<20_000).map { _ in
      (0..<random.below(5)).map { _ in random.one(of: pieces) }.joined()
    }
    let texts = try heap(strings + [nil], &random)
    let column = try texts.deriving([.key("firstCharacter")], cancellation: Cancellation())
    guard case .coded(let codes, let values) = column else { return #expect(Bool(false)) }
    #expect(codes.count == strings.count + 1)
    for (row, string) in strings.enumerated() {
      let expected: Value = string.first.map { .string(String($0)) } ?? nil
      #expect(values[codes[row]] == expected, "seed \(seed): \(string.debugDescription)")
    }
    #expect(values[codes[strings.count]].isNull)
  }

  @Test(arguments: ["uppercased", "length", "initials", "folded", "trimmed.uppercased"])
  func otherDerivedKeysEqualThoseOfTheStrings(path: String) throws {
    var random = SplitMix64(seed: 11)
    let strings = (0..<6_000).map { "Item \(random.next() % 5_000) \($0 % 7 == 0 ? "É" : "e")" }
    let steps = try ObjectKeyPath(parsing: path).steps
    let texts = try heap(strings + [nil], &random)
    let column = try texts.deriving(steps[...], cancellation: Cancellation())
    guard case .coded(let codes, let values) = column else { return #expect(Bool(false)) }
    for (row, string) in (strings + [nil]).enumerated() {
      let value: Value = string.map { .string($0) } ?? nil
      #expect(values[codes[row]] == ObjectKeyPath.evaluate(steps[...], on: value))
    }
  }
}
