import TestSupport
import Testing

@testable import DataTables

/// NDJSON to which lines are appended.
struct JSONGrowthTests {
  private static let rows = 4_000
  /// Over 1 MiB in few rows, because shorter texts are read as a whole.
  private static let start = (0..<rows).map {
    let name = "row \($0 % 977)" + String(repeating: "x", count: 300)
    return "{\"n\": \($0), \"name\": \"\(name)\"}\n"
  }.joined()

  private func load(_ text: String) throws -> LoadedTable {
    try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "log.ndjson")
  }

  private func values(_ column: KeyColumn) -> [Value] {
    switch column {
    case .coded(let codes, let values): (0..<codes.count).map { values[codes[$0]] }
    case .keyed(let column): column.keys.map { column.value(of: $0) }
    }
  }

  @Test(arguments: [1, 2]) func aGrownTableHasTheRowsOfAFreshOne(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var text = Self.start
    var loaded = try load(text)
    for _ in 0..<3 {
      let lines = [
        "{\"n\": 1, \"new\": true}", "[1, 2]", "7", "{broken", "", "{\"n\": 1, \"n\": 2}",
        "{\"name\": \"é\"}", "{\"n\": {\"deep\": [1]}}",
      ]
      for _ in 0...random.below(5) { text += random.one(of: lines) + "\n" }
      let old = loaded.table
      let fresh = try load(text)
      loaded =
        try TableGrowth.read(
          MemoryBytes(Array(text.utf8)), after: loaded, request: ReadRequest(),
          cancellation: Cancellation()) ?? fresh
      let table = loaded.table
      #expect(table.count == fresh.table.count)
      #expect(table.keys == fresh.table.keys)
      #expect(table.hasOtherRows == fresh.table.hasOtherRows)
      let rows = Array(Self.rows - 20..<table.count) + [0, 17, Self.rows / 2]
      #expect(try table.objects(at: rows) == fresh.table.objects(at: rows))
      // Each counts the lines before it.
      for row in [Self.rows / 2, table.count - 1] {
        #expect(try table.line(of: row) == fresh.table.line(of: row))
      }
      #expect(loaded.report.rejected == fresh.report.rejected)
      #expect(loaded.report.rejects.map(\.line) == fresh.report.rejects.map(\.line))
      for key in ["n", "name"] {
        let path = ObjectKeyPath(key: key)
        let columns = try [table, fresh.table].map {
          try $0.column(path, cancellation: Cancellation())
        }
        #expect(columns[0].type == columns[1].type)
        #expect(values(columns[0]).suffix(50) == values(columns[1]).suffix(50))
      }
      if let shared = table.rowsShared(with: old) { #expect(shared == old.count) }
    }
  }

  @Test func aLineThatContinuesIsOneRow() throws {
    let text = Self.start + "{\"n\": 5, \"na"
    let loaded = try load(text)
    let longer = text + "me\": \"x\"}\n{\"n\": 6}\n"
    let grown = try #require(
      try TableGrowth.read(
        MemoryBytes(Array(longer.utf8)), after: loaded, request: ReadRequest(),
        cancellation: Cancellation()))
    #expect(grown.table.count == Self.rows + 2)
    #expect(grown.report.rejected == 0)
    let last = try grown.table.objects(at: [Self.rows, Self.rows + 1])
    #expect(last.map(\.json) == [#"{"n":5,"name":"x"}"#, #"{"n":6}"#])
  }
}
