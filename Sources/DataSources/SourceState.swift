public import DataTables

/// The state of a source of any kind.
public final class SourceState {
  public internal(set) var name: String
  public weak var delegate: (any DataSourceDelegate)?
  /// The content; nil before the first fetch, except for kinds that have content from the start.
  public internal(set) var snapshot: Snapshot?
  /// The content that ``snapshot`` replaced; nil if it replaced none.
  public private(set) var previous: Snapshot?
  /// The objects that the last edit requested to show again, as changes.
  package internal(set) var refreshes: [Change] = []
  /// The key that identifies an object across changes; nil to use the key of the source below.
  public var id: ObjectKeyPath?
  /// Whether changes are observed. While true, a ``FetchedResultsSource`` follows the source below.
  public var isWatched = false
  /// The error of the last fetch; nil when it succeeded.
  public internal(set) var error: SourceError?
  public internal(set) var isFetching = false
  /// The options of the latest fetch.
  private(set) var options = FetchOptions()
  /// Number of fetches and edits that have ended, successfully or not.
  package private(set) var endedRounds = 0

  /// Whether the source was ever fetched; before that, it does not follow its children.
  private(set) var hasBeenFetched = false
  /// How a wrapper made ``snapshot``; an update makes its content in the same way.
  var plan: FetchPlan?
  /// The changes to make when the content of the current fetch is stored.
  private var completions: [() -> Void] = []
  /// The results of the ``FetchedResultsSource``s that wrap this source, by cache name.
  var cachedResults: [String: CachedResults] = [:]
  /// The events of the last fetch or edit; shared by all sources that it reached.
  var eventLog: FetchRound.EventLog?
  private var listeners: [WeakListener] = []
  private var weakWrappers: [WeakSource] = []
  private var cancellation: Cancellation?
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// - Parameter snapshot: the content, for kinds that have it before the first fetch.
  public init(name: String = "", snapshot: Snapshot? = nil) {
    self.name = name
    self.snapshot = snapshot
  }

  /// Adds a listener, which receives each event after the delegate. The listener is held weakly.
  public func add(listener: any DataSourceDelegate) {
    remove(listener: listener)
    listeners.append(WeakListener(listener: listener))
  }

  public func remove(listener: any DataSourceDelegate) {
    listeners.removeAll { $0.listener == nil || $0.listener === listener }
  }

  func add(wrapper: any DataSource) {
    weakWrappers.removeAll { $0.source == nil }
    weakWrappers.append(WeakSource(source: wrapper))
  }

  func remove(wrapper: any DataSource) {
    weakWrappers.removeAll { $0.source == nil || $0.source === wrapper }
  }

  /// The sources that wrap this one and still exist, in the order in which they began to wrap it. A
  /// fetch of this source updates those that were fetched before and follow their children.
  public var wrappers: [any DataSource] { weakWrappers.compactMap(\.source) }

  /// - Parameter isFetch: false for an edit.
  func begin(
    _ cancellation: Cancellation, _ options: FetchOptions = FetchOptions(), isFetch: Bool = true
  ) {
    isFetching = true
    self.options = options
    if isFetch { hasBeenFetched = true }
    self.cancellation = cancellation
  }

  func end(_ result: Result<Snapshot, SourceError>) {
    isFetching = false
    endedRounds &+= 1
    cancellation = nil
    defer { completions = [] }
    switch result {
    case .success(let snapshot):
      for completion in completions { completion() }
      previous = self.snapshot
      self.snapshot = snapshot
      error = nil
    case .failure(let failure): error = failure
    }
  }

  /// Makes a change when the content of the current fetch is stored; never if the fetch fails or is
  /// canceled.
  func whenStored(_ completion: @escaping () -> Void) { completions.append(completion) }

  func cancel() { cancellation?.cancel() }

  func send(_ event: SourceEvent, of source: any DataSource) {
    delegate?.dataSource(source, did: event)
    for listener in listeners.compactMap(\.listener) { listener.dataSource(source, did: event) }
  }

  /// The names of the caches of the fetched results that wrap this source.
  package var cacheNames: [String] { cachedResults.keys.sorted() }

  package func removeCache(_ name: String) { cachedResults[name] = nil }

  /// Waits for the end of the current fetch; returns immediately without one.
  func waitForEnd() async {
    guard isFetching else { return }
    await withCheckedContinuation { waiters.append($0) }
  }

  func resumeWaiters() {
    let resumed = waiters
    waiters = []
    for continuation in resumed { continuation.resume() }
  }
}

struct WeakSource {
  weak var source: (any DataSource)?
}

private struct WeakListener {
  weak var listener: (any DataSourceDelegate)?
}
