import DataTables
import Testing

@testable import Databases

/// The texts of rows and facts in a cache.
@Suite struct CachedRowsTests {
  @Test func equalFactsHaveOneText() {
    var facts = ColumnFacts.ordered(Set(ValueType.allCases), hasNulls: false)
    facts.dateForm = "0000-00-00"
    facts.variants = .zeros
    let text = CachedRows.text(of: facts)
    // A set has another order in each process.
    #expect(text.contains(#""types":[0,1,2,3,4,5,6,7]"#))
    #expect(CachedRows.facts(text) == facts)
    #expect(CachedRows.facts("{}") == nil)
  }

  @Test func rowsComeBackEqual() {
    let rows: [[Value]] = [
      [.null, .bool(true), .integer(-1), .string("[\"real\", \"1.5\"]")],
      [Value(literal: "1.5"), Value(literal: "2024-01-31")],
      [.data([0, 255]), .array([.integer(1)])],
    ]
    #expect(CachedRows.rows(CachedRows.text(of: rows)) == rows)
    #expect(CachedRows.rows("[[[\"real\", \"x\"]]]") == nil)
  }
}
