import DataSources
import DataTables
import TestSupport

/// The objects of several sources in one section, as a kind of source outside of the library.
final class ChainedSource: DataSource {
  static let kind = "chained"
  let state: SourceState
  let children: [any DataSource]
  var summary: String { "chained" }

  init(_ children: [any DataSource], name: String = "") {
    self.children = children
    state = SourceState(name: name)
    listenToChildren()
  }

  func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    var objects: [Value] = []
    for child in children {
      for try await batch in try await fetch.snapshot(of: child).batches(of: 2) {
        objects += batch.objects
      }
      fetch.partial()
    }
    return Snapshot(LocalStore(table: ValueTable(objects)))
  }
}

/// A source whose fetch returns the result that the test sets, and can wait for the test.
final class GatedSource: DataSource {
  static let kind = "gated"
  static let fetchesSynchronously = false
  let state: SourceState
  var children: [any DataSource] { [] }
  var summary: String { "gated" }

  /// The result of the next fetch: objects or an error.
  var result: Result<[Value], TableError> = .success([])
  /// Whether a fetch waits for ``open()``.
  var isGated = false
  private(set) var fetchCount = 0
  /// The actor that ran the last fetch.
  private(set) var actor: ObjectIdentifier?
  private var gate: CheckedContinuation<Void, Never>?
  var isWaiting: Bool { gate != nil }

  init(name: String = "gated") { state = SourceState(name: name) }

  func open() {
    gate?.resume()
    gate = nil
  }

  func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    fetchCount += 1
    actor = currentActor()
    if isGated { await withCheckedContinuation { gate = $0 } }
    return Snapshot(LocalStore(table: ValueTable(try result.get())))
  }
}

/// A delegate that records the events that it receives.
final class Listener: DataSourceDelegate {
  private(set) var events: [String] = []

  func dataSource(_ source: any DataSource, did event: SourceEvent) {
    events.append((source.name.isEmpty ? "" : source.name + " ") + event.name)
  }

  func forget() { events = [] }
}
