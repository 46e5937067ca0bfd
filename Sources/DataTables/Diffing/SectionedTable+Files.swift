// Changes between two contents of the same files, such as a folder of logs.
extension SectionedTable {
  /// The changes to other content of several files; nil if an object may be found in another file,
  /// or if the files are in another order.
  ///
  /// The name of its file is a value of each object, so that only objects of one file can be equal.
  /// - Complexity: O(files + rows of the files that differ).
  /// - Throws: the errors of ``changes(to:id:movesSections:cancellation:)``.
  func changesOfFiles(
    to new: SectionedTable, id: ObjectKeyPath?, cancellation: Cancellation
  ) throws -> [Change]? {
    guard id == nil, let oldTable = table as? FilesTable, let newTable = new.table as? FilesTable,
      isFlat, new.isFlat, sections.titles == new.sections.titles, oldTable.keys == newTable.keys,
      !oldTable.hasOtherRows, !newTable.hasOtherRows
    else { return nil }
    var old = oldTable.files[...]
    var rest = newTable.files[...]
    let oldNames = Set(old.map(\.name))
    let newNames = Set(rest.map(\.name))
    var changes = FileChanges()
    while true {
      if let file = old.first, !newNames.contains(file.name) {
        changes.delete(file.table.count)
        old.removeFirst()
      } else if let file = rest.first, !oldNames.contains(file.name) {
        changes.insert(file.table.count)
        rest.removeFirst()
      } else if let before = old.popFirst(), let after = rest.popFirst() {
        guard before.name == after.name else { return nil }
        let ofFile = try SectionedTable(whole: before.table)
          .changes(to: SectionedTable(whole: after.table), cancellation: cancellation)
        changes.add(ofFile, old: before.table.count, new: after.table.count)
      } else {
        return changes.all
      }
    }
  }

  private init(whole table: any Table) {
    self.init(
      table: table, order: .natural(table.count),
      sections: Sections(offsets: [0, table.count], titles: [""]))
  }
}

/// Collects the changes of one file after another.
private struct FileChanges {
  private var deletes: [Change] = []
  private var inserts: [Change] = []
  private var others: [Change] = []
  /// The numbers of rows in the files so far.
  private var oldRows = 0
  private var newRows = 0

  /// In the order that table views expect.
  var all: [Change] { deletes + inserts + others }

  mutating func delete(_ rows: Int) {
    for row in oldRows..<oldRows + rows { deletes.append(.delete(IndexPath(section: 0, row: row))) }
    oldRows += rows
  }

  mutating func insert(_ rows: Int) {
    for row in newRows..<newRows + rows { inserts.append(.insert(IndexPath(section: 0, row: row))) }
    newRows += rows
  }

  /// - Parameters:
  ///   - changes: without updates, because equal objects need none.
  ///   - old: the number of rows of the file before.
  ///   - new: its number of rows now.
  mutating func add(_ changes: [Change], old: Int, new: Int) {
    for change in changes.map({ $0.shifted(old: oldRows, new: newRows) }) {
      switch change {
      case .delete: deletes.append(change)
      case .insert: inserts.append(change)
      default: others.append(change)
      }
    }
    oldRows += old
    newRows += new
  }
}
