import TestSupport
import Testing

@testable import DataTables

/// Compares sections of rows that a sort returned with sections of the same order found row by row.
struct SortedRowsTests {
  private let paths = ["x", "x.firstCharacter", "x.length", "y", "y.firstCharacter"]

  private func check(_ table: any Table, _ random: inout SplitMix64, _ comment: Comment) throws {
    let descriptors = ["x", "y"].prefix(1 + random.below(2)).map { key in
      SortDescriptor(
        ObjectKeyPath(key: key), direction: random.one(of: SortDescriptor.Direction.allCases),
        comparison: random.one(of: [.compare, .compare, .caseInsensitive, .numeric]),
        nulls: random.one(of: [nil, .first, .last]))
    }
    let rows = try table.sortedRows(.natural(table.count), by: descriptors)
    for path in paths {
      let path = try ObjectKeyPath(parsing: path)
      // Not all values have all keys.
      guard let plain = try? table.runs(of: path, in: rows.order) else { continue }
      let known = try table.runs(of: path, in: rows)
      #expect(known.offsets == plain.offsets, "\(comment) \(descriptors) \(path)")
      #expect(known.titles == plain.titles, "\(comment) \(descriptors) \(path)")
      #expect(known.repeated == plain.repeated, "\(comment) \(descriptors) \(path)")
    }
  }

  @Test(arguments: 0..<40)
  func sectionsOfSharedValuesEqualThoseFoundRowByRow(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let pool: [Value] = [
      nil, "", "a", "A", "ab", "é", "e\u{301}", "b10", "b9", "B", "zz", 1, 2, "1.5", "1.50",
    ]
    let shared = (0...random.below(12)).map { _ in random.one(of: pool) }
    let rows = (0..<[1, 40, 1_500][random.below(3)]).map { _ in
      Value.record(Record([("x", random.one(of: shared)), ("y", random.one(of: shared))]))
    }
    try check(ValueTable(rows), &random, "seed \(seed)")
  }

  @Test(arguments: 0..<12)
  func sectionsOfTextsEqualThoseFoundRowByRow(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    // The first byte does not determine the first character if the character has several bytes, or
    // is a carriage return and a line feed.
    let heads =
      ["a", "b", "Z", "0", "~", " "] + (seed % 3 == 0 ? ["\r", "\r\n", "\n"] : [])
      + (seed % 4 == 1 ? ["é", "e\u{301}"] : [])
    var text = "x,y\n"
    for row in 0..<12_000 {
      let cell = random.one(of: heads) + String(random.next(), radix: 36)
      let isOdd = random.below(400)
      text += isOdd == 0 ? "," : isOdd == 1 ? "\"\"," : "\"\(cell)\","
      text += "\(row % 7)\n"
    }
    let loaded = try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "x.csv")
    let path = ObjectKeyPath(key: "x")
    guard case .coded(.natural, _) = try loaded.table.column(path, cancellation: Cancellation())
    else {
      return #expect(Bool(false), "expected a column with one text per row")
    }
    for _ in 0..<4 { try check(loaded.table, &random, "seed \(seed)") }
  }
}
