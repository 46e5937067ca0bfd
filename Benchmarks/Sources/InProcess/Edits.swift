import DataSources
import DataTables
import Foundation

private typealias IndexPath = DataTables.IndexPath

/// Times edits of a loaded file of many rows, each until all wrappers show it.
/// - Parameter work: a part of the names of the works to measure; nil for all.
func measureEdits(rows: Int, _ work: String? = nil) async throws {
  let file = FileManager.default.temporaryDirectory.appending(path: "edits-\(getpid()).csv")
  try Data(text(rows: rows).utf8).write(to: file)
  defer { try? FileManager.default.removeItem(at: file) }
  let (city, name) = (ObjectKeyPath(key: "city"), ObjectKeyPath(key: "name"))
  let score = ObjectKeyPath(key: "score")
  let wrappers: [(String, ((SimpleSource) -> any DataSource)?)] = [
    ("sorted by name", { SectionedSource($0, sort: [SortDescriptor(name)]) }),
    (
      "sorted by score",
      { SectionedSource($0, sort: [SortDescriptor(score, direction: .descending)]) }
    ),
    (
      "runs by city",
      { SectionedSource($0, key: city, sort: [city, name].map { SortDescriptor($0) }) }
    ),
    ("groups by city", { SectionedSource($0, key: city, mode: .groups) }),
    ("alone", nil),
  ]
  for (label, wrap) in wrappers where work.map(label.contains) ?? true {
    try await measureEdits(of: file.path, rows, label, wrap)
  }
  for (label, wrap) in wrappers where work.map(("watched, " + label).contains) ?? true {
    try await measureWatched(file.path, rows, "watched, " + label, wrap)
  }
  for (label, wrap) in wrappers where work.map(("through, " + label).contains) ?? true {
    if let wrap { try await measureSteps(file.path, rows, "through, " + label, wrap) }
  }
}

/// Times edits whose changes are found.
private func measureWatched(
  _ file: String, _ rows: Int, _ label: String, _ wrap: ((SimpleSource) -> any DataSource)?
) async throws {
  for id in [nil, ObjectKeyPath(key: "id")] {
    let source = try await SimpleSource.load(file, formats: .core)
    source.id = id
    let wrapper = wrap?(source) ?? source
    try await wrapper.fetchData()
    let name = "\(label), \(id.map { "by \($0)" } ?? "without id")"
    // The first edit decodes columns.
    for (run, title) in ["first update of one row", "update of one row"].enumerated() {
      try await time("\(title), \(name)", runs: run * 6 + 1) { run in
        try await source.edit(
          .update(
            IndexPath(section: 0, row: run * 1_000 + 7), Record([("score", .integer(-run))])))
        return try await wrapper.changes().count
      }
    }
    try await time("update of 1,000 rows, \(name)", runs: 3) { run in
      try await source.edit(
        .update(
          (0..<1_000).map {
            ObjectUpdate(
              IndexPath(section: 0, row: $0 * 500), [KeyValue(key: "score", .integer($0 - run))])
          }))
      return try await wrapper.changes().count
    }
  }
}

/// Times transactions whose steps are edits of a wrapper.
private func measureSteps(
  _ file: String, _ rows: Int, _ label: String, _ wrap: (SimpleSource) -> any DataSource
) async throws {
  let source = try await SimpleSource.load(file, formats: .core)
  let wrapper = wrap(source)
  try await wrapper.fetchData()
  for steps in [100, 1_000] {
    try await time("transaction of \(steps) steps \(label)", runs: 1) { _ in
      let transaction = EditTransaction(below: wrapper)
      for step in 0..<steps {
        let section = step % wrapper.numberOfSections
        let row = try step * 7919 % wrapper.numberOfObjects(inSection: section)
        try await transaction.apply(
          .update(
            IndexPath(section: section, row: row), Record([("score", .integer(-step))])),
          to: wrapper)
      }
      return try await transaction.commit()
    }
  }
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
