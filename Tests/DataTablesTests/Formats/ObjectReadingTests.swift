import TestSupport
import Testing

@testable import DataTables

/// Single objects are read in any order.
struct ObjectReadingTests {
  private static func record(_ row: Int, _ random: inout SplitMix64) -> Value {
    // Some rows are longer than a window.
    let length = random.below(40) == 0 ? random.below(40_000) : random.below(30)
    return [
      "id": .integer(row), "text": .string(String(repeating: "é\n\"", count: length)),
    ]
  }

  private static func text(_ records: [Value], as format: String) -> [UInt8] {
    let texts = records.map { record -> String in
      guard case .record(let record) = record else { return "" }
      guard format == "csv" else { return Value.record(record).json }
      return record.values.map { value in
        guard case .string(let text) = value else { return value.json }
        return "\""
          + text.split(separator: "\"", omittingEmptySubsequences: false)
          .joined(separator: "\"\"") + "\""
      }.joined(separator: ",")
    }
    let text =
      switch format {
      case "csv": "id,text\n" + texts.joined(separator: "\n")
      case "json": "[" + texts.joined(separator: ",\n") + "]"
      default: texts.joined(separator: "\n")
      }
    return Array(text.utf8)
  }

  @Test(arguments: ["csv", "json", "ndjson"])
  func objectsAreTheSameInAnyOrder(format: String) throws {
    for seed in 1...UInt64(8) {
      var random = SplitMix64(seed: seed)
      let records = (0..<1 + random.below(200)).map { Self.record($0, &random) }
      let bytes = Self.text(records, as: format)
      let table = try FormatTable.core.read(MemoryBytes(bytes), named: "t.\(format)").table
      #expect(table.count == records.count, "seed \(seed)")
      var row = 0
      for _ in 0..<300 {
        row = random.below(3) == 0 ? random.below(records.count) : (row + 1) % records.count
        #expect(try table.object(at: row) == records[row], "seed \(seed), row \(row)")
      }
      let rows = (0..<50).map { _ in random.below(records.count) }
      #expect(try table.objects(at: rows) == rows.map { records[$0] }, "seed \(seed)")
    }
  }

  @Test func anObjectIsReadAgainAfterAColumnTypeChanges() throws {
    // The last row is after the sample, in a text too large for exact types.
    let rows = ScanSizes().exact / 8
    let text = "id,n\n" + (0..<rows).map { "\($0),1\n" }.joined() + "x,y\n"
    let table = try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "t.csv").table
    let key = ObjectKeyPath(key: "n")
    #expect(key.evaluate(on: try table.object(at: 7)) == 1)
    _ = try table.column(key, cancellation: Cancellation())
    #expect(table.typeChanges.map(\.key) == ["n"])
    #expect(key.evaluate(on: try table.object(at: 7)) == "1")
  }

  @Test func recentObjectsAreFoundByRowAndVersion() {
    let recent = RecentObjects(keys: 3)
    #expect(recent.object(at: 5, version: 0) == nil)
    recent.keep("a", at: 5, version: 0, bytes: 10)
    recent.keep("large", at: 6, version: 0, bytes: 1 << 20)
    #expect(recent.object(at: 5, version: 0) == "a")
    #expect(recent.object(at: 5, version: 1) == nil)
    #expect(recent.object(at: 6, version: 0) == nil)
    // In the same slot.
    recent.keep("b", at: 5 + (1 << 20), version: 0, bytes: 10)
    #expect(recent.object(at: 5, version: 0) == nil)
    #expect(recent.object(at: 5 + (1 << 20), version: 0) == "b")
  }
}
