public import DataTables

/// A wrapper that shows the content of the source below unchanged, at the same index paths.
public protocol PassingSource: WrappingSource {}

extension PassingSource {
  public var plan: FetchPlan {
    FetchPlan(source, settings: []) { inner, fetch in inner.passedOn(after: fetch.previous) }
  }

  public func origin(of path: IndexPath, in snapshot: Snapshot) async throws -> ObjectOrigin? {
    shows(snapshot)
      ? ObjectOrigin(child: 0, path: path) : try await originByIdentity(of: path, in: snapshot)
  }

  /// The same place, even in a section without objects.
  public func origin(
    ofPlace path: IndexPath, in content: Snapshot
  ) async throws -> ObjectOrigin? {
    shows(content)
      ? ObjectOrigin(child: 0, path: path) : try await originOfNeighbor(at: path, in: content)
  }

  /// Whether the source below still has the content that it passed on.
  private func shows(_ snapshot: Snapshot) -> Bool {
    source.state.snapshot.map { $0.isIdentical(to: snapshot) } ?? false
  }
}
