/// What stays, goes, comes and moves between two contents.
struct ChangePlan {
  private let old: SectionedTable
  private let new: SectionedTable
  private let pairing: ObjectPairing
  /// For each old section the new one that it stays as; -1 when it is deleted.
  private let newSections: [Int]
  private let stays: [Bool]

  init(old: SectionedTable, new: SectionedTable, pairing: ObjectPairing) {
    self.old = old
    self.new = new
    self.pairing = pairing
    let sections = SectionPairing(old: old.sections.titles, new: new.sections.titles)
    var stays = [Bool](repeating: false, count: old.order.count)
    var keeps = [Int](repeating: 0, count: old.sections.count)
    for (section, other) in sections.newSections.enumerated() where other >= 0 {
      let range = new.sections.positions(in: other)
      let positions = old.sections.positions(in: section)
        .filter { range.contains(pairing.newPositions[$0]) }
      let kept = IncreasingSubsequence.indexes(of: positions.map { pairing.newPositions[$0] })
      for index in kept { stays[positions[index]] = true }
      keeps[section] = kept.count
    }
    newSections = sections.staying(keeps: keeps)
    for (section, other) in newSections.enumerated() where other < 0 && keeps[section] > 0 {
      for position in old.sections.positions(in: section) { stays[position] = false }
    }
    self.stays = stays
  }

  /// The objects that stay where they are: their old and new positions, in order.
  var staying: [(old: Int, new: Int)] {
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
  /// The positions of a section's rows.
  fileprivate func positions(in section: Int) -> Range<Int> {
    offsets[section]..<offsets[section + 1]
  }
}
