public import DataTables

/// Edits that take effect together, as one change of each source that they reach.
///
/// Each step sees the effects of the steps before it: ``refresh(_:cancellation:)`` updates a source
/// that a step reads, without events. Confined to the isolation of the sources.
public final class EditTransaction {
  private let group = EditGroup()
  private var owners: [any EditableSource] = []
  /// The number of edits so far, and for each source the number that its content shows.
  private var version = 0
  private var shown: [ObjectIdentifier: Int] = [:]
  /// The number of edits after the last one of each owner.
  private var edited: [ObjectIdentifier: Int] = [:]
  /// The contents and errors from before the transaction of sources that show edits.
  private var contents: [(source: any DataSource, snapshot: Snapshot?, error: SourceError?)] = []

  private let root: (any DataSource)?

  /// - Parameter root: only objects of this source, and of sources below it, can be edited; nil for all
  ///   objects.
  public init(below root: (any DataSource)? = nil) { self.root = root }

  /// The number of objects that were changed so far.
  public var counts: EditCounts { group.counts }

  /// Makes an edit of a source; after an error, this edit has changed nothing.
  ///
  /// - Throws: see ``DataSource/edit(_:cancellation:listener:)``.
  public func apply(
    _ edit: Edit, to source: any DataSource, cancellation: Cancellation = Cancellation()
  ) async throws(SourceError) {
    let marks = owners.map { (owner: $0, count: $0.history.count(of: group)) }
    let counts = group.counts
    do {
      try await make(edit, in: source, cancellation: cancellation)
    } catch {
      for owner in owners {
        owner.history.revert(group, to: marks.first { $0.owner === owner }?.count ?? 0)
        version += 1
        edited[ObjectIdentifier(owner)] = version
      }
      group.counts = counts
      throw SourceError(error)
    }
  }

  private func make(
    _ edit: Edit, in source: any DataSource, cancellation: Cancellation
  ) async throws {
    try await refresh(source, cancellation: cancellation)
    try await edit.check(in: try source.content)
    var placed: (owner: any EditableSource, row: Int)?
    for (owner, edit) in try await source.editsOfOwners(edit) {
      if let root, !root.wraps(owner) {
        throw SourceError.conflict("the transaction edits the data of another source")
      }
      // An edit below a source that has edits of its own makes its content anew.
      if owners.contains(where: { $0 !== owner && ($0.wraps(owner) || owner.wraps($0)) }) {
        throw SourceError.conflict(
          "a transaction cannot edit both an organized source and a source below it")
      }
      record(owner)
      let outcome = try await owner.apply(edit, in: group, cancellation: cancellation)
      group.counts += outcome.counts
      if let row = outcome.placedRow { placed = (owner, row) }
    }
    if let target = edit.target, let placed, placed.owner !== source {
      try await check(target, in: source, has: placed, cancellation: cancellation)
    }
  }

  private func record(_ owner: any EditableSource) {
    if !owners.contains(where: { $0 === owner }) { owners.append(owner) }
    version += 1
    edited[ObjectIdentifier(owner)] = version
  }

  /// Checks that an object was placed where it was requested: a sort may have put it elsewhere.
  private func check(
    _ path: IndexPath, in source: any DataSource, has placed: (owner: any EditableSource, row: Int),
    cancellation: Cancellation
  ) async throws {
    try await refresh(source, cancellation: cancellation)
    if let error = source.error { throw error }
    if try await source.row(at: path, of: placed.owner) == placed.row { return }
    throw SourceError.data(.badArgument(source.reasonAgainstPlacing))
  }

  // MARK: Contents

  /// Makes a source and all sources below it show the edits so far, without events.
  ///
  /// - Throws: ``SourceError``. A wrapper that cannot show the edits keeps its content.
  public func refresh(
    _ source: any DataSource, cancellation: Cancellation = Cancellation()
  ) async throws(SourceError) {
    guard !edited.isEmpty else { return }
    do {
      for source in SourceGraph.sources(below: source).reversed() {
        let id = ObjectIdentifier(source)
        let changed = source.children.compactMap { shown[ObjectIdentifier($0)] }.max() ?? 0
        let version = max(edited[id] ?? 0, changed)
        guard version > shown[id] ?? 0 else { continue }
        let snapshot: Snapshot
        if let owner = source as? any EditableSource, edited[id] == version {
          snapshot = try await owner.editedContent(cancellation: cancellation)
        } else if source.followsEdits {
          snapshot = try await FetchRound(from: source, isEdit: true)
            .preview(source, cancellation: cancellation)
        } else {
          continue
        }
        if shown[id] == nil {
          contents.append((source, source.state.snapshot, source.error))
        }
        shown[id] = version
        source.state.snapshot = snapshot
        // The error of an earlier fetch does not concern this content.
        source.state.error = nil
      }
    } catch {
      throw SourceError(error)
    }
  }

