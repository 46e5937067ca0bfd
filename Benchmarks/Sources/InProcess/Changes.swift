import DataTables

/// Times the changes between two contents of many rows that differ in one row of a hundred.
func measureChanges(rows: Int) throws {
  let old = Array(text(rows: rows, isChanged: false).utf8)
  let new = Array(text(rows: rows, isChanged: true).utf8)
  try measureChanges(from: old, to: new, id: ObjectKeyPath(key: "id"), named: "with id")
  try measureChanges(from: old, to: new, id: nil, named: "without id")
}

private func measureChanges(
  from old: [UInt8], to new: [UInt8], id: ObjectKeyPath?, named name: String
) throws {
  // Decoded columns are kept, so each run uses fresh tables.
  let fresh = try (0..<7).map { _ in (try content(of: old), try content(of: new)) }
  var next = fresh.makeIterator()
  let changes = try time("diff \(name), columns not decoded") {
    try next.next().map { try $0.0.changes(to: $0.1, id: id) } ?? []
  }
  _ = try time("diff \(name), columns at hand") { try fresh[0].0.changes(to: fresh[0].1, id: id) }
  print("\(changes.count) changes")
}

private func content(of bytes: [UInt8]) throws -> SectionedTable {
  let table = try FormatTable.core.read(MemoryBytes(bytes), named: "rows.csv").table
  return SectionedTable(
    table: table, order: .natural(table.count), sections: .whole(table.count))
}

/// In every 400 rows of the changed file, two have another score, one is removed and one is new.
private func text(rows: Int, isChanged: Bool) -> String {
  var text = "id,name,score\n"
  for row in 0..<rows {
    let score = row &* 7919 % 100_000
    switch (isChanged, row % 400) {
    case (true, 50), (true, 250): text += "\(row),\(Names.name(row)),\(score + 1)\n"
    case (true, 150): break
    case (true, 350):
      text += "\(rows + row),\(Names.name(rows + row)),\(score)\n"
      text += "\(row),\(Names.name(row)),\(score)\n"
    default: text += "\(row),\(Names.name(row)),\(score)\n"
    }
  }
  return text
}
