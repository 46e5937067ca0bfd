public import DataTables

/// The state of a source of any kind.
public final class SourceState {
  public internal(set) var name: String
  public weak var delegate: (any DataSourceDelegate)?
  /// The content; nil before the first fetch, except for kinds that have content from the start.
  public internal(set) var snapshot: Snapshot?
  /// The content that ``snapshot`` replaced; nil if it replaced none.
  public private(set) var previous: Snapshot?
  /// The contents that can be shown again.
  private(set) var contents = ContentHistory()
  /// Whether settings were changed since the last fetch.
  package var hasNewSettings = false
  /// The objects that the last edit requested to show again, as changes.
  package internal(set) var refreshes: [Change] = []
  /// The key that identifies an object across changes; nil to use the key of the source below.
  public var id: ObjectKeyPath?
  /// Whether changes are observed. While true, a ``FetchedResultsSource`` follows the source below.
  public var isWatched = false
  /// The error of the last fetch; nil when it succeeded.
  public internal(set) var error: SourceError?
  /// The ``error`` of the latest content, also while an earlier content is shown.
  private var latestError: SourceError?
  /// Whether ``snapshot`` has the edits of a transaction that is open.
  var showsTransaction = false
  public internal(set) var isFetching = false
  /// The options of the latest fetch.
  private(set) var options = FetchOptions()
  /// Number of fetches and edits that have ended, successfully or not.
  package private(set) var endedRounds = 0
  /// For each child, its ``endedRounds`` when a wrapper read its content for ``snapshot``.
  var readRounds: [ObjectIdentifier: Int] = [:]

  /// Whether the source was ever fetched; before that, it does not follow its children.
  private(set) var hasBeenFetched = false
  /// How a wrapper made ``snapshot``; an update makes its content in the same way.
  var plan: FetchPlan?
  /// From what ``snapshot`` was made: contents of the sources below and settings; nil if a fetch has
  /// to make it anew.
  private var basis: (contents: [Snapshot], settings: [AnyHashable])?
  /// The changes to make when the content of the current fetch is stored.
  private var completions: [() -> Void] = []
  /// The results of the ``FetchedResultsSource``s that wrap this source, by cache name.
  var cachedResults: [String: CachedResults] = [:]
  /// The events of the last fetch or edit; shared by all sources that it reached.
  var eventLog: FetchRound.EventLog?
  private var listeners: [WeakListener] = []
  private var weakWrappers: [WeakSource] = []
  /// The flag of the current fetch or edit.
  private(set) var cancellation: Cancellation?

  /// - Parameters:
  ///   - snapshot: the content, for kinds that have it before the first fetch.
  ///   - cause: what gave the source this content.
  public init(name: String = "", snapshot: Snapshot? = nil, cause: ContentCause = .load) {
    self.name = name
    self.snapshot = snapshot
    if let snapshot { contents.add(snapshot, cause) }
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

  /// - Parameter origin: where the content of a successful result is from.
  func end(_ result: Result<Snapshot, SourceError>, _ origin: ContentOrigin) {
    isFetching = false
    endedRounds &+= 1
    cancellation = nil
    defer { completions = [] }
    switch result {
    case .success(let snapshot):
      basis = nil
      for completion in completions { completion() }
      previous = self.snapshot
      self.snapshot = snapshot
      error = nil
      switch origin {
      case .new(let cause):
        contents.add(snapshot, cause)
        if cause == .set { hasNewSettings = false }
        latestError = nil
      case .unchanged:
        contents.replaceLatest(snapshot)
        latestError = nil
      case .kept(let number):
        contents.show(number)
        // The latest content is still outdated if the fetch after it failed.
        if !contents.showsEarlier { error = latestError }
      case .same: break
      }
    case .failure(let failure): (error, latestError) = (failure, failure)
    }
  }

  /// Records that the content follows from that of a source whose last fetch failed.
  func markOutdated(by failure: SourceError) { (error, latestError) = (failure, failure) }

  /// Whether the source shows a content from before its last fetch or edit.
  var showsEarlierContent: Bool { contents.showsEarlier && !showsTransaction }

  /// The content of the last successful fetch or edit, even while an earlier one is shown; nil without
  /// one.
  public var latestSnapshot: Snapshot? { contents.latest?.snapshot }

  /// Makes a change when the content of the current fetch is stored; never if the fetch fails or is
  /// canceled.
  func whenStored(_ completion: @escaping () -> Void) { completions.append(completion) }

  /// The content, if it is that of a store; a new one otherwise.
  func snapshot(of store: LocalStore) -> Snapshot {
    if let snapshot, snapshot.store.local?.content.isIdentical(to: store.content) == true {
      return snapshot
    }
    return Snapshot(store)
  }

  /// The content, if it was made from the same contents by the same settings; nil otherwise.
  func content(madeFrom contents: [Snapshot], by settings: [AnyHashable]) -> Snapshot? {
    guard let basis, basis.settings == settings,
      basis.contents.elementsEqual(contents, by: { $0.isSame(as: $1) })
    else { return nil }
    return snapshot
  }

  /// Records from what the content of the current fetch was made. Call it when it is stored.
  ///
  /// - Parameter settings: nil if the next fetch has to make the content anew.
  func keepContent(madeFrom contents: [Snapshot], by settings: [AnyHashable]?) {
    basis = settings.map { (contents, $0) }
  }

  func cancel() { cancellation?.cancel() }

  /// Whether a fetch that has ended was canceled only because that of a wrapper was, so that others who
  /// waited for it must fetch again.
  /// - Parameter flag: the flag of the fetch.
  func wasAbandoned(_ flag: Cancellation?) -> Bool {
    guard let flag, !isFetching, error == .data(.cancelled) else { return false }
    return flag.isCancelled && !flag.isCancelledItself
  }

  func send(_ event: SourceEvent, of source: any DataSource) {
    delegate?.dataSource(source, did: event)
    for listener in listeners.compactMap(\.listener) { listener.dataSource(source, did: event) }
  }

  /// The names of the caches of the fetched results that wrap this source.
  package var cacheNames: [String] { cachedResults.keys.sorted() }

  package func removeCache(_ name: String) { cachedResults[name] = nil }

  /// Waits for the end of the current fetch; returns immediately without one.
  /// - Parameter cancellation: ends the wait when raised.
  func waitForEnd(
    _ cancellation: Cancellation? = nil, isolation: isolated (any Actor)? = #isolation
  ) async {
    guard isFetching else { return }
    await AdjustableClock.current.wait {
      !self.isFetching || cancellation?.isCancelled ?? false
    }
  }
}

/// Where the content at the end of a fetch or an edit is from.
enum ContentOrigin {
  case new(ContentCause)
  /// The content has the objects of the latest one, whose number it keeps.
  case unchanged
  /// The content with this number is shown again.
  case kept(Int)
  /// The source shows the content that it has.
  case same
}

struct WeakSource {
  weak var source: (any DataSource)?
}

private struct WeakListener {
  weak var listener: (any DataSourceDelegate)?
}
