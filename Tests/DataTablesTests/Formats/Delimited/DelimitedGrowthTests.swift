import TestSupport
import Testing

@testable import DataTables

/// Delimited texts to which lines are appended.
struct DelimitedGrowthTests {
  private static let sizes = ScanSizes(exact: 8, sample: 64, chunk: 200, window: 100)

  private func load(_ text: [UInt8]) throws -> LoadedTable {
    try DelimitedReader(
      MemoryBytes(text), request: ReadRequest(), delimiter: UInt8(ascii: ","), sizes: Self.sizes
    ).read(cancellation: Cancellation())
  }

  private func grown(_ loaded: LoadedTable, to text: [UInt8]) throws -> LoadedTable? {
    try TableGrowth.read(
      MemoryBytes(text), after: loaded, request: ReadRequest(), cancellation: Cancellation())
  }

  private func content(_ table: any Table) -> SectionedTable {
    SectionedTable(table: table, order: .natural(table.count), sections: .whole(table.count))
  }

  private func objects(_ table: any Table) throws -> SectionedObjects {
    SectionedObjects([
      SectionedObjects.Section(title: "", objects: try table.objects(at: Array(0..<table.count)))
    ])
  }

  private func values(_ column: KeyColumn) -> [Value] {
    switch column {
    case .coded(let codes, let values): (0..<codes.count).map { values[codes[$0]] }
    case .keyed(let column): column.keys.map { column.value(of: $0) }
    }
  }

  @Test(arguments: 1...30) func aGrownTableHasTheRowsOfAFreshOne(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    var text = Array("n,name,note\n".utf8)
    func line() -> String {
      let cells = ["", "a", "\"x\ny\"", "\"q\"\"q\"", "word", "12", "é"]
      return "\(random.below(50)),\(random.one(of: cells)),\(random.one(of: cells))\n"
    }
    for _ in 0..<40 { text += Array(line().utf8) }
    var loaded = try load(text)
    var grownCount = 0
    for _ in 0..<20 {
      // The last line of the old text may continue.
      if random.below(5) == 0 {
        text += Array(random.one(of: ["7,half", "8,\"x\ny", "9"]).utf8)
        loaded = try load(text)
        text += Array(random.one(of: ["\n", ",x\n", "\",x\n"]).utf8)
      }
      for _ in 0..<random.below(6) { text += Array(line().utf8) }
      if random.below(8) == 0 { text += Array("1,2,3,4\n".utf8) }
      let fresh = try load(text)
      let old = loaded.table
      if let grown = try grown(loaded, to: text) {
        grownCount += 1
        loaded = grown
      } else {
        loaded = fresh
      }
      let changes = try content(old).changes(to: content(loaded.table))
      let applied = try objects(old).applying(changes, from: objects(loaded.table))
      #expect(applied == (try objects(loaded.table)))
      #expect(loaded.report.rows == fresh.report.rows)
      #expect(loaded.report.rejected == fresh.report.rejected)
      // A column that is decoded may get another type than its first rows have.
      for key in fresh.table.keys {
        let path = ObjectKeyPath(key: key)
        let columns = try [loaded.table, fresh.table].map {
          try $0.column(path, cancellation: Cancellation())
        }
        #expect(columns[0].type == columns[1].type, "\(key)")
        #expect(values(columns[0]) == values(columns[1]), "\(key)")
      }
      #expect(try objects(loaded.table) == objects(fresh.table))
    }
    #expect(grownCount > 0)
  }

  @Test func anAppendedLineIsAnInsertAtTheEnd() throws {
    let text = Array(("a,b\n" + String(repeating: "1,2\n", count: 100)).utf8)
    let loaded = try load(text)
    let grown = try #require(try grown(loaded, to: text + Array("3,4\n".utf8)))
    let changes = try content(loaded.table).changes(to: content(grown.table))
    #expect(changes == [.insert(IndexPath(section: 0, row: 100))])
    #expect(grown.table.rowsShared(with: loaded.table) == 100)
  }

  /// The changes of sorted sections are those between two tables that share nothing.
  @Test(arguments: 1...20) func sectionsOfAGrownTableHaveTheSameChanges(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    func lines(_ count: Int) -> String {
      (0..<count).map { _ in "\(random.below(4)),\(random.below(3))\n" }.joined()
    }
    let text = "a,b\n" + lines(30 + random.below(30))
    let loaded = try load(Array(text.utf8))
    let longer = Array((text + lines(random.below(6) + 1)).utf8)
    let grown = try #require(try grown(loaded, to: longer))
    let key = ObjectKeyPath(key: "a")
    func sections(_ table: any Table) throws -> SectionedTable {
      let order = try table.sorted(
        .natural(table.count), by: [SortDescriptor(key, direction: .descending)])
      return SectionedTable(
        table: table, order: order, sections: try table.runs(of: key, in: order))
    }
    let changes = try sections(loaded.table).changes(to: sections(grown.table))
    let fresh = try load(longer).table
    #expect(changes == (try sections(load(Array(text.utf8)).table).changes(to: sections(fresh))))
    #expect(!changes.isEmpty)
  }

  @Test(arguments: [("5,x", true), ("word,x", false), (",", true)])
  func aDecodedColumnIsContinued(line: String, isContinued: Bool) throws {
    let text = Array(("a,b\n" + String(repeating: "1,x\n2,y\n", count: 100)).utf8)
    let loaded = try load(text)
    let path = ObjectKeyPath(key: "a")
    let old = try loaded.table.column(path, cancellation: Cancellation())
    let longer = CountingBytes(String(decoding: text, as: UTF8.self) + line + "\n")
    let grown = try #require(
      try TableGrowth.read(
        longer, after: loaded, request: ReadRequest(), cancellation: Cancellation()))
    let before = longer.bytesRead
    let column = try grown.table.column(path, cancellation: Cancellation())
    #expect((longer.bytesRead - before < 400) == isContinued)
    #expect(column.type == (isContinued ? .integer : .string))
    let last = line.hasPrefix(",") ? Value.null : isContinued ? 5 : "word"
    #expect(values(column).last == last)
    #expect(values(column).count == values(old).count + 1)
  }

  @Test func onlyTheEndOfTheTextIsRead() throws {
    let text = Array(("a,b\n" + String(repeating: "1,2\n", count: 5_000)).utf8)
    let loaded = try load(text)
    let longer = CountingBytes(String(decoding: text, as: UTF8.self) + "3,4\n")
    let grown = try TableGrowth.read(
      longer, after: loaded, request: ReadRequest(), cancellation: Cancellation())
    #expect(grown?.table.count == 5_001)
    // The sample in which a byte order mark and the format are detected, and the last chunk.
    #expect(longer.bytesRead < 9_000)
  }
}
