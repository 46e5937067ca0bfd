public import DataTables

/// A source with edits of its own, which can be undone.
///
/// Edits change the rows of its ``history``. The content shows them when the transaction ends, or when
/// a later step of it reads the source.
public protocol EditedSource: DataSource {
  var history: EditHistory { get }
  /// The content of the rows of ``history``.
  func editedContent(cancellation: Cancellation) async throws -> Snapshot
}

/// A source that owns objects and can edit them.
public protocol EditableSource: EditedSource {
  /// Whether the source makes an edit itself; if false, the edit is left to the source below.
  func owns(_ edit: Edit) -> Bool
  /// Makes an edit in ``history``, as part of a group.
  ///
  /// - Parameter edit: one that the source owns; its index paths have objects.
  /// - Throws: ``SourceError`` or `TableError`. The caller reverts what was changed before the error.
  func apply(
    _ edit: Edit, in group: EditGroup, cancellation: Cancellation
  ) async throws -> EditOutcome
  /// The number of objects with the edits so far, if the content is one section of all objects; nil
  /// if only the content determines which index paths exist.
  var countOfAll: Int? { get }
}

extension EditableSource {
  public var countOfAll: Int? { nil }
}

/// The effect of an edit on the source that owns the objects.
public struct EditOutcome: Sendable {
  public var counts: EditCounts
  /// The row of the table of the first object that was inserted or moved; nil without one.
  public var placedRow: Int?

  public init(_ counts: EditCounts, placedRow: Int? = nil) {
    self.counts = counts
    self.placedRow = placedRow
  }
}
