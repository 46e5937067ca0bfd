import TestSupport
import Testing

@testable import DataTables

/// Keys whose bytes order as a sort orders the strings.
@Suite struct TextOrderKeyTests {
  private static let pieces = [
    "a", "A", "á", "a\u{301}", "b", "Z", "z", "ß", "ss", "1", "01", "10", "9", " ", "-", ".", "日",
    "é",
    "E\u{301}", "\u{301}", "👍🏽", "i", "İ", "ı", "\u{0}", "x\r\n", "00", "1e3", "_",
  ]

  @Test(arguments: SortDescriptor.Comparison.allCases)
  func theBytesHaveTheOrderOfTheSort(comparison: SortDescriptor.Comparison) throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix64(seed: seed)
    let key = try TextOrderKey(comparison)
    for _ in 0..<20 {
      let texts = (0..<200).map { _ in
        (0..<random.below(5)).map { _ in random.one(of: Self.pieces) }.joined()
      }
      let table = ValueTable(texts.map { .record(Record([("text", .string($0))])) })
      let order = try table.sorted(
        .natural(texts.count),
        by: [SortDescriptor(ObjectKeyPath(key: "text"), comparison: comparison)])
      let keys = texts.map { key.bytes(of: $0) }
      let expected = texts.indices.sorted { left, right in
        keys[left] == keys[right] ? left < right : keys[left].lexicographicallyPrecedes(keys[right])
      }
      #expect((0..<order.count).map { order[$0] } == expected, "\(comparison), seed \(seed)")
    }
  }
}
