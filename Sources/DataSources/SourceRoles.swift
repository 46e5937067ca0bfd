public import DataTables

/// A source that wraps one other, replaceable source.
public protocol WrappingSource: DataSource {
  var source: any DataSource { get }
  /// Wraps another source from the next fetch on; until then the content does not change.
  /// - Throws: ``SourceError/data(_:)`` with `badArgument` when `other` is this source or wraps it,
  ///   directly or indirectly: a cycle could never be fetched. After an error, this source wraps
  ///   the same source as before.
  func wrap(_ other: any DataSource) throws(SourceError)
  /// The current settings. They take effect at the next fetch of this source: until then, it follows
  /// edits and fetches of the source below with the settings of its last fetch.
  var plan: FetchPlan { get }
}

/// How a wrapper makes its content from that of the source below.
public struct FetchPlan {
  let source: any DataSource
  let snapshot: (_ inner: Snapshot, _ fetch: Fetch) async throws -> Snapshot

  /// - Parameter snapshot: must not keep the wrapper, which keeps the plan.
  public init(
    _ source: any DataSource,
    snapshot: @escaping (_ inner: Snapshot, _ fetch: Fetch) async throws -> Snapshot
  ) {
    self.source = source
    self.snapshot = snapshot
  }
}

extension WrappingSource {
  public var children: [any DataSource] { [source] }

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    try await plannedSnapshot(fetch)
  }

  /// The content by the current settings or, for an update, by those of the last fetch.
  func plannedSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    let plan = fetch.isUpdate ? state.plan ?? plan : plan
    let snapshot = try await plan.snapshot(try await fetch.snapshot(of: plan.source), fetch)
    try fetch.cancellation.check()
    if !fetch.isPreview { state.whenStored { [state] in state.plan = plan } }
    return snapshot
  }

  /// Stops following ``source``, so that `other` can replace it.
  /// - Throws: the error of ``wrap(_:)``; after an error, ``source`` is still followed.
  func leaveSource(for other: any DataSource) throws(SourceError) {
    guard !other.wraps(self) else {
      throw .data(.badArgument("a source cannot wrap itself or a source that wraps it"))
    }
    source.state.remove(wrapper: self)
  }
}

/// A source that keeps only the objects that satisfy a predicate.
public protocol PredicatedSource: DataSource {
  /// The predicate of the next fetch; nil keeps all objects.
  var predicate: Predicate? { get set }
}

/// A source that keeps the positions of its objects in its input.
public protocol ReferencingSource: DataSource {
  /// One array per section: its title, then the positions of its objects in the input, from 0.
  /// - Throws: ``SourceError/notFetched``.
  func references(cancellation: Cancellation) async throws -> [[Value]]
}

/// A source whose objects were read from the bytes of a file or a response.
public protocol ReadSource: DataSource {
  /// The load report; nil before the first read.
  var report: LoadReport? { get }
  /// The objects; empty before the first read.
  var table: any Table { get }
}
