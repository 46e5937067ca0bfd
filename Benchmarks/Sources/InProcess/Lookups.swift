import DataSources
import DataTables

/// Objects by their places and places by objects, of sections of a file, and of the first 200,000
/// of its objects in memory.
func measureLookups(path: String, key: String) async throws {
  let file = try await SimpleSource.load(path)
  print("\(path), of which objects are read when they are looked at")
  try await measureLookups(in: file, key: key)
  let rows = Array(0..<min(200_000, file.table.count))
  print("its first \(rows.count) objects, in memory")
  try await measureLookups(in: SimpleSource(file.table.objects(at: rows)), key: key)
}

private func measureLookups(in source: SimpleSource, key: String) async throws {
  let sectioned = SectionedSource(
    source, key: try ObjectKeyPath(parsing: "\(key).firstCharacter"),
    sort: [SortDescriptor(try ObjectKeyPath(parsing: key))])
  try await sectioned.fetchData()
  let snapshot = try sectioned.content
  guard let store = snapshot.store.local, store.numberOfObjects > 0 else { return }
  let paths = (0..<20_000).map {
    store.indexPath(ofPosition: $0 * 617_333 % store.numberOfObjects)
  }
  try await rate("row(at:)", paths) { _ = try store.row(at: $0) }
  try await rate("object(at:), scattered", paths) { _ = try await snapshot.object(at: $0) }
  let neighbours = (0..<20_000).map {
    store.indexPath(ofPosition: $0 % store.numberOfObjects)
  }
  try await rate("object(at:), in a row", neighbours) { _ = try await snapshot.object(at: $0) }

  // Few, as long as each may look at all rows.
  let sought = Array(paths.prefix(20))
  var whole: [Record] = []
  for path in sought {
    if case .record(let record) = try await snapshot.object(at: path) { whole.append(record) }
  }
  guard let first = whole.first?.keys.first else { return }
  let single = whole.map { Record([(first, $0[first] ?? .null)]) }
  try await rate("indexPath(matching:) by \(first)", single) {
    _ = try await snapshot.indexPath(matching: $0)
  }
  try await rate("indexPath(of:) a whole object", whole) {
    _ = try await snapshot.indexPath(of: .record($0))
  }
}

/// Prints how often a second `body` is done, by the least and the middle of seven runs.
private func rate<Argument>(
  _ label: String, _ arguments: [Argument], _ body: (Argument) async throws -> Void
) async throws {
  // What is made when it is first asked for.
  if let first = arguments.first { try await body(first) }
  let clock = ContinuousClock()
  var durations: [Duration] = []
  for _ in 0..<7 {
    let start = clock.now
    for argument in arguments { try await body(argument) }
    durations.append(start.duration(to: clock.now))
  }
  durations.sort()
  let rates = [durations[0], durations[3]].map {
    "\(Int((Double(arguments.count) / ($0 / .seconds(1))).rounded())) a second"
  }
  show(label, rates)
}
