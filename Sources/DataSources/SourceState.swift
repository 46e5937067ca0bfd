public import DataTables

/// What every source has, whatever its kind.
public final class SourceState {
  public internal(set) var name: String
  public weak var delegate: (any DataSourceDelegate)?
  /// nil before the first fetch, for sources that have no content at once.
  public internal(set) var snapshot: Snapshot?
  /// The content before ``snapshot``; nil until there were two.
  public private(set) var previous: Snapshot?
  /// What tells that objects are the same, though they changed; nil to take it from below.
  public var id: ObjectKeyPath?
  /// Whether somebody follows the changes; a content that is frozen as fetched thaws meanwhile.
  public var isWatched = false
  /// Why the last fetch failed; nil when it did not.
  public internal(set) var error: SourceError?
  public internal(set) var isFetching = false
  /// What the fetch that began last is to bring of the pages below.
  private(set) var demand = PageSelection.firstPage
  /// How many fetches and edits came to an end, well or not.
  package private(set) var endedRounds = 0

  /// Whether a fetch was ever asked for: only then a source follows those it wraps.
  private(set) var wasFetched = false
  /// What fetched results over this source keep, by the names of their caches.
  var keptResults: [String: KeptResults] = [:]
  /// All that was heard in the last fetch; shared by the sources it reached.
  var heard: FetchRound.Log?
  private var listeners: [WeakListener] = []
  private var wrapping: [WeakSource] = []
  private var cancellation: Cancellation?
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Parameter snapshot: the content, for kinds that have it before the first fetch.
  public init(name: String = "", snapshot: Snapshot? = nil) {
    self.name = name
    self.snapshot = snapshot
  }

  /// Has `listener` hear what the delegate hears, after it. Held weakly.
  public func add(listener: any DataSourceDelegate) {
    listeners.removeAll { $0.listener == nil || $0.listener === listener }
    listeners.append(WeakListener(listener: listener))
  }

  public func remove(listener: any DataSourceDelegate) {
    listeners.removeAll { $0.listener == nil || $0.listener === listener }
  }

  func add(wrapper: any DataSource) {
    wrapping.removeAll { $0.source == nil }
    wrapping.append(WeakSource(source: wrapper))
  }

  func remove(wrapper: any DataSource) {
    wrapping.removeAll { $0.source == nil || $0.source === wrapper }
  }

  /// The sources that wrap this one and are still held by somebody, in the order in which they were
  /// made. All of them hear of its fetches, beside the delegate.
  public var wrappers: [any DataSource] { wrapping.compactMap(\.source) }

  /// - Parameter isAsked: whether this is a fetch, and not an edit.
  func begin(
    _ cancellation: Cancellation, _ demand: PageSelection = .firstPage, isAsked: Bool = true
  ) {
    isFetching = true
    self.demand = demand
    if isAsked { wasFetched = true }
    self.cancellation = cancellation
  }

  func end(_ result: Result<Snapshot, SourceError>) {
    isFetching = false
    endedRounds &+= 1
    cancellation = nil
    switch result {
    case .success(let snapshot):
      previous = self.snapshot
      self.snapshot = snapshot
      error = nil
    case .failure(let failure): error = failure
    }
  }

  func cancel() { cancellation?.cancel() }

  func tell(_ event: SourceEvent, of source: any DataSource) {
    delegate?.dataSource(source, did: event)
    for listener in listeners.compactMap(\.listener) { listener.dataSource(source, did: event) }
  }

  /// Waits for the end of the fetch that is under way.
  func waitForEnd() async {
    guard isFetching else { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  func wake() {
    let woken = waiting
    waiting = []
    for continuation in woken { continuation.resume() }
  }
}

struct WeakSource {
  weak var source: (any DataSource)?
}

private struct WeakListener {
  weak var listener: (any DataSourceDelegate)?
}