  private func restoreContents() {
    for (source, snapshot, error) in contents {
      source.state.snapshot = snapshot
      source.state.error = error
    }
    contents = []
    shown = [:]
  }

  // MARK: The end

  /// Shows the edits: each owner, then each wrapper reports `will`, `changes` and `finished`, or
  /// `will` and `failed`.
  ///
  /// - Throws: ``SourceError``; nothing has changed then, and the transaction is rolled back.
  public func commit(
    cancellation: Cancellation = Cancellation(), listener: ((TranscriptEntry) -> Void)? = nil
  ) async throws(SourceError) -> EditGroup {
    restoreContents()
    do {
      try await Self.show(owners, cancellation: cancellation, listener: listener)
    } catch {
      rollback()
      throw error
    }
    // An update with the same values changes nothing.
    let changed = owners.filter { $0.history.count(of: group) > 0 }
    for owner in changed { owner.history.clearUndone() }
    group.sources = changed
    group.touch()
    return group
  }

  /// Reverts all edits.
  public func rollback() {
    restoreContents()
    for owner in owners { owner.history.revert(group, to: 0) }
    owners = []
    edited = [:]
  }

  /// - Throws: the error of an owner, before any of them has changed.
  fileprivate static func show(
    _ owners: [any EditableSource], cancellation: Cancellation,
    listener: ((TranscriptEntry) -> Void)?
  ) async throws(SourceError) {
    guard let first = owners.first else { return }
    var contents: [(any DataSource, Snapshot)] = []
    do {
      for owner in owners {
        if owner.isFetching { throw SourceError.conflict("a fetch is under way") }
        contents.append((owner, try await owner.editedContent(cancellation: cancellation)))
      }
    } catch {
      throw SourceError(error)
    }
    await FetchRound(from: first, isEdit: true, listener: listener)
      .show(contents, cancellation: cancellation)
  }
}

// Undo and redo.
extension DataSource {
  /// Reverts the last edit, or the last transaction, of the objects of this source and of those below
  /// it.
  ///
  /// - Returns: what was reverted.
  /// - Throws: ``SourceError``: `badArgument` without such an edit; `conflict` if the edit also changed
  ///   another source that was edited since, or if a source is being fetched.
  @discardableResult
  public func undoEdit(
    cancellation: Cancellation = Cancellation(), listener: ((TranscriptEntry) -> Void)? = nil
  ) async throws(SourceError) -> EditGroup {
    try await step(
      "undo", \.last, { $0.undo() }, back: { $0.redo() }, cancellation: cancellation,
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
      "redo", \.next, { $0.redo() }, back: { $0.undo() }, cancellation: cancellation,
      listener: listener)
  }

  private func step(
    _ verb: String, _ group: (EditHistory) -> EditGroup?, _ step: (EditHistory) -> Void,
    back: (EditHistory) -> Void, cancellation: Cancellation,
    listener: ((TranscriptEntry) -> Void)?
  ) async throws(SourceError) -> EditGroup {
    let owners = SourceGraph.sources(below: self).compactMap { $0 as? any EditableSource }
    guard let found = owners.compactMap({ group($0.history) }).max(by: { $0.order < $1.order })
    else {
      throw .data(.badArgument("nothing to \(verb)"))
    }
    let edited = found.sources.compactMap { $0 as? any EditableSource }
    for owner in edited where group(owner.history) !== found {
      throw .conflict(
        "the edit also changed a source that was edited since; \(verb) that edit first")
    }
    for owner in edited { step(owner.history) }
    do {
      try await EditTransaction.show(edited, cancellation: cancellation, listener: listener)
    } catch {
      for owner in edited { back(owner.history) }
      throw error
    }
    found.touch()
    return found
  }
}

extension DataSource {
  /// Whether the source updates itself after a fetch or an edit of a source below it.
  var followsEdits: Bool {
    guard state.hasBeenFetched, followsChildren else { return false }
    // A source that was set since the last fetch is wrapped from the next fetch on.
    guard let plan = state.plan else { return true }
    return children.contains { $0 === plan.source }
  }
}

extension EditCounts {
  static func += (counts: inout EditCounts, other: EditCounts) {
    counts.inserted += other.inserted
    counts.removed += other.removed
    counts.updated += other.updated
    counts.moved += other.moved
  }
}
