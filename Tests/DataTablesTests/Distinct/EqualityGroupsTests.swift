import TestSupport
import Testing

@testable import DataTables

/// Equal values by hashing, against a dictionary.
struct EqualityGroupsTests {
  private static let words = ["", "a", "b", "é", "e\u{301}", "Å", "\u{212B}", "A\u{30A}", "日本"]

  private static func heap(_ strings: [String?], _ random: inout SplitMix64) throws -> TextHeap {
    var blocks: [TextBlock] = []
    var writer = TextWriter()
    for string in strings {
      if random.below(4_000) == 0 {
        blocks += try writer.finish()
        writer = TextWriter()
      }
      if let string { writer.append(string) } else { writer.appendNull() }
    }
    return TextHeap(blocks + (try writer.finish()))
  }

  /// - Parameter kinds: the number of different texts, or so.
  @Test(arguments: 0..<12, [1, 40, 3_000, 1 << 30])
  func equalTextsHaveTheFirstCode(seed: Int, kinds: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let count = seed < 2 ? 160_000 : random.below(3_000)
    let strings = (0..<count).map { _ -> String? in
      if seed.isMultiple(of: 3), random.below(9) == 0 { return nil }
      let number = random.below(kinds)
      return seed.isMultiple(of: 2)
        ? "\(number)" : random.one(of: Self.words) + "\(number)" + random.one(of: Self.words)
    }
    var first: [String?: UInt32] = [:]
    let expected = strings.enumerated().map { code, string in
      let known = first[string] ?? UInt32(code)
      first[string] = known
      return known
    }
    let values = DistinctValues(try Self.heap(strings, &random))
    let groups = try EqualityGroups(values)
    if let codes = groups.firstCodes {
      #expect(codes == expected)
    } else {
      #expect(first.count == count)
    }
    let found = try Self.heap(strings, &random).firstEqualTexts(cancellation: Cancellation())
    #expect(found == nil ? count > 1 << 16 : found == expected)
  }

  @Test func textsThatAreKnownToDifferAreComparedIfTheyCanBeEquivalent() throws {
    func groups(_ strings: [String?]) throws -> [UInt32]? {
      var random = SplitMix64(seed: 1)
      let heap = TextHeap(try Self.heap(strings, &random).blocks, areDifferent: true)
      return try EqualityGroups(DistinctValues(heap)).firstCodes
    }
    #expect(try groups([nil, "a", "b", "é"]) == nil)
    #expect(try groups([nil, "é", "b", "e\u{301}"]) == [0, 1, 2, 1])
    #expect(try groups([nil, "a", nil]) == [0, 1, 0])
  }

  @Test func aCancellationEndsTheSearch() throws {
    var random = SplitMix64(seed: 1)
    let heap = try Self.heap(Array(repeating: "a", count: 100), &random)
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(throws: TableError.cancelled) {
      try heap.firstEqualTexts(cancellation: cancellation)
    }
  }
}
