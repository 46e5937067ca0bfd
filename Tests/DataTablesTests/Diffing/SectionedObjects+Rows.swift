import DataTables

extension SectionedObjects {
  /// Sections of integers, of which the ones and the tens can be told apart as `id` and `value`.
  init(_ sections: [(title: Value, objects: [Value])]) {
    self.init(sections.map { Section(title: $0.title, objects: $0.objects) })
  }

  /// The same as rows of a table.
  var rows: SectionedTable {
    let objects = sections.flatMap(\.objects)
    let offsets = sections.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.objects.count) }
    return SectionedTable(
      table: ValueTable(objects), order: .natural(objects.count),
      sections: Sections(offsets: offsets, titles: sections.map(\.title)))
  }

  func changes(to new: SectionedObjects, id: ObjectKeyPath? = nil) throws -> [Change] {
    try rows.changes(to: new.rows, id: id)
  }
}

func at(_ section: Int, _ row: Int) -> IndexPath { IndexPath(section: section, row: row) }
