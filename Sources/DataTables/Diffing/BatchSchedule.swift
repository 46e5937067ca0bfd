/// The batch of each of the changes between two contents, counted from 1: the first batch in which a
/// table view accepts the change.
struct BatchSchedule {
  struct SectionMove {
    let from: Int
    let to: Int
    fileprivate(set) var batch = 1
  }

  /// The number of batches; at least 1.
  private(set) var count = 1
  private var moves: [SectionMove] = []
  /// The indexes in `moves` of the moved sections, by their old and their new index.
  private var oldMoves: [Int: Int] = [:]
  private var newMoves: [Int: Int] = [:]
  private var inserted: Set<Int> = []
  /// For each deleted section, the batch that deletes it.
  private var deletions: [Int: Int] = [:]

  /// - Complexity: O(changes) expected.
  init(_ changes: [Change]) {
    for change in changes {
      switch change {
      case .deleteSection(let section): deletions[section] = 1
      case .insertSection(let section): inserted.insert(section)
      case .moveSection(let from, let to):
        oldMoves[from] = moves.count
        newMoves[to] = moves.count
        moves.append(SectionMove(from: from, to: to))
      default: break
      }
    }
    if !needsBatches(changes) { return }
    if let batches = batchesOfSectionMoves(changes) {
      count = 2
      for (move, batch) in batches.enumerated() { moves[move].batch = batch }
    } else {
      // Insert and move sections first, then move objects, then delete sections.
      count = 3
    }
    for case .move(let from, let to, let isChanged) in changes {
      guard let batch = deletions[from.section] else { continue }
      deletions[from.section] = max(batch, batchOfMove(from, to, isChanged) + 1)
    }
  }

  func isInserted(_ section: Int) -> Bool { inserted.contains(section) }

  /// The move of a section with an index in the old content; nil if it does not move.
  func move(ofOld section: Int) -> SectionMove? { oldMoves[section].map { moves[$0] } }

  func move(ofNew section: Int) -> SectionMove? { newMoves[section].map { moves[$0] } }

  func batch(of change: Change) -> Int {
    switch change {
    case .insertSection: 1
    case .deleteSection(let section): deletions[section] ?? 1
    case .moveSection(let from, _): move(ofOld: from)?.batch ?? 1
    case .delete(let path):
      deletions[path.section] ?? Self.batch(besides: move(ofOld: path.section))
    case .insert(let path): Self.batch(besides: move(ofNew: path.section))
    case .update(let path, _), .reload(let path, _), .reconfigure(let path, _):
      Self.batch(besides: move(ofOld: path.section))
    case .move(let from, let to, let isChanged): batchOfMove(from, to, isChanged)
    }
  }

  /// The batch that updates an object that moves and also changes; nil for other changes.
  func updateBatch(of change: Change) -> Int? {
    guard case .move(let from, let to, true) = change else { return nil }
    return updateBatch(
      besides: batch(of: change), move(ofOld: from.section), move(ofNew: to.section))
  }

  /// A batch in which objects of a section can change.
  private static func batch(besides move: SectionMove?) -> Int { move?.batch == 1 ? 2 : 1 }

  private func batchOfMove(_ from: IndexPath, _ to: IndexPath, _ isChanged: Bool) -> Int {
    let old = move(ofOld: from.section)
    let new = move(ofNew: to.section)
    let isLeaving = deletions[from.section] != nil
    return (1...count).first { batch in
      if batch == old?.batch || batch == new?.batch { return false }
      if batch == 1 && isInserted(to.section) || batch == count && isLeaving { return false }
      return !isChanged || updateBatch(besides: batch, old, new) != nil
    } ?? count
  }

  private func updateBatch(
    besides moving: Int, _ old: SectionMove?, _ new: SectionMove?
  ) -> Int? {
    (1...count).first { batch in
      batch < moving ? batch != old?.batch : batch > moving && batch != new?.batch
    }
  }

  /// Whether a table view refuses the changes in one batch.
  private func needsBatches(_ changes: [Change]) -> Bool {
    changes.contains { change in
      if case .move(let from, let to, let isChanged) = change,
        isChanged || deletions[from.section] != nil || isInserted(to.section)
      {
        return true
      }
      return change.oldPath.map { oldMoves[$0.section] != nil } ?? false
        || change.newPath.map { newMoves[$0.section] != nil } ?? false
    }
  }

  /// For each moved section, its batch if two batches are enough; nil if they are not.
  private func batchesOfSectionMoves(_ changes: [Change]) -> [Int]? {
    var batches = [Int?](repeating: nil, count: moves.count)
    // The sections that move in the same batch, because an object moves from one to the other.
    var neighbors = [[Int]](repeating: [], count: moves.count)
    for case .move(let from, let to, let isChanged) in changes {
      let old = oldMoves[from.section]
      let new = newMoves[to.section]
      let canBeFirst = !isInserted(to.section) && !(isChanged && new != nil)
      let canBeSecond = deletions[from.section] == nil && !(isChanged && old != nil)
      if !canBeFirst && !canBeSecond { return nil }
      if canBeFirst && canBeSecond {
        guard let old, let new else { continue }
        neighbors[old].append(new)
        neighbors[new].append(old)
      } else {
        let batch = canBeFirst ? 2 : 1
        for move in [old, new].compactMap({ $0 }) {
          if let other = batches[move], other != batch { return nil }
          batches[move] = batch
        }
      }
    }
    var reached = batches.indices.filter { batches[$0] != nil }
    while let move = reached.popLast() {
      for neighbor in neighbors[move] {
        if batches[neighbor] == nil {
          batches[neighbor] = batches[move]
          reached.append(neighbor)
        } else if batches[neighbor] != batches[move] {
          return nil
        }
      }
    }
    return batches.map { $0 ?? 1 }
  }
}
