import TestSupport
import Testing

@testable import DataTables

@Suite struct ChangeBatchesTests {
  /// The seeds of the histories: 10,000 with optimization, which take 4 seconds; fewer without.
  #if DEBUG
    private static let histories: ClosedRange<UInt64> = 1...1_000
  #else
    private static let histories: ClosedRange<UInt64> = 1...10_000
  #endif
  private static let id = RandomHistory.id

  /// Calls a function with each content of a history, the content before it, and the changes.
  private func replay(
    seeds: ClosedRange<UInt64>, movesSections: Bool,
    _ body: (_ old: SectionedObjects, _ new: SectionedObjects, _ changes: [Change]) throws -> Void
  ) {
    for seed in seeds {
      var history = RandomHistory(seed: seed)
      for _ in 0..<3 {
        let old = history.content
        history.step()
        let new = history.content
        guard
          (old.sections + new.sections).contains(where: { section in
            !section.objects.isEmpty
          })
        else { continue }
        do {
          try body(old, new, old.changes(to: new, id: Self.id, movesSections: movesSections))
        } catch {
          Issue.record("seed \(seed): \(error)")
          return
        }
      }
    }
  }

  @Test(arguments: [false, true])
  func aTableViewAcceptsEveryBatch(movesSections: Bool) {
    var refusals: [TableViewModel.Refusal: Int] = [:]
    var counts: [Int: Int] = [:]
    replay(seeds: Self.histories, movesSections: movesSections) { old, new, changes in
      let batches = changes.batches()
      counts[batches.count, default: 0] += 1
      var view = TableViewModel(old)
      for batch in batches { try view.perform(batch, from: new) }
      try #require(view.content == new)
      var plain = TableViewModel(old)
      do {
        try plain.perform(changes.map { StagedChange(change: $0, whole: $0) }, from: new)
        let isComplete = plain.content == new
        try #require(isComplete == (batches.count < 2))
      } catch let refusal as TableViewModel.Refusal {
        refusals[refusal, default: 0] += 1
        try #require(batches.count > 1)
      }
    }
    // Otherwise the model would accept everything.
    let expected: Set<TableViewModel.Refusal> =
      movesSections
      ? [.moveOutOfDeletedSection, .moveIntoInsertedSection, .objectOfMovedSection]
      : [.moveOutOfDeletedSection, .moveIntoInsertedSection]
    #expect(Set(refusals.keys) == expected)
    #expect(Set(counts.keys) == [0, 1, 2, 3])
  }

  @Test(arguments: [false, true])
  func theBatchesHaveTheOperationsOfThePlainChanges(movesSections: Bool) {
    replay(seeds: 1...500, movesSections: movesSections) { old, new, changes in
      try #require(changes.batches().haveOperations(of: changes))
    }
  }

  @Test(arguments: [false, true])
  func thereAreAsFewBatchesAsPossible(movesSections: Bool) {
    replay(seeds: 1...500, movesSections: movesSections) { _, _, changes in
      let updated = changes.count { if case .move(_, _, true) = $0 { true } else { false } }
      guard !changes.isEmpty, changes.count + updated < 9 else { return }
      let slow = (1...2).first { SlowBatches(changes, count: $0).exist } ?? 3
      try #require(changes.batches().count == slow)
    }
  }

  @Test(arguments: [false, true])
  func aDiffableSnapshotReplaysTheChanges(movesSections: Bool) {
    replay(seeds: Self.histories, movesSections: movesSections) { old, new, changes in
      var snapshot = try DiffableSnapshotModel(old, id: Self.id)
      try snapshot.apply(changes, from: old, to: new, id: Self.id)
      try #require(try snapshot == DiffableSnapshotModel(new, id: Self.id))
    }
  }

