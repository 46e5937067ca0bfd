import TestSupport
import Testing

@testable import DataTables

/// Changes between two contents of the same files.
@Suite struct FileChangesTests {
  private typealias File = (name: String, table: any Table)

  private func content(_ table: any Table) -> SectionedTable {
    SectionedTable(
      table: table, order: .natural(table.count),
      sections: Sections(offsets: [0, table.count], titles: [""]))
  }

  private func objects(_ table: any Table) throws -> SectionedObjects {
    SectionedObjects([
      SectionedObjects.Section(title: "", objects: try table.objects(at: Array(0..<table.count)))
    ])
  }

  private func table(_ random: inout SplitMix64, rows: Int) -> any Table {
    ValueTable((0..<rows).map { _ in ["n": .integer(random.below(3))] })
  }

  @Test func theChangesAreThoseOfAllRows() throws {
    for seed in 1...UInt64(2_000) {
      var random = SplitMix64(seed: seed)
      let old: [File] = (0..<random.below(4) + 1).map { file in
        ("\(2 * file)", table(&random, rows: random.below(5)))
      }
      var new: [File] = []
      for file in old {
        if random.below(4) == 0 {
          new.append(("\(file.name)5", table(&random, rows: random.below(3) + 1)))
        }
        switch random.below(4) {
        case 0: break
        case 1: new.append((file.name, table(&random, rows: random.below(5))))
        default: new.append(file)
        }
      }
      let tables = [old, new].map { FilesTable($0) }
      guard tables[0].keys == tables[1].keys else { continue }
      let changes = try #require(
        try content(tables[0]).changesOfFiles(
          to: content(tables[1]), id: nil, cancellation: Cancellation()), "seed \(seed)")
      // The same objects, which are not recognized as those of files.
      let all = try tables.map { ValueTable(try $0.objects(at: Array(0..<$0.count))) }
      #expect(changes == (try content(all[0]).changes(to: content(all[1]))), "seed \(seed)")
      let applied = try objects(tables[0]).applying(changes, from: objects(tables[1]))
      #expect(applied == (try objects(tables[1])), "seed \(seed)")
    }
  }

  @Test func anIDCanIdentifyObjectsOfOtherFiles() throws {
    let row = ValueTable([["n": 1]])
    let other = ValueTable([["n": 2]])
    let old = FilesTable([("a", row), ("b", other)])
    let new = FilesTable([("a", other), ("b", row)])
    let changes = try content(old).changes(to: content(new), id: ObjectKeyPath(key: "n"))
    let first = IndexPath(section: 0, row: 0)
    let second = IndexPath(section: 0, row: 1)
    #expect(
      changes == [
        .move(from: second, to: first, isChanged: true), .update(from: first, to: second),
      ])
  }
}
