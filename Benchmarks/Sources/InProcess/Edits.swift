import DataSources
import DataTables
import Foundation

private typealias IndexPath = DataTables.IndexPath

/// Times edits of a loaded file of many rows, each until all wrappers show it.
func measureEdits(rows: Int) async throws {
  let file = FileManager.default.temporaryDirectory.appending(path: "edits-\(getpid()).csv")
  try Data(text(rows: rows).utf8).write(to: file)
  defer { try? FileManager.default.removeItem(at: file) }
  let (city, name) = (ObjectKeyPath(key: "city"), ObjectKeyPath(key: "name"))
  let score = ObjectKeyPath(key: "score")
  try await measureEdits(of: file.path, rows, "sorted by name") {
    SectionedSource($0, sort: [SortDescriptor(name)])
  }
  try await measureEdits(of: file.path, rows, "sorted by score") {
    SectionedSource($0, sort: [SortDescriptor(score, direction: .descending)])
  }
  try await measureEdits(of: file.path, rows, "runs by city") {
    SectionedSource($0, key: city, sort: [city, name].map { SortDescriptor($0) })
  }
  try await measureEdits(of: file.path, rows, "groups by city") {
    SectionedSource($0, key: city, mode: .groups)
  }
  try await measureEdits(of: file.path, rows, "alone", nil)
}

private func measureEdits(
  of file: String, _ rows: Int, _ label: String, _ wrap: ((SimpleSource) -> any DataSource)?
) async throws {
  let source = try await SimpleSource.load(file, formats: .core)
  let wrapper = wrap?(source)
  try await wrapper?.fetchData()
  var random = SystemRandomNumberGenerator()
  func row() -> IndexPath {
    IndexPath(section: 0, row: Int.random(in: 0..<rows / 2, using: &random))
  }
  try await time("update of one row, \(label)") { _ in
    try await source.edit(
      .update(row(), Record([("score", .integer(row().row)), ("city", "Lagos")])))
  }
  try await time("insertion of a row, \(label)") { _ in
    let object: Value = ["id": -1, "name": "Zoë", "city": "Kyoto", "score": 1]
    return try await source.edit(.insert(object, at: row().row))
  }
  try await time("removal of a row, \(label)") { _ in try await source.edit(.remove(row())) }
  try await time("move of a row, \(label)") { _ in try await source.edit(.move(row(), to: row())) }
  let paths = (0..<rows / 2).shuffled().prefix(100_000).map { IndexPath(section: 0, row: $0) }
  try await time("one update of 100,000 rows, \(label)", runs: 3) { run in
    try await source.edit(
      .update(paths.map { ObjectUpdate($0, [KeyValue(key: "score", .integer($0.row + run))]) }))
  }
  try await time("undo, \(label)", runs: 3) { _ in try await source.undoEdit() }
  try await time("redo, \(label)", runs: 3) { _ in try await source.redoEdit() }
  try await time("transaction of 100,000 steps, \(label)", runs: 3) { run in
    let transaction = EditTransaction()
    for path in paths {
      try await transaction.apply(
        .update(path, Record([("score", .integer(path.row - run))])), to: source)
    }
    return try await transaction.commit()
  }
  try await time("undo, \(label)", runs: 3) { _ in try await source.undoEdit() }
}

private func text(rows: Int) -> String {
  var text = "id,name,city,score\n"
  for row in 0..<rows {
    text += "\(row),\(Names.name(row)),city \(row &* 31 % 240),\(row &* 7919 % 100_000)\n"
  }
  return text
}
