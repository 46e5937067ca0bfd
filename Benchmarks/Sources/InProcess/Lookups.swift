import DataSources
import DataTables
import Glibc

/// Objects by index path and index paths by object: of a file, of its sections, and of its first
/// 200,000 objects in memory.
func measureLookups(path: String, key: String) async throws {
  let file = try await SimpleSource.load(path, formats: .core)
  print("\(path), with objects read on access")
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
  try await measureObjects(in: try source.content, "as they come")
  try await measureObjects(in: try sectioned.content, "in sections")
  try await measurePlaces(in: try sectioned.content, key: key)
}

/// More index paths than the cache of recent objects holds.
private let lookups = 200_000

private func scatteredPaths(in store: LocalStore) -> [IndexPath] {
  (0..<lookups).map { store.indexPath(ofPosition: $0 * 617_333 % store.numberOfObjects) }
}

private func measureObjects(in snapshot: Snapshot, _ order: String) async throws {
  guard let store = snapshot.store.local, store.numberOfObjects > 0 else { return }
  let scattered = scatteredPaths(in: store)
  try await rate("row(at:) \(order), scattered", scattered) { _ = try store.row(at: $0) }
  try await rate("object(at:) \(order), scattered", scattered) {
    _ = try await snapshot.object(at: $0)
  }
  let neighbors = (0..<lookups).map { store.indexPath(ofPosition: $0 % store.numberOfObjects) }
  try await rate("object(at:) \(order), in a row", neighbors) {
    _ = try await snapshot.object(at: $0)
  }
  let few = (0..<lookups).map { scattered[$0 % 50] }
  try await rate("object(at:) \(order), 50 again and again", few) {
    _ = try await snapshot.object(at: $0)
  }
}

private func measurePlaces(in snapshot: Snapshot, key: String) async throws {
  guard let store = snapshot.store.local, store.numberOfObjects > 0 else { return }
  let rows = try scatteredPaths(in: store).map { try store.row(at: $0) }
  let whole = try store.table.objects(at: rows).compactMap { object -> Record? in
    if case .record(let record) = object { record } else { nil }
  }
  guard let first = whole.first?.keys.first else { return }
  for keys in [[first], [key], [key, first]] {
    let values = whole.map { record in Record(keys.map { ($0, record[$0] ?? .null) }) }
    try await rate("indexPath(matching:) by \(keys.joined(separator: ", "))", values) {
      _ = try await snapshot.indexPath(matching: $0)
    }
  }
  try await rate("indexPath(of:) a whole object", whole) {
    _ = try await snapshot.indexPath(of: .record($0))
  }
}

/// Prints the calls of `body` per second, by minimum and median wall time of seven runs and by minimum
/// processor time, and the duration of the first two calls.
private func rate<Argument>(
  _ label: String, _ arguments: [Argument], _ body: (Argument) async throws -> Void
) async throws {
  let clock = ContinuousClock()
  // These calls build the indexes.
  var start = clock.now
  for argument in arguments.prefix(2) { try await body(argument) }
  let first = start.duration(to: clock.now)
  var runs: [(wall: Duration, processor: Duration)] = []
  for _ in 0..<7 {
    start = clock.now
    let startOfWork = processorTime()
    for argument in arguments { try await body(argument) }
    runs.append((start.duration(to: clock.now), processorTime() - startOfWork))
  }
  let walls = runs.map(\.wall).sorted()
  func rate(_ duration: Duration?) -> String {
    let seconds = (duration ?? .zero) / .seconds(1)
    return "\(Int((Double(arguments.count) / max(seconds, 1e-9)).rounded()))/s"
  }
  show(
    label,
    [
      rate(walls.first), rate(walls[walls.count / 2]),
      rate(runs.map(\.processor).min()) + " CPU", "first \(milliseconds(first))",
    ])
}

/// Processor time of all threads of the process.
private func processorTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
