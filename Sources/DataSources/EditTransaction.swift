public import DataTables

/// Edits that take effect together, as one change of each source that they reach.
///
/// Each step sees the effects of the steps before it: ``refresh(_:cancellation:)`` updates a source
/// that a step reads, without events. Confined to the isolation of the sources.
public final class EditTransaction {
  private let group = EditGroup()
  private var owners: [any EditedSource] = []
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

  /// Makes edits and shows them, or changes nothing.
  ///
  /// - Parameter edits: applies them to the transaction that it receives.
  /// - Throws: ``SourceError``, the error of `edits` or of ``commit(cancellation:listener:)``.
  package static func making(
    cancellation: Cancellation = Cancellation(), listener: ((TranscriptEntry) -> Void)? = nil,
    _ edits: (EditTransaction) async throws -> Void
  ) async throws(SourceError) -> EditGroup {
    let transaction = EditTransaction()
    do {
      try await edits(transaction)
      return try await transaction.commit(cancellation: cancellation, listener: listener)
    } catch {
      transaction.rollback()
      throw SourceError(error)
    }
  }

  /// The number of objects and children that were changed so far.
  public var counts: EditCounts { group.counts }

  /// Makes an edit of a source; after an error, this edit has changed nothing.
  ///
  /// - Throws: see ``DataSource/edit(_:cancellation:listener:)``.
  public func apply(
    _ edit: Edit, to source: any DataSource, cancellation: Cancellation = Cancellation()
  ) async throws(SourceError) {
    try await revertingFailure {
      try await make(edit, in: source, cancellation: cancellation)
    }
  }

  /// Makes changes of the history of a source; after an error, the step has changed nothing.
  ///
  /// - Parameter body: changes the history as part of the group, and returns what it changed. The
  ///   source and all sources below it show the edits so far.
  /// - Throws: ``SourceError``: `conflict` if the source is being fetched, or is not below the source
  ///   of the transaction; the error of `body`.
  package func apply(
    to owner: any EditedSource, cancellation: Cancellation = Cancellation(),
    _ body: (EditGroup) throws -> EditCounts
  ) async throws(SourceError) {
    try await revertingFailure {
      try owner.checkShowsLatestContent()
      try await refresh(owner, cancellation: cancellation)
      if owner.isFetching { throw SourceError.fetchUnderWay }
      try record(owner)
      group.counts += try body(group)
    }
  }

  private func revertingFailure(_ step: () async throws -> Void) async throws(SourceError) {
    let lengths = owners.map { $0.history.count(of: group) }
    let counts = group.counts
    do {
      try await step()
    } catch {
      for (index, owner) in owners.enumerated() {
        owner.history.revert(group, to: index < lengths.count ? lengths[index] : 0)
        edited[ObjectIdentifier(owner)] = nil
      }
      // A step adds owners at the end.
      owners.removeLast(owners.count - lengths.count)
      for owner in owners {
        version += 1
        edited[ObjectIdentifier(owner)] = version
      }
      // Sources that only the failed step reached show their content from before the transaction.
      restoreContents { source in !owners.contains { source.wraps($0) } }
      group.counts = counts
      throw SourceError(error)
    }
  }

  private func make(
    _ edit: Edit, in source: any DataSource, cancellation: Cancellation
  ) async throws {
    try source.checkShowsLatestContent()
    let edits: [(owner: any EditableSource, edit: Edit)]
    if let owner = source as? any EditableSource, owner.owns(edit), let count = owner.countOfAll {
      if owner.isFetching { throw SourceError.fetchUnderWay }
      // The content of many objects is made once, not for each step.
      try edit.check(count: count, title: .string(source.name))
      edits = [(owner, edit)]
    } else {
      try await refresh(source, cancellation: cancellation)
      try await edit.check(in: try source.content)
      edits = try await source.editsOfOwners(edit)
    }
    let sections = edit.target == nil ? 0 : source.numberOfSections
    var placed: (owner: any EditableSource, row: Int)?
    for (owner, edit) in edits {
      try record(owner)
      let outcome = try await owner.apply(edit, in: group, cancellation: cancellation)
      group.counts += outcome.counts
      if let row = outcome.placedRow { placed = (owner, row) }
    }
    if let target = edit.target, let placed, placed.owner !== source {
      // A source that shows the edit only after its next fetch is checked with that content.
      defer { restoreUnfollowing(below: source) }
      try await refresh(source, isComplete: true, cancellation: cancellation)
      // Sections are counted before the move, in which a section before that of the new place may have
      // lost its last object.
      let isShifted =
        source.numberOfSections < sections && edit.paths.contains { $0.section < target.section }
      let path = IndexPath(section: target.section - (isShifted ? 1 : 0), row: target.row)
      // A sort may have put the object elsewhere.
      guard try await source.row(at: path, of: placed.owner) == placed.row else {
        throw SourceError.data(.badArgument(source.reasonAgainstPlacing))
      }
    }
  }

