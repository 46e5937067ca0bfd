public import DataTables

/// A request to show an object again, although neither the object nor its place has changed.
public enum Refresh: String, CaseIterable, Sendable {
  /// In a new cell.
  case reload
  /// In its present cell.
  case reconfigure

  func change(at path: IndexPath) -> Change {
    switch self {
    case .reload: .reload(from: path, to: path)
    case .reconfigure: .reconfigure(from: path, to: path)
    }
  }
}

extension DataSource {
  /// Requests that an object be shown again. No content changes.
  ///
  /// The source that owns the object and all its wrappers that were fetched before and follow their
  /// children report `will`, `changes` and `finished`. The ``changes(movesSections:_:)`` of each of
  /// them that shows the object are then the one with the name of the request.
  /// - Parameter path: refers to this source.
  /// - Throws: ``SourceError``: `outOfRange` when no object exists at the index path; `conflict` when
  ///   this source, the owner or a source between them shows outdated content or is being fetched.
  public func refresh(
    _ refresh: Refresh, at path: IndexPath, cancellation: Cancellation = Cancellation(),
    listener: ((TranscriptEntry) -> Void)? = nil
  ) async throws(SourceError) {
    do {
      var source: any DataSource = self
      var path = path
      while true {
        _ = try await source.object(at: path)
        if source.isFetching { throw SourceError.fetchUnderWay }
        if source.children.isEmpty { break }
        guard let origin = try await source.origin(of: path, in: source.content),
          source.children.indices.contains(origin.child)
        else {
          throw SourceError.outdatedObject
        }
        (source, path) = (source.children[origin.child], origin.path)
      }
      let round = FetchRound(from: source, isEdit: true, listener: listener)
      round.refreshed = RefreshedObject(refresh, at: path, of: source)
      await round.show([(source, try source.content)], cancellation: cancellation)
    } catch {
      throw SourceError(error)
    }
  }
}

/// An object that is shown again, with its index paths in each source that has it.
struct RefreshedObject {
  private let refresh: Refresh
  private var paths: [ObjectIdentifier: [IndexPath]]

  init(_ refresh: Refresh, at path: IndexPath, of owner: any DataSource) {
    self.refresh = refresh
    paths = [ObjectIdentifier(owner): [path]]
  }

  /// Finds the object in the content of a wrapper, which may show it several times.
  mutating func locate(in snapshot: Snapshot, of source: any DataSource) async {
    var found: Set<IndexPath> = []
    for (index, child) in source.children.enumerated() {
      for path in paths[ObjectIdentifier(child)] ?? [] {
        found.formUnion(await source.indexPaths(ofObjectAt: path, ofChild: index, in: snapshot))
      }
    }
    paths[ObjectIdentifier(source)] = found.sorted()
  }

  /// The changes of a source that has the object; empty for other sources.
  func changes(of source: any DataSource) -> [Change] {
    (paths[ObjectIdentifier(source)] ?? []).map(refresh.change(at:))
  }
}

extension DataSource {
  public func indexPaths(
    ofObjectAt path: IndexPath, ofChild child: Int, in snapshot: Snapshot
  ) async -> [IndexPath] {
    guard let below = children[child].state.snapshot else { return [] }
    if let store = snapshot.store.local, let inner = below.store.local,
      let row = try? inner.row(at: path)
    {
      return store.indexPaths(showing: row, of: inner.table)
    }
    guard let identity = try? await below.store.identity(at: path),
      let own = try? await snapshot.indexPath(of: identity)
    else { return [] }
    return [own]
  }
}
