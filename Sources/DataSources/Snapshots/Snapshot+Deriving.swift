import DataTables

// Requests to the content, and copies of it.
extension Snapshot {
  /// The content that a request selects. The parts that the store cannot compute are computed over a
  /// copy.
  ///
  /// - Parameter indexTitles: how the index titles of new sections are derived.
  /// - Throws: ``SourceError`` or `TableError`: `unknownKey` for a key that no object has,
  ///   `sortMismatch`, `limit` for a copy of too many objects.
  // Concurrent, to leave the isolation of the source free.
  @concurrent
  func answering(
    _ request: ContentRequest, indexTitles: IndexTitles = .firstCharacter, _ context: RequestContext
  ) async throws -> Snapshot {
    if request.isEmpty {
      var same = self
      same.request = request
      return same
    }
    var store = store
    if let local = store.local {
      store = (request.keepsSections ? local : local.asInput).acceptingAnyKey
    } else {
      try store.check(request.keyPaths)
    }
    var answer = try await store.answer(request, context)
    var shortfall: Shortfall?
    if let rest = answer.rest {
      let sections = answer.keptSections
      shortfall = Shortfall(
        rest: rest, reasons: answer.reasons, objects: answer.store.numberOfObjects,
        computation: answer.store.computation)
      let copy = try await copy(of: answer.store, context)
      answer = try copy.acceptingAnyKey.answer(rest, context)
      if let sections { answer.keptSections = answer.keptSections.map { $0.map { sections[$0] } } }
    }
    var snapshot: Snapshot
    if let sections = answer.keptSections {
      snapshot = adopting(answer.store, sections: sections)
    } else {
      snapshot = Snapshot(
        answer.store, repeatedTitles: answer.repeatedTitles, indexTitles: indexTitles,
        findings: answer.findings)
    }
    snapshot.request = request
    snapshot.shortfall = shortfall
    return snapshot
  }

  /// A snapshot of other objects in some sections of this one, with the index titles of these.
  ///
  /// - Parameter sections: for each section of `store`, its section in this snapshot.
  func adopting(_ store: any SnapshotStore, sections: [Int]) -> Snapshot {
    var snapshot = Snapshot(store)
    if hasOwnIndex {
      var newSections = [Int?](repeating: nil, count: numberOfSections)
      for (newSection, section) in sections.enumerated() { newSections[section] = newSection }
      snapshot.indexParts = indexParts(newSections: newSections)
    }
    return snapshot
  }

  /// Copies content that may no longer be readable when later content is compared with it. Content of
  /// more objects than ``RequestContext/copyLimit`` is not copied.
  /// - Throws: ``SourceError``.
  // Concurrent, to leave the isolation of the source free.
  @concurrent
  package func prepareForChanges(_ context: RequestContext) async throws {
    do {
      if try await store.prepareForChanges(context) { return }
      guard numberOfObjects <= context.copyLimit ?? .max else { return }
      _ = try await localStore(context)
    } catch {
      throw SourceError(error)
    }
  }

  /// Whether all objects of a store that is not local were copied.
  package var isCopied: Bool { copy != nil }

  /// The store if it is local; a local copy of the objects otherwise, which is made once.
  package func localStore(_ context: RequestContext) async throws -> LocalStore {
    if let local = store.local { return local }
    return try await copy(of: store, context)
  }

  /// A copy of a store; that of the content itself is kept as long as the content.
  private func copy(
    of other: any SnapshotStore, _ context: RequestContext
  ) async throws -> LocalStore {
    if let local = other.local { return local }
    guard other.isSame(as: store) else {
      return try await LocalStore(copying: other, isPart: true, context)
    }
    if let copy = self.copy { return copy }
    let copy = try await LocalStore(copying: other, context)
    if !UnobservedReads.areRunning { self.copy = copy }
    return copy
  }
}

extension SnapshotStore {
  /// Whether two stores are one object; false for stores that are values.
  func isSame(as other: any SnapshotStore) -> Bool {
    type(of: self) is AnyClass && self as AnyObject === other as AnyObject
  }
}

/// The part of a request that was computed by this program, over objects that it copied.
public struct Shortfall: Sendable {
  public let rest: ContentRequest
  /// Why the store could not compute the parts; may be empty.
  public let reasons: [String]
  /// The number of objects that were copied.
  public let objects: Int
  /// How the copied objects were selected; nil if no engine did.
  public let computation: StoreComputation?
}
