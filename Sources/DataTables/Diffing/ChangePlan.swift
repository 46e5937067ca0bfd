/// The deletions, insertions and moves that turn the old content into the new content, and the
/// objects that do not move.
struct ChangePlan {
  private let old: SectionedTable
  private let new: SectionedTable
  private let pairing: ObjectPairing
  private let sections: KeptSections
  /// For each old position, whether its object is in the new content and does not move.
  private let isUnmoved: [Bool]
  /// For each old position, whether its object is in the new content and differs there; nil if none
  /// does.
  private let isChanged: [Bool]?

  /// - Parameter movesSections: whether sections in another order are moved; otherwise they are
  ///   deleted and inserted.
  /// - Complexity: O(objects) if no objects of a section change their order; see
  ///   ``IncreasingSubsequence/heaviestIndexes(of:weight:)``.
  init(
    old: SectionedTable, new: SectionedTable, pairing: ObjectPairing, isChanged: [Bool]?,
    movesSections: Bool
  ) {
    self.old = old
    self.new = new
    self.pairing = pairing
    self.isChanged = isChanged
    let pairs = SectionPairing(old: old.sections.titles, new: new.sections.titles)
    var isUnmoved = [Bool](repeating: false, count: old.order.count)
    var weights = [IncreasingSubsequence.Weight](repeating: .zero, count: old.sections.count)
    for (section, other) in pairs.newSections.enumerated() where other >= 0 {
      let range = new.sections.positions(in: other)
      var positions: [Int] = []
      var newPositions: [Int] = []
      for position in old.sections.positions(in: section)
      where range.contains(pairing.newPositions[position]) {
        positions.append(position)
        newPositions.append(pairing.newPositions[position])
      }
      func weight(_ position: Int) -> IncreasingSubsequence.Weight {
        IncreasingSubsequence.Weight(count: 1, unchanged: isChanged?[position] ?? false ? 0 : 1)
      }
      let unmoved = IncreasingSubsequence.heaviestIndexes(of: newPositions) {
        weight(positions[$0])
      }
      for index in unmoved {
        isUnmoved[positions[index]] = true
        weights[section] = weights[section] + weight(positions[index])
      }
    }
    sections = pairs.keptSections(weights: weights, movesSections: movesSections)
    for (section, other) in sections.newSections.enumerated()
    where other < 0 && weights[section] > .zero {
      for position in old.sections.positions(in: section) { isUnmoved[position] = false }
    }
    self.isUnmoved = isUnmoved
  }

  var changes: [Change] {
    var changes = sections.changes(
      count: new.sections.count, deletes: appendDeletes, inserts: appendInserts)
    for position in isUnmoved.indices
    where !isUnmoved[position] && pairing.newPositions[position] >= 0 {
      changes.append(
        .move(
          from: old.path(position), to: new.path(pairing.newPositions[position]),
          isChanged: isChanged?[position] ?? false))
    }
    guard let isChanged else { return changes }
    for position in isUnmoved.indices where isUnmoved[position] && isChanged[position] {
      changes.append(
        .update(from: old.path(position), to: new.path(pairing.newPositions[position])))
    }
    return changes
  }

  private func appendDeletes(in section: Int, to changes: inout [Change]) {
    let positions = old.sections.positions(in: section)
    for position in positions where pairing.newPositions[position] < 0 {
      changes.append(
        .delete(IndexPath(section: section, row: position - positions.lowerBound)))
    }
  }

  private func appendInserts(in section: Int, to changes: inout [Change]) {
    let positions = new.sections.positions(in: section)
    for position in positions where !pairing.isOld[position] {
      changes.append(
        .insert(IndexPath(section: section, row: position - positions.lowerBound)))
    }
  }
}

/// Pairs the objects of the old content with those of the new content.
struct ObjectPairing {
  /// For each old position, the new position of the same object; -1 if there is none.
  let newPositions: [Int]
  /// For each new position, whether its object was in the old content.
  let isOld: [Bool]

  /// Pairs the k-th occurrence of a number in `old` with its k-th occurrence in `new`.
  ///
  /// - Complexity: O(positions + greatest number).
  init(old: [UInt32], new: [UInt32]) {
    let bound = Int(max(old.max() ?? 0, new.max() ?? 0)) + 1
    // A linked list of the positions of each number, the first position first.
    var heads = [Int](repeating: -1, count: bound)
    var next = [Int](repeating: -1, count: new.count)
    for position in new.indices.reversed() {
      next[position] = heads[Int(new[position])]
      heads[Int(new[position])] = position
    }
    var isOld = [Bool](repeating: false, count: new.count)
    newPositions = old.map { number in
      let position = heads[Int(number)]
      guard position >= 0 else { return -1 }
      heads[Int(number)] = next[position]
      isOld[position] = true
      return position
    }
    self.isOld = isOld
  }
}
