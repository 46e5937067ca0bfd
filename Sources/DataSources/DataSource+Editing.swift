public import DataTables

extension DataSource {
  /// Edits the objects of this source, or of the source below that they come from.
  ///
  /// The edit shows at once in the edited source and in all that wrap it and were fetched.
  /// - Parameter edit: its place is one of this source.
  /// - Returns: the source whose objects were edited.
  /// - Throws: ``SourceError``: `outOfRange` when nothing stands there; `badArgument` when it cannot
  ///   be told where an object comes from or is to go; `conflict` when a source on the way does not
  ///   show the content of the one below it, or is being fetched.
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

  /// The same edit for a source that this one wraps.
  private func below(_ edit: Edit) throws -> (any DataSource, Edit) {
    guard let path = edit.path else {
      guard children.count == 1, let child = children.first else {
        throw SourceError.data(
          .badArgument("it cannot be told which source below is to take the object"))
      }
      return (child, edit)
    }
    guard !children.isEmpty else {
      throw SourceError.data(.badArgument("the objects are not its own and cannot be edited"))
    }
    guard let origin = try origin(of: path, in: content), children.indices.contains(origin.child)
    else {
      throw SourceError.conflict("the object is not that of the source below any more; fetch it")
    }
    return (children[origin.child], edit.moved(to: origin.path))
  }
}
