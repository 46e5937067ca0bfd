import DataTables

extension FetchRound {
  /// Makes `snapshot` the content of a source that was edited, and updates what wraps it.
  func show(
    _ snapshot: Snapshot, of source: any DataSource, cancellation: Cancellation
  ) async {
    source.state.begin(Cancellation(parent: cancellation), isAsked: false)
    note(.will, of: source)
    finish(source, .success(snapshot))
    await updateWrappers(cancellation: cancellation)
  }
}
