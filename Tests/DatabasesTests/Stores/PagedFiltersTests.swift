import DataSources
import DataTables
import TestSupport
import Testing

@testable import Databases

/// Filters over filters of sections whose titles are read in pages.
@Suite struct PagedFiltersTests {
  @Test func eachFilterKeepsTheConditionsOfThoseBelow() async throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix64(seed: seed)
    let rows = (1...100).map { id -> [Value] in
      [.integer(id), .integer(random.below(30)), .string("x\(random.below(9))")]
    }
    try await TestRows.withStore(rows) { whole in
      let expected = try await whole.answered(TestRows.sections(by: "a"))
      let found = try await TestRows.withPagedTitles(of: 3) {
        try await whole.answered(TestRows.sections(by: "a"))
      }
      for _ in 0..<20 {
        var (first, second) = (expected, found)
        var filters = ""
        for _ in 0..<3 {
          let filter = try TestRows.filter(
            random.below(2) == 0 ? "id" : "a", below: 10 + random.below(90),
            showsEmpty: random.below(3) > 0)
          filters += " \(filter)"
          let other = try await first.answer(filter, .init())
          let answer = try await TestRows.withPagedTitles(of: 3) {
            try await second.answer(filter, .init())
          }
          #expect(answer.keptSections == other.keptSections, "seed \(seed),\(filters)")
          first = try #require(other.store as? TableStore)
          second = try #require(answer.store as? TableStore)
          #expect(second.counts == first.counts, "seed \(seed),\(filters)")
          #expect(
            try await second.allTitles() == first.allTitles(), "seed \(seed),\(filters)")
          #expect(
            try await second.sectionObjects() == first.sectionObjects(), "seed \(seed),\(filters)")
        }
      }
    }
  }
}