  /// - Throws: ``SourceError``, `conflict` for a source whose edits are not part of the transaction.
  private func record(_ owner: any EditedSource) throws(SourceError) {
    if let root, !root.wraps(owner) {
      throw .conflict("the transaction edits the data of another source")
    }
    try owner.checkShowsLatestContent()
    try checkOwnObjects(of: owner)
    if !owners.contains(where: { $0 === owner }) { owners.append(owner) }
    version += 1
    edited[ObjectIdentifier(owner)] = version
  }

  /// Objects that a wrapper owns are those of its content before the edits below it.
  private func checkOwnObjects(of owner: any EditedSource) throws(SourceError) {
    for other in owners where other !== owner {
      for (outer, inner) in [(owner, other), (other, owner)]
      where outer is any EditableSource && !outer.children.isEmpty && outer.wraps(inner) {
        throw .conflict(
          "one transaction cannot edit both the objects of this \(type(of: outer).kind) source and "
            + "the sources below it")
      }
    }
  }

  // MARK: Contents

  /// Makes a source and all sources below it show the edits so far, without events.
  ///
  /// - Throws: ``SourceError``. A wrapper that cannot show the edits keeps its content.
  public func refresh(
    _ source: any DataSource, cancellation: Cancellation = Cancellation()
  ) async throws(SourceError) {
    try await refresh(source, isComplete: false, cancellation: cancellation)
  }

  /// - Parameter isComplete: whether sources that do not follow edits show them too, until
  ///   ``restoreUnfollowing(below:)``.
  private func refresh(
    _ source: any DataSource, isComplete: Bool, cancellation: Cancellation
  ) async throws(SourceError) {
    guard !edited.isEmpty else { return }
    do {
      for source in SourceGraph.sources(below: source).reversed() {
        let id = ObjectIdentifier(source)
        let changed = source.children.compactMap { shown[ObjectIdentifier($0)] }.max() ?? 0
        let version = max(edited[id] ?? 0, changed)
        guard version > shown[id] ?? 0 else { continue }
        let snapshot: Snapshot
        if let owner = source as? any EditedSource, edited[id] == version {
          snapshot = try await owner.editedContent(cancellation: cancellation)
        } else if source.followsEdits || isComplete && source.canFollowEdits {
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
        source.state.showsTransaction = true
        // The error of an earlier fetch does not concern this content.
        source.state.error = nil
      }
    } catch {
      throw SourceError(error)
    }
  }

  /// Makes sources that do not follow edits, and those above them, show what they did before the
  /// transaction.
  private func restoreUnfollowing(below source: any DataSource) {
    let unfollowing = SourceGraph.sources(below: source).filter { source in
      !source.followsEdits && shown[ObjectIdentifier(source)] != nil
        && !owners.contains { $0 === source }
    }
    if !unfollowing.isEmpty {
      restoreContents { source in unfollowing.contains { source.wraps($0) } }
    }
  }

  private func restoreContents(where isRestored: (any DataSource) -> Bool = { _ in true }) {
    for (source, snapshot, error) in contents where isRestored(source) {
      source.state.snapshot = snapshot
      source.state.error = error
      source.state.showsTransaction = false
      shown[ObjectIdentifier(source)] = nil
    }
    contents.removeAll { isRestored($0.source) }
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
      try await Self.show(
        owners, group.counts.cause, cancellation: cancellation, listener: listener)
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
  static func show(
    _ owners: [any EditedSource], _ cause: ContentCause, cancellation: Cancellation,
    listener: ((TranscriptEntry) -> Void)?
  ) async throws(SourceError) {
    guard let first = owners.first else { return }
    // These show the new content of other owners.
    let outer = owners.filter { owner in
      owners.contains { $0 !== owner && owner.wraps($0) }
    }
    var contents: [(any DataSource, Snapshot)] = []
    do {
      if owners.contains(where: \.isFetching) { throw SourceError.fetchUnderWay }
      for owner in owners where !outer.contains(where: { $0 === owner }) {
        contents.append((owner, try await owner.editedContent(cancellation: cancellation)))
      }
      // From here on, the owners show the edits.
      try cancellation.check()
    } catch {
      throw SourceError(error)
    }
    await FetchRound(from: first, isEdit: true, cause: cause, listener: listener)
      .show(contents, then: outer, cancellation: cancellation)
  }
}

extension DataSource {
  /// Whether the source updates itself after a fetch or an edit of a source below it.
  var followsEdits: Bool { followsChildren && canFollowEdits }

  /// Whether the content can be made again from the sources below as it was made.
  fileprivate var canFollowEdits: Bool {
    guard state.hasBeenFetched else { return false }
    // A source that was set since the last fetch is wrapped from the next fetch on.
    guard let plan = state.plan else { return true }
    return children.contains { $0 === plan.source }
  }
}
