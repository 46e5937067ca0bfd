/// Pairs the sections of the old content with those of the new content, and chooses the sections
/// that are kept.
struct SectionPairing {
  /// For each old section, the new section that corresponds to it; -1 if there is none. The k-th
  /// old section with a title corresponds to the k-th new section with that title.
  let newSections: [Int]

  /// - Complexity: O(sections) expected.
  init(old: [Value], new: [Value]) {
    var sectionsByTitle: [Value: [Int]] = [:]
    for (section, title) in new.enumerated().reversed() {
      sectionsByTitle[title, default: []].append(section)
    }
    newSections = old.map { sectionsByTitle[$0]?.popLast() ?? -1 }
  }

  /// The sections that are not deleted.
  ///
  /// The kept sections have the same order in the old and the new content. They are chosen so that
  /// as few objects as possible move; among equal choices, so that as many unchanged objects as
  /// possible do not move; then the first sections are kept. Between these sections, as many
  /// sections without unmoved objects as possible are kept.
  ///
  /// If sections move, all corresponding ones are kept, and as few as possible move; among equal
  /// choices, those with the most unmoved objects stay, then the first ones.
  ///
  /// - Parameter weights: for each old section, the number of its objects that do not move if the
  ///   section is kept.
  func keptSections(
    weights: [IncreasingSubsequence.Weight], movesSections: Bool
  ) -> KeptSections {
    if movesSections { return movedSections(weights: weights) }
    var kept = [Int](repeating: -1, count: newSections.count)
    let heavy = newSections.indices.filter { newSections[$0] >= 0 && weights[$0] > .zero }
    let chosen = IncreasingSubsequence.heaviestIndexes(of: heavy.map { newSections[$0] }) {
      weights[heavy[$0]]
    }.map { heavy[$0] }
    for section in chosen { kept[section] = newSections[section] }
    // Keep sections without unmoved objects before the first chosen section, between chosen
    // sections, and after the last one.
    var low = (old: -1, new: -1)
    for section in chosen + [newSections.count] {
      let high = (
        old: section, new: section < newSections.count ? newSections[section] : Int.max
      )
      let light = (low.old + 1..<high.old).filter {
        weights[$0] == .zero && newSections[$0] > low.new && newSections[$0] < high.new
      }
      let between = IncreasingSubsequence.heaviestIndexes(of: light.map { newSections[$0] }) { _ in
        .one
      }
      for index in between { kept[light[index]] = newSections[light[index]] }
      low = high
    }
    return KeptSections(newSections: kept, moved: [])
  }

  private func movedSections(weights: [IncreasingSubsequence.Weight]) -> KeptSections {
    let kept = newSections.indices.filter { newSections[$0] >= 0 }
    let unmoved = IncreasingSubsequence.heaviestIndexes(of: kept.map { newSections[$0] }) {
      IncreasingSubsequence.Weight(count: 1, unchanged: weights[kept[$0]].count)
    }
    var isUnmoved = [Bool](repeating: false, count: kept.count)
    for index in unmoved { isUnmoved[index] = true }
    return KeptSections(
      newSections: newSections, moved: kept.indices.filter { !isUnmoved[$0] }.map { kept[$0] })
  }
}

/// The old sections that the new content has too.
struct KeptSections {
  /// For each old section, the new section that it becomes; -1 if it is deleted, even if a section
  /// with its title is inserted.
  let newSections: [Int]
  /// The kept sections that move among the others, ascending.
  let moved: [Int]

  /// The deleted and inserted sections, each with its objects, and the moved sections; then the
  /// objects that are deleted from and inserted into the other sections.
  ///
  /// - Parameters:
  ///   - count: the number of new sections.
  ///   - deletes: appends the deletions of objects of an old section.
  ///   - inserts: appends the insertions of objects of a new section.
  func changes(
    count: Int, deletes: (Int, inout [Change]) -> Void, inserts: (Int, inout [Change]) -> Void
  ) -> [Change] {
    var isInserted = [Bool](repeating: true, count: count)
    for section in newSections where section >= 0 { isInserted[section] = false }
    var changes: [Change] = []
    for section in newSections.indices where newSections[section] < 0 {
      changes.append(.deleteSection(section))
      deletes(section, &changes)
    }
    for section in isInserted.indices where isInserted[section] {
      changes.append(.insertSection(section))
      inserts(section, &changes)
    }
    for section in moved { changes.append(.moveSection(from: section, to: newSections[section])) }
    for section in newSections.indices where newSections[section] >= 0 {
      deletes(section, &changes)
    }
    for section in isInserted.indices where !isInserted[section] { inserts(section, &changes) }
    return changes
  }
}
