/// The deletions, insertions and moves that turn the old content into the new content, and the
/// objects that do not move.
struct ChangePlan {
  private let old: SectionedTable
  private let new: SectionedTable
  private let pairing: ObjectPairing
  /// For each old section, the new section that it becomes; -1 if it is deleted.
  private let newSections: [Int]
  /// For each old position, whether its object is in the new content and does not move.
  private let isUnmoved: [Bool]

  init(old: SectionedTable, new: SectionedTable, pairing: ObjectPairing) {
    self.old = old
    self.new = new
    self.pairing = pairing
    let sections = SectionPairing(old: old.sections.titles, new: new.sections.titles)
    var isUnmoved = [Bool](repeating: false, count: old.order.count)
    var unmovedCounts = [Int](repeating: 0, count: old.sections.count)
    for (section, other) in sections.newSections.enumerated() where other >= 0 {
      let range = new.sections.positions(in: other)
      let positions = old.sections.positions(in: section)
        .filter { range.contains(pairing.newPositions[$0]) }
      let unmoved = IncreasingSubsequence.indexes(of: positions.map { pairing.newPositions[$0] })
      for index in unmoved { isUnmoved[positions[index]] = true }
      unmovedCounts[section] = unmoved.count
    }
    newSections = sections.keptSections(unmovedCounts: unmovedCounts)
    for (section, other) in newSections.enumerated() where other < 0 && unmovedCounts[section] > 0 {
      for position in old.sections.positions(in: section) { isUnmoved[position] = false }
    }
    self.isUnmoved = isUnmoved
  }

  /// The old and new positions of the objects that do not move, in order.
  var unmoved: [(old: Int, new: Int)] {
    isUnmoved.indices.filter { isUnmoved[$0] }.map { ($0, pairing.newPositions[$0]) }
  }

  func changes(updates: [(old: Int, new: Int)]) -> [Change] {
    var changes = SectionPairing.changes(
      newSections, count: new.sections.count, deletes: appendDeletes, inserts: appendInserts)
    for position in isUnmoved.indices
    where !isUnmoved[position] && pairing.newPositions[position] >= 0 {
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

/// Pairs the sections of the old content with those of the new content, and chooses the sections
/// that are kept.
struct SectionPairing {
  /// For each old section, the new section that corresponds to it; -1 if there is none. The k-th
  /// old section with a title corresponds to the k-th new section with that title.
  let newSections: [Int]

  /// The deleted and inserted sections, each with its objects, then the objects that are deleted from
  /// and inserted into the other sections.
  ///
  /// - Parameters:
  ///   - kept: the result of ``keptSections(unmovedCounts:)``.
  ///   - count: the number of new sections.
  ///   - deletes: appends the deletions of objects of an old section.
  ///   - inserts: appends the insertions of objects of a new section.
  static func changes(
    _ kept: [Int], count: Int, deletes: (Int, inout [Change]) -> Void,
    inserts: (Int, inout [Change]) -> Void
  ) -> [Change] {
    var isInserted = [Bool](repeating: true, count: count)
    for section in kept where section >= 0 { isInserted[section] = false }
    var changes: [Change] = []
    for section in kept.indices where kept[section] < 0 {
      changes.append(.deleteSection(section))
      deletes(section, &changes)
    }
    for section in isInserted.indices where isInserted[section] {
      changes.append(.insertSection(section))
      inserts(section, &changes)
    }
    for section in kept.indices where kept[section] >= 0 { deletes(section, &changes) }
    for section in isInserted.indices where !isInserted[section] { inserts(section, &changes) }
    return changes
  }

  /// - Complexity: O(sections) expected.
  init(old: [Value], new: [Value]) {
    var sectionsByTitle: [Value: [Int]] = [:]
    for (section, title) in new.enumerated().reversed() {
      sectionsByTitle[title, default: []].append(section)
    }
    newSections = old.map { sectionsByTitle[$0]?.popLast() ?? -1 }
  }

  /// For each old section, the new section that it becomes; -1 if it is deleted, even if a section
  /// with its title is inserted.
  ///
  /// The kept sections have the same order in the old and the new content. They are chosen so that
  /// as many objects as possible do not move; among equal choices, the first sections are kept.
  /// Between these sections, as many sections without unmoved objects as possible are kept.
  ///
  /// - Parameter unmovedCounts: for each old section, the number of its objects that do not move if
  ///   the section is kept.
  func keptSections(unmovedCounts: [Int]) -> [Int] {
    var kept = [Int](repeating: -1, count: newSections.count)
    let heavy = newSections.indices.filter { newSections[$0] >= 0 && unmovedCounts[$0] > 0 }
    let chosen = IncreasingSubsequence.heaviestIndexes(
      of: heavy.map { newSections[$0] }, weights: heavy.map { unmovedCounts[$0] }
    ).map { heavy[$0] }
    for section in chosen { kept[section] = newSections[section] }
    // Keep sections without unmoved objects before the first chosen section, between chosen
    // sections, and after the last one.
    var low = (old: -1, new: -1)
    for section in chosen + [newSections.count] {
      let high = (
        old: section, new: section < newSections.count ? newSections[section] : Int.max
      )
      let light = (low.old + 1..<high.old).filter {
        unmovedCounts[$0] == 0 && newSections[$0] > low.new && newSections[$0] < high.new
      }
      for index in IncreasingSubsequence.indexes(of: light.map { newSections[$0] }) {
        kept[light[index]] = newSections[light[index]]
      }
      low = high
    }
    return kept
  }
}
