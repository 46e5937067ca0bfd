import Foundation
import Testing

@testable import DataTables

/// Compares `localizedStandard` with Foundation's comparison, where the latter is consistent.
struct FoundationOrderTests {
  private let english = Locale(identifier: "en")

  private func foundation(_ left: String, _ right: String) -> Ordering? {
    let options: String.CompareOptions = [
      .caseInsensitive, .numeric, .widthInsensitive, .forcedOrdering,
    ]
    let there = left.compare(right, options: options, range: nil, locale: english)
    let back = right.compare(left, options: options, range: nil, locale: english)
    guard there.rawValue == -back.rawValue else { return nil }
    return Ordering(rawValue: there.rawValue)
  }

  @Test func asciiStringsHaveTheOrderOfFoundation() throws {
    let seed: UInt64 = 0x15
    var samples = SampleTexts(seed: seed)
    let pairs = (0..<20_000).map { _ in samples.pair("ascii") }
    let differing = try differences(pairs)
    #expect(differing.isEmpty, "seed \(seed): \(differing.prefix(10))")
  }

  @Test func otherStringsHaveTheOrderOfFoundationExceptForOneInAThousand() throws {
    let seed: UInt64 = 0x1C0
    var samples = SampleTexts(seed: seed)
    let pairs = (0..<120_000).map { index in
      samples.pair(SampleTexts.names[index % SampleTexts.names.count])
    }
    let differing = try differences(pairs)
    #expect(
      differing.count * 1_000 < pairs.count,
      "seed \(seed): \(differing.count) of \(pairs.count): \(differing.prefix(20))")
  }

  private func differences(_ pairs: [(String, String)]) throws -> [String] {
    let writer = TextWriter()
    for (left, right) in pairs {
      writer.append(left)
      writer.append(right)
    }
    let texts = TextHeap(try writer.finish())
    let order = try Collation(.localizedStandard).order(of: texts, cancellation: Cancellation())
    let ranks = order.ranks(of: texts.count).ranks
    return pairs.enumerated().compactMap { index, pair in
      let ours = Ordering(ranks[index * 2], ranks[index * 2 + 1])
      guard let theirs = foundation(pair.0, pair.1), theirs != ours else { return nil }
      return "\(pair.0.debugDescription) \(ours) \(pair.1.debugDescription), Foundation \(theirs)"
    }
  }
}
