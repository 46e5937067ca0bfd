public import DataTables

/// A source that holds objects of its own, which can be edited.
public protocol EditableSource: DataSource {
  /// Edits objects of the source's own and shows the new content (``DataSource/show(_:)``).
  ///
  /// - Returns: false for an edit that is left to the source below.
  /// - Throws: ``SourceError`` or `TableError`; nothing is changed then.
  func apply(_ edit: Edit, cancellation: Cancellation) async throws -> Bool
}

extension DataSource {
  /// Makes `snapshot` the content after an edit. This source and, inner ones first, all sources that
  /// wrap it and were fetched tell their delegates will, changes and finished (or failed).
  public func show(_ snapshot: Snapshot, cancellation: Cancellation = Cancellation()) async {
    await FetchRound(from: self, isEdit: true).show(snapshot, of: self, cancellation: cancellation)
  }
}
