/// A change in one of several successive batches.
public struct StagedChange: Hashable, Sendable {
  /// The change, with every `from` in the content before its batch and every `to` in the content
  /// after it.
  public let change: Change
  /// The same change between the first and the last content; the move of the object for an update of
  /// a moved object.
  public let whole: Change

  package init(change: Change, whole: Change) {
    self.change = change
    self.whole = whole
  }
}

extension [Change] {
  /// The changes split into successive batches that UITableView and NSCollectionView accept: one
  /// batch if they accept all changes at once, else two or three.
  ///
  /// These views refuse, within one batch, moves of objects out of deleted sections and into inserted
  /// ones, updates of objects that move, and changes of objects in a section that moves. An object
  /// that moves and also changes is updated in another batch than it moves. Nothing else is added,
  /// and nothing is reloaded; there are as few batches as possible.
  ///
  /// - Precondition: the changes are those that ``SectionedTable/changes(to:id:movesSections:cancellation:)``
  ///   returns, in their order.
  /// - Complexity: O(n log n) for n changes.
  public func batches() -> [[StagedChange]] {
    if isEmpty { return [] }
    let schedule = BatchSchedule(self)
    if schedule.count == 1 { return [map { StagedChange(change: $0, whole: $0) }] }
    let stages = ContentStages(self, schedule)
    var batches = [[StagedChange]](repeating: [], count: schedule.count)
    var updates = batches
    for change in self {
      let batch = schedule.batch(of: change)
      batches[batch - 1].append(
        StagedChange(change: stages.change(change, in: batch), whole: change))
      if let batch = schedule.updateBatch(of: change) {
        updates[batch - 1].append(
          StagedChange(change: stages.update(of: change, in: batch), whole: change))
      }
    }
    return zip(batches, updates).map { $0 + $1 }
  }
}

/// The contents before the first batch, between the batches and after the last one, as far as the
/// index paths of changes depend on them. The content after batch n has number n.
private struct ContentStages {
  private let schedule: BatchSchedule
  private let sections: StagedList
  /// The objects of each section that changes, by the key of the section.
  private var rows: [Int: StagedList] = [:]

  init(_ changes: [Change], _ schedule: BatchSchedule) {
    self.schedule = schedule
    var sections = StagedList.Elements()
    for change in changes {
      let batch = schedule.batch(of: change)
      switch change {
      case .deleteSection(let section): sections.departures.append((section, batch))
      case .insertSection(let section): sections.arrivals.append((section, batch))
      case .moveSection(let from, let to):
        sections.departures.append((from, batch))
        sections.arrivals.append((to, batch))
      default: break
      }
    }
    self.sections = StagedList(sections, batches: schedule.count)
    var rows: [Int: StagedList.Elements] = [:]
    for change in changes {
      let batch = schedule.batch(of: change)
      switch change {
      case .delete(let path):
        rows[path.section, default: .init()].departures.append((path.row, batch))
      case .insert(let path):
        rows[key(ofNew: path.section), default: .init()].arrivals.append((path.row, batch))
      case .move(let from, let to, _):
        rows[from.section, default: .init()].departures.append((from.row, batch))
        rows[key(ofNew: to.section), default: .init()].arrivals.append((to.row, batch))
      default: break
      }
    }
    self.rows = rows.mapValues { StagedList($0, batches: schedule.count) }
  }

  /// A change of one batch.
  func change(_ change: Change, in batch: Int) -> Change {
    switch change {
    case .deleteSection(let section): .deleteSection(old(section, in: batch - 1))
    case .insertSection(let section): .insertSection(new(section, in: batch))
    case .moveSection(let from, let to):
      .moveSection(from: old(from, in: batch - 1), to: new(to, in: batch))
    default: change.mapped(old: { old($0, in: batch - 1) }, new: { new($0, in: batch) })
    }
  }

  /// The update of an object that another batch moves.
  func update(of move: Change, in batch: Int) -> Change {
    guard let from = move.oldPath, let to = move.newPath else { return move }
    return schedule.batch(of: move) > batch
      ? .update(from: old(from, in: batch - 1), to: old(from, in: batch))
      : .update(from: new(to, in: batch - 1), to: new(to, in: batch))
  }

  /// The index in one of the contents of a section with an index in the first one.
  private func old(_ section: Int, in stage: Int) -> Int {
    if let move = schedule.move(ofOld: section), move.batch <= stage {
      return sections.position(ofNew: move.to, in: stage)
    }
    return sections.position(ofOld: section, in: stage)
  }

  /// The index in one of the contents of a section with an index in the last one.
  private func new(_ section: Int, in stage: Int) -> Int {
    if let move = schedule.move(ofNew: section), move.batch > stage {
      return sections.position(ofOld: move.from, in: stage)
    }
    return sections.position(ofNew: section, in: stage)
  }

  private func old(_ path: IndexPath, in stage: Int) -> IndexPath {
    IndexPath(
      section: old(path.section, in: stage),
      row: rows[path.section]?.position(ofOld: path.row, in: stage) ?? path.row)
  }

  private func new(_ path: IndexPath, in stage: Int) -> IndexPath {
    IndexPath(
      section: new(path.section, in: stage),
      row: rows[key(ofNew: path.section)]?.position(ofNew: path.row, in: stage) ?? path.row)
  }

  /// The first index of a section of the last content; a negative number for an inserted section.
  private func key(ofNew section: Int) -> Int {
    schedule.isInserted(section) ? -1 - section : new(section, in: 0)
  }
}
