import DataTables

/// Times the changes between two contents of many rows that differ in one row of a hundred.
func measureChanges(rows: Int) throws {
  let old = Array(text(rows: rows, isChanged: false).utf8)
  let new = Array(text(rows: rows, isChanged: true).utf8)
  try measureChanges(from: old, to: new, id: ObjectKeyPath(key: "id"), named: "with id")
  try measureChanges(from: old, to: new, id: nil, named: "without id")
  try measureMoves(from: old, to: new)
}

/// Times contents that are sorted by the score, so that half of the changed rows move.
private func measureMoves(from old: [UInt8], to new: [UInt8]) throws {
  let (old, new) = (try content(of: old, isSorted: true), try content(of: new, isSorted: true))
  let id = ObjectKeyPath(key: "id")
  let changes = try time("diff with id, sorted") { try old.changes(to: new, id: id) }
  let batches = time("staged") { changes.batches() }
  print("\(changes.count) changes in \(batches.count) batches")
  let shuffled = SectionedTable(
    table: new.table, order: .rows((0..<new.order.count).map { UInt32($0) }.shuffled()),
    sections: new.sections)
  let moves = try time("diff with id, shuffled", runs: 3) { try old.changes(to: shuffled, id: id) }
  _ = time("staged", runs: 3) { moves.batches() }
  print("\(moves.count) changes")
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

private func content(of bytes: [UInt8], isSorted: Bool = false) throws -> SectionedTable {
  let table = try FormatTable.core.read(MemoryBytes(bytes), named: "rows.csv").table
  let score = SortDescriptor(ObjectKeyPath(key: "score"))
  return SectionedTable(
    table: table,
    order: isSorted
      ? try table.sorted(.natural(table.count), by: [score]) : .natural(table.count),
    sections: .whole(table.count))
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
