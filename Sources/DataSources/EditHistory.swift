package import DataTables
import Synchronization

/// Edits that are made, undone and redone together.
public final class EditGroup {
  /// Ascends whenever an edit is made, undone or redone.
  private(set) var order = 0
  /// The number of objects that the edits changed.
  public internal(set) var counts = EditCounts()
  private var weakSources: [WeakSource] = []
  private static let lastOrder = Mutex(0)

  /// Marks the group as the one that was made, undone or redone last.
  func touch() {
    order = Self.lastOrder.withLock {
      $0 += 1
      return $0
    }
  }

  /// The sources whose objects were changed, in the order of their first edits.
  public internal(set) var sources: [any DataSource] {
    get { weakSources.compactMap(\.source) }
    set { weakSources = newValue.map { WeakSource(source: $0) } }
  }
}

/// The current rows of a source with edits, and the changes that can be undone and redone.
///
/// - Complexity: changes are stored, not rows or objects.
public final class EditHistory {
  private struct Entry {
    let group: EditGroup
    var changes: [RowList.Replacement]
  }
  package private(set) var rows: RowList
  /// Called after ``rows`` has changed, except by ``reset(count:)``.
  var didChange: (() -> Void)?
  private var done: [Entry] = []
  private var undone: [Entry] = []

  init(count: Int) { rows = RowList(count: count) }

  /// The last edit that was made and not undone.
  public var last: EditGroup? { done.last?.group }
  /// The edit that was undone last.
  public var next: EditGroup? { undone.last?.group }

  /// Forgets all edits: the rows are those of new content.
  func reset(count: Int) {
    rows = RowList(count: count)
    clearUndone()
    // The changes of other sources can still be undone: those of this one are gone.
    for entry in done {
      entry.group.sources.removeAll { ($0 as? any EditedSource)?.history === self }
    }
    done = []
  }

  /// Replaces the rows at some positions, as part of a group.
  func replace(_ positions: Range<Int>, with rows: [Range<Int>], in group: EditGroup) {
    record(self.rows.replace(positions, with: rows), in: group)
  }

  /// Replaces single rows at several ascending positions, each with some rows, as part of a group.
  func replace(_ positions: [Int], with rows: [Range<Int>], in group: EditGroup) {
    if positions.isEmpty { return }
    record(self.rows.replace(positions, with: rows), in: group)
  }

  private func record(_ change: RowList.Replacement, in group: EditGroup) {
    if done.last?.group === group {
      done[done.count - 1].changes.append(change)
    } else {
      done.append(Entry(group: group, changes: [change]))
    }
    didChange?()
  }

  /// The number of changes of a group.
  func count(of group: EditGroup) -> Int {
    if let last = done.last, last.group === group { last.changes.count } else { 0 }
  }

  /// Reverts the last changes of a group until `count` of them are left.
  func revert(_ group: EditGroup, to count: Int) {
    guard let last = done.last, last.group === group else { return }
    for change in last.changes[count...].reversed() { rows.apply(change.inverse) }
    if count == 0 {
      done.removeLast()
    } else {
      done[done.count - 1].changes.removeSubrange(count...)
    }
    didChange?()
  }

  func undo() {
    guard let entry = done.popLast() else { return }
    for change in entry.changes.reversed() { rows.apply(change.inverse) }
    undone.append(entry)
    didChange?()
  }

  func redo() {
    guard let entry = undone.popLast() else { return }
    for change in entry.changes { rows.apply(change) }
    done.append(entry)
    didChange?()
  }

  /// Forgets what could be redone, because another edit was made.
  func clearUndone() {
    let groups = undone.map(\.group)
    undone = []
    // Groups that changed other sources too cannot be redone as a whole.
    for group in groups {
      for case let source as any EditedSource in group.sources {
        source.history.removeUndone(group)
      }
    }
  }

  /// Forgets a group that could be redone, and those that were made after it.
  private func removeUndone(_ group: EditGroup) {
    guard let index = undone.firstIndex(where: { $0.group === group }) else { return }
    undone.removeFirst(index + 1)
  }
}