  @Test func anObjectThatMovesAndChangesIsUpdatedInAnotherBatch() {
    let move = Change.move(from: at(0, 0), to: at(0, 1), isChanged: true)
    #expect(
      [move].batches() == [
        [StagedChange(change: move, whole: move)],
        [StagedChange(change: .update(from: at(0, 1), to: at(0, 1)), whole: move)],
      ])
  }

  @Test func anObjectLeavesASectionBeforeItIsDeleted() {
    let changes: [Change] = [
      .deleteSection(0), .delete(at(0, 0)), .move(from: at(0, 1), to: at(0, 0)),
    ]
    #expect(
      changes.batches().map { $0.map(\.change) } == [
        [.move(from: at(0, 1), to: at(1, 0))], [.deleteSection(0), .delete(at(0, 0))],
      ])
  }

  @Test func anObjectOfADeletedSectionReachesAnInsertedSectionInThreeBatches() {
    let changes: [Change] = [
      .deleteSection(0), .insertSection(0), .move(from: at(0, 0), to: at(0, 0)),
    ]
    #expect(
      changes.batches().map { $0.map(\.change) } == [
        [.insertSection(1)], [.move(from: at(0, 0), to: at(1, 0))], [.deleteSection(0)],
      ])
  }

  @Test func acceptedChangesAreOneBatch() {
    let changes: [Change] = [
      .deleteSection(1), .delete(at(1, 0)), .insert(at(0, 0)), .move(from: at(0, 2), to: at(0, 1)),
      .update(from: at(0, 0), to: at(0, 2)),
    ]
    #expect(changes.batches().map { $0.map(\.change) } == [changes])
    #expect([Change]().batches().isEmpty)
  }
}

/// Tries every assignment of changes to batches.
private struct SlowBatches {
  private let changes: [Change]
  private let count: Int

  init(_ changes: [Change], count: Int) {
    self.changes = changes
    self.count = count
  }

  /// Whether a table view accepts the changes in this number of batches.
  var exist: Bool {
    let updated = changes.indices.filter {
      if case .move(_, _, true) = changes[$0] { true } else { false }
    }
    var batches = [Int](repeating: 0, count: changes.count + updated.count)
    while true {
      let updates = Dictionary(uniqueKeysWithValues: zip(updated, batches[changes.count...]))
      if accepts(batches, updates) { return true }
      guard let index = batches.firstIndex(where: { $0 < count - 1 }) else { return false }
      for lower in 0..<index { batches[lower] = 0 }
      batches[index] += 1
    }
  }

  private func batch(_ batches: [Int], of change: Change) -> Int? {
    changes.firstIndex(of: change).map { batches[$0] }
  }

  /// - Parameter updates: the batches of the updates of moved objects.
  private func accepts(_ batches: [Int], _ updates: [Int: Int]) -> Bool {
    func moving(old section: Int) -> Int? {
      changes.firstIndex { if case .moveSection(section, _) = $0 { true } else { false } }
        .map { batches[$0] }
    }
    func moving(new section: Int) -> Int? {
      changes.firstIndex { if case .moveSection(_, section) = $0 { true } else { false } }
        .map { batches[$0] }
    }
    return changes.indices.allSatisfy { index in
      let own = batches[index]
      switch changes[index] {
      case .deleteSection, .insertSection, .moveSection: return true
      case .delete(let path):
        return own <= batch(batches, of: .deleteSection(path.section)) ?? own
          && own != moving(old: path.section)
      case .insert(let path):
        return own >= batch(batches, of: .insertSection(path.section)) ?? own
          && own != moving(new: path.section)
      case .update(let from, _), .reload(let from, _), .reconfigure(let from, _):
        return own != moving(old: from.section)
      case .move(let from, let to, let isChanged):
        if let deletion = batch(batches, of: .deleteSection(from.section)), own >= deletion {
          return false
        }
        if let insertion = batch(batches, of: .insertSection(to.section)), own <= insertion {
          return false
        }
        if own == moving(old: from.section) || own == moving(new: to.section) { return false }
        guard isChanged, let update = updates[index] else { return !isChanged }
        return update < own
          ? update != moving(old: from.section)
          : update > own && update != moving(new: to.section)
      }
    }
  }
}
