public import DataTables

/// A manual change of the objects of a source.
public enum Edit: Sendable {
  /// `at` is a row of the edited source, from 0; nil inserts at the end.
  case insert(Value, at: Int? = nil)
  case remove(IndexPath)
  /// New values for some keys of the object; keys that the object lacks are added. Only records can
  /// be updated.
  case update(IndexPath, Record)

  /// The index path of the edited object; nil for a new object.
  public var path: IndexPath? {
    switch self {
    case .insert: nil
    case .remove(let path), .update(let path, _): path
    }
  }

  /// The same edit with another index path.
  func moved(to path: IndexPath) -> Edit {
    switch self {
    case .insert: self
    case .remove: .remove(path)
    case .update(_, let values): .update(path, values)
    }
  }
}

/// A source that owns objects and can edit them.
public protocol EditableSource: DataSource {
  /// Edits objects that the source owns, and shows the new content with
  /// ``DataSource/show(_:cancellation:)``.
  ///
  /// - Returns: whether the edit was made; false leaves the edit to the source below.
  /// - Throws: ``SourceError`` or `TableError`; the source is then unchanged.
  func apply(_ edit: Edit, cancellation: Cancellation) async throws -> Bool
}

extension DataSource {
  /// Edits the objects of this source, or of the source below that owns them.
  ///
  /// The edited source shows the edit immediately, as do all its wrappers that were fetched before
  /// and follow their children.
  /// - Parameter edit: its index path or row refers to this source.
  /// - Returns: the source whose objects were edited.
  /// - Throws: ``SourceError``: `outOfRange` when no object exists at the index path; `badArgument`
  ///   when the source that owns the object, or should receive it, is unknown; `conflict` when this
  ///   source, the owner or a source between them shows outdated content or is being fetched.
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
        (source, edit) = try await source.below(edit)
      }
    } catch {
      throw SourceError(error)
    }
  }

  /// Replaces the content with `snapshot` after an edit. This source reports `will`, `changes` and
  /// `finished`. Then all its wrappers that were fetched before and follow their children, inner
  /// ones first, report the same, or `will` and `failed`.
  public func show(_ snapshot: Snapshot, cancellation: Cancellation = Cancellation()) async {
    await FetchRound(from: self, isEdit: true).show(snapshot, of: self, cancellation: cancellation)
  }

  /// Moves the edit to the index path of the object in the child; suits kinds that do not change
  /// their children's objects.
  public func edit(ofChild edit: Edit, at origin: IndexPath?) async throws -> Edit {
    origin.map { edit.moved(to: $0) } ?? edit
  }

  /// The child that should make the edit, and the same edit with the index path in that child.
  private func below(_ edit: Edit) async throws -> (any DataSource, Edit) {
    guard let path = edit.path else {
      guard children.count == 1, let child = children.first else {
        throw SourceError.data(
          .badArgument("cannot determine which source below should receive the object"))
      }
      return (child, try await self.edit(ofChild: edit, at: nil))
    }
    guard !children.isEmpty else {
      throw SourceError.data(.badArgument("the objects of this kind of source cannot be edited"))
    }
    guard let origin = try await origin(of: path, in: content),
      children.indices.contains(origin.child)
    else {
      throw SourceError.conflict("the object differs from the one in the source below; fetch first")
    }
    return (children[origin.child], try await self.edit(ofChild: edit, at: origin.path))
  }
}
