import TestSupport
import Testing

@testable import DataTables

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
        var edits = Edits(base)
        for _ in 0..<1 + random.below(5) {
          let start = random.below(rows.count + 1)
          let range = start..<start + random.below(min(3, rows.count - start + 1))
          let objects = (0..<random.below(3)).map { _ in Self.object(&random) }
          rows.replaceSubrange(range, with: objects)
          try edits.replace(range, with: objects)
        }
        try Self.check(edits.table, is: rows, seed: seed)
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

  private static func check(_ table: EditedTable, is rows: [Value], seed: UInt64) throws {
    let plain = ValueTable(rows)
    let all = (0..<table.order.count).map { table.order[$0] }
    let positions = Dictionary(uniqueKeysWithValues: zip(all, all.indices))
    #expect(try table.objects(at: all) == rows, "seed \(seed)")
    #expect(
      try table.objects(at: all.reversed()) == Array(rows.reversed()), "seed \(seed)")
    let cancellation = Cancellation()
    for key in ["name", "n", "r"] {
      let path = ObjectKeyPath(key: key)
      let sort = [SortDescriptor(path)]
      let order = try table.sorted(table.order, by: sort, cancellation: cancellation)
      let expected = try plain.sorted(
        .natural(plain.count), by: sort, cancellation: cancellation)
      #expect(
        (0..<order.count).map { positions[order[$0]] } == (0..<expected.count).map { expected[$0] },
        "seed \(seed) \(key)")
      let runs = try table.runs(of: path, in: order)
      let expectedRuns = try plain.runs(of: path, in: expected)
      #expect(runs.offsets == expectedRuns.offsets, "seed \(seed) \(key)")
      #expect(runs.titles.map(\.json) == expectedRuns.titles.map(\.json), "seed \(seed) \(key)")
    }
  }

  /// The columns of a table extend those of the table before the last edits.
  @Test(arguments: 1...UInt64(8)) func columnsAfterEachEditAreThoseOfTheRows(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for base in try Self.bases() {
      var edits = Edits(base)
      var rows = try base.objects(at: Array(0..<base.count))
      // Several of them are asked for now and then only.
      let paths = ["name", "n", "r"].map { ObjectKeyPath(key: $0) }
      for step in 0..<200 {
        let start = random.below(rows.count)
        let object = Self.object(&random)
        rows[start] = object
        try edits.replace(start..<start + 1, with: [object])
        let table = edits.table
        for path in paths where random.below(3) > 0 {
          let column = try table.column(path, cancellation: Cancellation())
          let anew = try EditedColumn(table, path).column(cancellation: Cancellation())
          let order = (0..<table.order.count).map { table.order[$0] }
          #expect(column.count == table.count)
          #expect(
            order.map { column.value(at: $0).json } == order.map { anew.value(at: $0).json },
            "seed \(seed), step \(step), \(path)")
          let expected = rows.map { path.evaluate(on: $0) }
          #expect(order.map { column.value(at: $0) } == expected, "seed \(seed), step \(step)")
        }
      }
    }
  }

  /// The texts of the base stay texts, and each has one code, also that of an edit.
  @Test(arguments: 0..<6)
  func editsOfManyTextsKeepThem(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let names = (0..<5_000).map { $0 % 500 == 7 ? "" : $0 % 3 == 0 ? "é \($0)" : "name \($0)" }
    let text = "name,n\n" + (0..<65_000).map { _ in "\(random.one(of: names)),1\n" }.joined()
    let base = try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "a.csv").table
    let name = ObjectKeyPath(key: "name")
    guard case .coded(.narrow, let known) = try base.column(name, cancellation: Cancellation()),
      known.areStrings
    else {
      Issue.record("the base does not code its texts")
      return
    }
    var rows = try base.objects(at: Array(0..<base.count))
    var edits = Edits(base)
    let added: [Value] = [nil, "", "new", "e\u{301} 3", "é 3", "name 4", "name 4,999", "new 2"]
    for _ in 0..<1 + random.below(12) {
      let start = random.below(rows.count)
      let object: Value = ["name": random.one(of: added), "n": 1]
      rows.replaceSubrange(start..<start + 1, with: [object])
      try edits.replace(start..<start + 1, with: [object])
    }
    let table = edits.table
    let column = try table.column(name, cancellation: Cancellation())
    guard case .coded(let codes, let values) = column, values.areStrings else {
      Issue.record("the texts became values")
      return
    }
    let order = (0..<table.order.count).map { table.order[$0] }
    let found = order.map { values[codes[$0]] }
    let expected = rows.map { name.evaluate(on: $0) }
    #expect(found.map(\.json) == expected.map(\.json), "seed \(seed)")
    // Texts with the same bytes share a code.
    let texts = Set(zip(order, found).map { Array("\(codes[$0]) \($1.json)".utf8) })
    #expect(texts.count == Set(found.map { Array($0.json.utf8) }).count, "seed \(seed)")
  }

  @Test func aKeyThatOnlyAnEditHasIsNullElsewhere() throws {
    let table = try Edits(ValueTable([["a": 1]])).replacing(1..<1, with: [["b": 2]]).table
    #expect(table.keys == ["a", "b"])
    let cut = try table.runs(of: ObjectKeyPath(key: "b"), in: table.order)
    #expect(cut.titles == [nil, 2])
    #expect(throws: TableError.self) {
      try table.runs(of: ObjectKeyPath(key: "c"), in: table.order)
    }
  }

  @Test func aKeyThatNoAddedObjectHasIsUnknownOverAnEmptyBase() throws {
    let edits = try Edits(ValueTable([])).replacing(0..<0, with: [["name": "a"]])
    func column(_ key: String, of table: EditedTable) throws -> KeyColumn {
      try table.column(ObjectKeyPath(key: key), cancellation: Cancellation())
    }
    #expect(throws: TableError.self) { try column("nmae", of: edits.table) }
    #expect(try column("name", of: edits.table).count == 1)
    let header = try FormatTable.core.read(MemoryBytes(Array("a,b\n".utf8)), named: "a.csv").table
    let filled = try Edits(header).replacing(0..<0, with: [["a": 1]]).table
    #expect(try column("b", of: filled).count == 1)
    #expect(throws: TableError.self) { try column("c", of: filled) }
    let emptied = try edits.replacing(0..<1, with: []).table
    #expect(emptied.order.count == 0)
    #expect(try column("nmae", of: emptied).count == emptied.count)
  }

  @Test func aKeyOfARemovedObjectRemainsKnown() throws {
    let base = ValueTable([["a": 1], ["a": 2, "b": 3]])
    let table = try Edits(base).replacing(1..<2, with: []).table
    let cut = try table.runs(of: ObjectKeyPath(key: "b"), in: table.order)
    #expect(cut.titles == [nil])
  }

  @Test func objectsThatAreNotRecordsAreReportedWhileTheyAreRows() throws {
    let records = Edits(ValueTable([["a": 1]]))
    let mixed = try records.replacing(1..<1, with: [5])
    #expect(try !records.replacing(0..<0, with: [["a": 2]]).table.hasOtherRows)
    #expect(mixed.table.hasOtherRows)
    #expect(try !mixed.replacing(1..<2, with: []).table.hasOtherRows)
    #expect(try Edits(ValueTable(["x"])).replacing(0..<0, with: [["a": 2]]).table.hasOtherRows)
  }

  /// Rows that both sides share are not compared; the others are.
  @Test(arguments: [nil, ObjectKeyPath(key: "n")])
  func editsOfOneTableAreCompared(id: ObjectKeyPath?) throws {
    for base in try Self.bases() {
      let old = try Edits(base).replacing(0..<1, with: [["name": "x", "n": 9, "r": nil]])
      let new = try old.replacing(1..<2, with: [["name": "a!", "n": 2, "r": 2]])
      func rows(_ edits: Edits) -> SectionedTable {
        let table = edits.table
        return SectionedTable(
          table: table, order: table.order, sections: .whole(table.order.count))
      }
      let expected: [Change] =
        id == nil
        ? [.delete(at(0, 1)), .insert(at(0, 1))] : [.update(from: at(0, 1), to: at(0, 1))]
      #expect(try rows(old).changes(to: rows(new), id: id) == expected)
      #expect(try rows(new).changes(to: rows(new), id: id) == [])
      let whole = SectionedTable(
        table: base, order: .natural(base.count), sections: .whole(base.count))
      #expect(try whole.changes(to: rows(old), id: id).count == 2)
    }
  }
}

/// A table with edits.
private struct Edits {
  private var pool: EditPool
  private var rows: RowList

  init(_ base: any Table) {
    pool = EditPool(base)
    rows = RowList(count: base.count)
  }

  var table: EditedTable { pool.table(rows) }

  mutating func replace(_ range: Range<Int>, with objects: [Value]) throws {
    _ = rows.replace(range, with: [try pool.add(objects)])
  }

  func replacing(_ range: Range<Int>, with objects: [Value]) throws -> Edits {
    var copy = self
    try copy.replace(range, with: objects)
    return copy
  }
}
