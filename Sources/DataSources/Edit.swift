public import DataTables

/// A change of the objects of a source by hand.
public enum Edit: Sendable {
  /// `at` is a row of the edited source, from 0; nil for the end.
  case insert(Value, at: Int? = nil)
  case remove(IndexPath)
  /// New values for some keys of the object; new keys are added to it. Only records can be updated.
  case update(IndexPath, Record)

  /// The place of the edited object; nil for a new one.
  public var path: IndexPath? {
    switch self {
    case .insert: nil
    case .remove(let path), .update(let path, _): path
    }
  }

  /// The same edit of the object at another place.
  fileprivate func moved(to path: IndexPath) -> Edit {
    switch self {
    case .insert: self
    case .remove: .remove(path)
    case .update(_, let values): .update(path, values)
    }
  }
}

/// A source that owns objects, which can be edited.
public protocol EditableSource: DataSource {
  /// Edits objects that the source owns and shows the new content (``DataSource/show(_:)``).
  ///
  /// - Returns: false for an edit that the source below should make.
  /// - Throws: ``SourceError`` or `TableError`; nothing is changed then.
  func apply(_ edit: Edit, cancellation: Cancellation) async throws -> Bool
}

extension DataSource {
  /// Edits the objects of this source, or of the source below that owns them.
  ///
  /// The edit shows at once in the edited source and in all its wrappers that were fetched.
  /// - Parameter edit: its place refers to this source.
  /// - Returns: the source whose objects were edited.
  /// - Throws: ``SourceError``: `outOfRange` when there is no object at the place; `badArgument`
  ///   when the source that owns the object, or should take it, is unknown; `conflict` when a
  ///   source on the way shows outdated content or is being fetched.
  @discardableResult
  public func edit(
    _ edit: Edit, cancellation: Cancellation = Cancellation()
  ) async throws(SourceError) -> any DataSource {
    do {
      var source: any DataSource = self
      var edit = edit
      while true {
        if let path = edit.path { _ = try await source.object(at: path) }
        if source.isFetching { throw SourceError.conflict("a fetch is under way") }
        if let editable = source as? any EditableSource,
          try await editable.apply(edit, cancellation: cancellation)
        {
          return source
        }
        (source, edit) = try source.below(edit)
      }
    } catch {
      throw SourceError(error)
    }
  }

  /// Makes `snapshot` the content after an edit. This source and all its wrappers that were
  /// fetched, inner ones first, report will, changes and finished (or failed).
  public func show(_ snapshot: Snapshot, cancellation: Cancellation = Cancellation()) async {
    await FetchRound(from: self, isEdit: true).show(snapshot, of: self, cancellation: cancellation)
  }

  /// The same edit for the child that owns the object.
  private func below(_ edit: Edit) throws -> (any DataSource, Edit) {
    guard let path = edit.path else {
      guard children.count == 1, let child = children.first else {
        throw SourceError.data(
          .badArgument("cannot determine which source below should take the object"))
      }
      return (child, edit)
    }
    guard !children.isEmpty else {
      throw SourceError.data(.badArgument("the objects of this kind of source cannot be edited"))
    }
    guard let origin = try origin(of: path, in: content), children.indices.contains(origin.child)
    else {
      throw SourceError.conflict("the object differs from the one in the source below; fetch first")
    }
    return (children[origin.child], edit.moved(to: origin.path))
  }
}
