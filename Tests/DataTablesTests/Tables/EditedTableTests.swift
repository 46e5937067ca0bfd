import DataTables
import TestSupport
import Testing

@Suite struct EditedTableTests {
  static let csv = "name,n,r\nb,1,1.50\na,2,2.5\nc,3,1.5\nb,4,\n"

  static func bases() throws -> [any Table] {
    let loaded = try FormatTable.core.read(MemoryBytes(Array(csv.utf8)), named: "a.csv").table
    return [loaded, ValueTable(try loaded.objects(at: Array(0..<loaded.count)))]
  }

  /// Rows, columns, sorts and sections after random edits equal those after the same edits of an
  /// array.
  @Test func anEditedTableEqualsATableOfItsRows() throws {
    for seed in 1...UInt64(300) {
      var random = SplitMix64(seed: seed)
      for base in try Self.bases() {
        var rows = try base.objects(at: Array(0..<base.count))
        var table = base
        for _ in 0..<1 + random.below(5) {
          let start = random.below(rows.count + 1)
          let range = start..<start + random.below(min(3, rows.count - start + 1))
          let objects = (0..<random.below(3)).map { _ in Self.object(&random) }
          rows.replaceSubrange(range, with: objects)
          table = EditedTable.replacing(range, of: table, with: objects)
        }
        try Self.check(table, is: rows, seed: seed)
      }
    }
  }

  private static func object(_ random: inout SplitMix64) -> Value {
    let names: [Value] = ["a", "b", "zed", "e\u{301}", nil, 7]
    let reals: [Value] = [Value(literal: "1.5"), Value(literal: "1.50"), 3, nil, "x"]
    return [
      "name": random.one(of: names), "n": .integer(random.below(5)), "r": random.one(of: reals),
    ]
  }

  private static func check(_ table: any Table, is rows: [Value], seed: UInt64) throws {
    let plain = ValueTable(rows)
    let all = Array(0..<table.count)
    #expect(try table.objects(at: all) == rows, "seed \(seed)")
    #expect(
      try table.objects(at: all.reversed()) == Array(rows.reversed()), "seed \(seed)")
    let cancellation = Cancellation()
    for key in ["name", "n", "r"] {
      let path = ObjectKeyPath(key: key)
      let sort = [SortDescriptor(path)]
      let order = try table.sorted(
        .natural(table.count), by: sort, cancellation: cancellation)
      let expected = try plain.sorted(
        .natural(plain.count), by: sort, cancellation: cancellation)
      #expect(
        (0..<order.count).map { order[$0] } == (0..<expected.count).map { expected[$0] },
        "seed \(seed) \(key)")
      let runs = try table.runs(of: path, in: order)
      let expectedRuns = try plain.runs(of: path, in: expected)
      #expect(runs.offsets == expectedRuns.offsets, "seed \(seed) \(key)")
      #expect(runs.titles.map(\.json) == expectedRuns.titles.map(\.json), "seed \(seed) \(key)")
    }
  }

  @Test func aKeyThatOnlyAnEditHasIsNullElsewhere() throws {
    let base = ValueTable([["a": 1]])
    let table = EditedTable.replacing(1..<1, of: base, with: [["b": 2]])
    #expect(table.keys == ["a", "b"])
    let cut = try table.runs(of: ObjectKeyPath(key: "b"), in: .natural(2))
    #expect(cut.titles == [nil, 2])
    #expect(throws: TableError.self) {
      try table.runs(of: ObjectKeyPath(key: "c"), in: .natural(2))
    }
  }

  @Test func aKeyThatNoAddedObjectHasIsUnknownOverAnEmptyBase() throws {
    let table = EditedTable.replacing(0..<0, of: ValueTable([]), with: [["name": "a"]])
    #expect(throws: TableError.self) {
      try table.column(ObjectKeyPath(key: "nmae"), cancellation: Cancellation())
    }
    #expect(try table.column(ObjectKeyPath(key: "name"), cancellation: Cancellation()).count == 1)
    let header = try FormatTable.core.read(MemoryBytes(Array("a,b\n".utf8)), named: "a.csv").table
    let filled = EditedTable.replacing(0..<0, of: header, with: [["a": 1]])
    #expect(try filled.column(ObjectKeyPath(key: "b"), cancellation: Cancellation()).count == 1)
    #expect(throws: TableError.self) {
      try filled.column(ObjectKeyPath(key: "c"), cancellation: Cancellation())
    }
    let emptied = EditedTable.replacing(0..<1, of: table, with: [])
    let key = ObjectKeyPath(key: "nmae")
    #expect(try emptied.column(key, cancellation: Cancellation()).count == 0)
  }

  @Test func aKeyOfARemovedObjectRemainsKnown() throws {
    let base = ValueTable([["a": 1], ["a": 2, "b": 3]])
    let table = EditedTable.replacing(1..<2, of: base, with: [])
    let cut = try table.runs(of: ObjectKeyPath(key: "b"), in: .natural(1))
    #expect(cut.titles == [nil])
  }

  @Test func objectsThatAreNotRecordsAreReportedWhileTheyAreRows() {
    let records = ValueTable([["a": 1]])
    let mixed = EditedTable.replacing(1..<1, of: records, with: [5])
    #expect(!EditedTable.replacing(0..<0, of: records, with: [["a": 2]]).hasOtherRows)
    #expect(mixed.hasOtherRows)
    #expect(!EditedTable.replacing(1..<2, of: mixed, with: []).hasOtherRows)
    #expect(EditedTable.replacing(0..<0, of: ValueTable(["x"]), with: [["a": 2]]).hasOtherRows)
  }

  /// Rows that both sides share are not compared; the others are.
  @Test(arguments: [nil, ObjectKeyPath(key: "n")])
  func editsOfOneTableAreCompared(id: ObjectKeyPath?) throws {
    for base in try Self.bases() {
      let old = EditedTable.replacing(
        0..<1, of: base, with: [["name": "x", "n": 9, "r": nil]])
      let new = EditedTable.replacing(1..<2, of: old, with: [["name": "a!", "n": 2, "r": 2]])
      func rows(_ table: any Table) -> SectionedTable {
        SectionedTable(
          table: table, order: .natural(table.count), sections: .whole(table.count))
      }
      let expected: [Change] =
        id == nil
        ? [.delete(at(0, 1)), .insert(at(0, 1))] : [.update(from: at(0, 1), to: at(0, 1))]
      #expect(try rows(old).changes(to: rows(new), id: id) == expected)
      #expect(try rows(new).changes(to: rows(new), id: id) == [])
      #expect(try rows(base).changes(to: rows(old), id: id).count == 2)
    }
  }
}
