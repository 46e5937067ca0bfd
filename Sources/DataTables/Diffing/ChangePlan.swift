/// The deletions, insertions, moves and unmoved objects between two contents.
struct ChangePlan {
  private let old: SectionedTable
  private let new: SectionedTable
  private let pairing: ObjectPairing
  /// For each old section, the new section that it stays as; -1 if it is deleted.
  private let newSections: [Int]
  private let stays: [Bool]

  init(old: SectionedTable, new: SectionedTable, pairing: ObjectPairing) {
    self.old = old
    self.new = new
    self.pairing = pairing
    let sections = SectionPairing(old: old.sections.titles, new: new.sections.titles)
    var stays = [Bool](repeating: false, count: old.order.count)
    var keptObjects = [Int](repeating: 0, count: old.sections.count)
    for (section, other) in sections.newSections.enumerated() where other >= 0 {
      let range = new.sections.positions(in: other)
      let positions = old.sections.positions(in: section)
        .filter { range.contains(pairing.newPositions[$0]) }
      let kept = IncreasingSubsequence.indexes(of: positions.map { pairing.newPositions[$0] })
      for index in kept { stays[positions[index]] = true }
      keptObjects[section] = kept.count
    }
    newSections = sections.staying(keptObjects: keptObjects)
    for (section, other) in newSections.enumerated() where other < 0 && keptObjects[section] > 0 {
      for position in old.sections.positions(in: section) { stays[position] = false }
    }
    self.stays = stays
  }

  /// The old and new positions of the objects that do not move, in order.
  var unmoved: [(old: Int, new: Int)] {
    stays.indices.filter { stays[$0] }.map { ($0, pairing.newPositions[$0]) }
  }

  func changes(updates: [(old: Int, new: Int)]) -> [Change] {
    var isInserted = [Bool](repeating: true, count: new.sections.count)
    for section in newSections where section >= 0 { isInserted[section] = false }
    var changes: [Change] = []
    for section in newSections.indices where newSections[section] < 0 {
      changes.append(.deleteSection(section))
      appendDeletes(in: section, to: &changes)
    }
    for section in isInserted.indices where isInserted[section] {
      changes.append(.insertSection(section))
      appendInserts(in: section, to: &changes)
    }
    for section in newSections.indices where newSections[section] >= 0 {
      appendDeletes(in: section, to: &changes)
    }
    for section in isInserted.indices where !isInserted[section] {
      appendInserts(in: section, to: &changes)
    }
    for position in stays.indices where !stays[position] && pairing.newPositions[position] >= 0 {
      changes.append(
        .move(from: old.path(position), to: new.path(pairing.newPositions[position])))
    }
    for pair in updates {
      changes.append(.update(from: old.path(pair.old), to: new.path(pair.new)))
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

extension Sections {
  /// The positions of the rows of a section.
  fileprivate func positions(in section: Int) -> Range<Int> {
    offsets[section]..<offsets[section + 1]
  }
}

/// Pairs the objects of an old content with those of a new one.
struct ObjectPairing {
  /// For each old position, the new position of the same object; -1 if there is none.
  let newPositions: [Int]
  /// For each new position, whether its object was in the old content.
  let isOld: [Bool]

  /// The k-th of equal numbers is paired with the k-th.
  /// - Complexity: O(positions + greatest number).
  init(old: [UInt32], new: [UInt32]) {
    let bound = Int(max(old.max() ?? 0, new.max() ?? 0)) + 1
    // A linked list of positions for each number, beginning with its first position.
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

/// Pairs the sections of an old content with those of a new one, and chooses the ones that do not
/// move.
private struct SectionPairing {
  /// For each old section, the new section with the same title and the same place among the
  /// sections with that title; -1 if there is none.
  let newSections: [Int]

  /// - Complexity: O(sections) expected.
  init(old: [Value], new: [Value]) {
    var places: [Value: [Int]] = [:]
    for (section, title) in new.enumerated().reversed() {
      places[title, default: []].append(section)
    }
    newSections = old.map { places[$0]?.popLast() ?? -1 }
  }

  /// For each old section, the new section that it stays as; -1 if it is deleted, even if a section
  /// with its title is inserted.
  ///
  /// The sections that stay keep the most objects in their places. Among equal choices, the one
  /// that keeps the first objects is taken. Sections that keep no object stay if they fit between
  /// these, as many as possible.
  /// - Parameter keptObjects: for each old section, the number of its objects that stay if the
  ///   section stays.
  func staying(keptObjects: [Int]) -> [Int] {
    var staying = [Int](repeating: -1, count: newSections.count)
    let heavy = newSections.indices.filter { newSections[$0] >= 0 && keptObjects[$0] > 0 }
    let chosen = IncreasingSubsequence.heaviestIndexes(
      of: heavy.map { newSections[$0] }, weights: heavy.map { keptObjects[$0] }
    ).map { heavy[$0] }
    for section in chosen { staying[section] = newSections[section] }
    // Between each two of these, before the first and after the last.
    var low = (old: -1, new: -1)
    for section in chosen + [newSections.count] {
      let high = (
        old: section, new: section < newSections.count ? newSections[section] : Int.max
      )
      let light = (low.old + 1..<high.old).filter {
        keptObjects[$0] == 0 && newSections[$0] > low.new && newSections[$0] < high.new
      }
      for index in IncreasingSubsequence.indexes(of: light.map { newSections[$0] }) {
        staying[light[index]] = newSections[light[index]]
      }
      low = high
    }
    return staying
  }
}
