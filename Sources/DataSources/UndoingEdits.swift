public import DataTables

extension DataSource {
  /// Reverts the last edit, or the last transaction, of the objects of this source and of those below
  /// it.
  ///
  /// - Returns: what was reverted.
  /// - Throws: ``SourceError``: `badArgument` without such an edit; `conflict` if the edit also changed
  ///   another source that was edited since, or if a source is being fetched or shows an earlier
  ///   content.
  @discardableResult
  public func undoEdit(
    cancellation: Cancellation = Cancellation(), listener: ((TranscriptEntry) -> Void)? = nil
  ) async throws(SourceError) -> EditGroup {
    try await step(
      .undo, \.last, { $0.undo() }, back: { $0.redo() }, cancellation: cancellation,
      listener: listener)
  }

  /// Repeats the edit that was undone last.
  ///
  /// - Throws: see ``undoEdit(cancellation:listener:)``.
  @discardableResult
  public func redoEdit(
    cancellation: Cancellation = Cancellation(), listener: ((TranscriptEntry) -> Void)? = nil
  ) async throws(SourceError) -> EditGroup {
    try await step(
      .redo, \.next, { $0.redo() }, back: { $0.undo() }, cancellation: cancellation,
      listener: listener)
  }

  private func step(
    _ cause: ContentCause, _ group: (EditHistory) -> EditGroup?, _ step: (EditHistory) -> Void,
    back: (EditHistory) -> Void, cancellation: Cancellation,
    listener: ((TranscriptEntry) -> Void)?
  ) async throws(SourceError) -> EditGroup {
    let verb = cause.rawValue
    let sources = SourceGraph.sources(below: self)
    for source in sources { try source.checkShowsLatestContent() }
    let owners = sources.compactMap { $0 as? any EditedSource }
    guard let found = owners.compactMap({ group($0.history) }).max(by: { $0.order < $1.order })
    else {
      throw .data(.badArgument("nothing to \(verb)"))
    }
    let edited = found.sources.compactMap { $0 as? any EditedSource }
    for owner in edited {
      if group(owner.history) !== found {
        throw .conflict(
          "the edit also changed a source that was edited since; \(verb) that edit first")
      }
      if owner.isFetching { throw .fetchUnderWay }
      try owner.checkShowsLatestContent()
    }
    for owner in edited { step(owner.history) }
    do {
      // A child that was removed, and is now added again, may wrap the source meanwhile.
      for owner in edited where owner.children.contains(where: { $0.wraps(owner) }) {
        throw SourceError.conflict(
          "a source that the \(verb) would add again now wraps the one that would receive it; "
            + "let it wrap another source first")
      }
      try await EditTransaction.show(
        edited, cause, cancellation: cancellation, listener: listener)
    } catch {
      for owner in edited { back(owner.history) }
      throw SourceError(error)
    }
    found.touch()
    return found
  }
}
