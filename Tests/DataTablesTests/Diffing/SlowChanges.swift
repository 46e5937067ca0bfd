import DataTables

/// Finds the objects that do not move from the old to the new content, by trying every choice.
struct SlowChanges {
  let old: SectionedObjects
  let new: SectionedObjects

  /// The old index paths of the objects that do not move: as many as possible, and among equal
  /// choices the first ones.
  func bestKept() -> [IndexPath] {
    let partners = partners()
    let sections = sectionPartners()
    var best: [IndexPath] = []
    for chosen in Self.subsets(of: Array(sections.keys).sorted())
    where Self.ascends(chosen.compactMap { sections[$0] }) {
      let kept = chosen.flatMap { section in
        keptRows(section, in: sections[section] ?? -1, partners)
      }
      if kept.count > best.count
        || kept.count == best.count && kept.lexicographicallyPrecedes(best)
      {
        best = kept
      }
    }
    return best
  }

  private func keptRows(
    _ section: Int, in other: Int, _ partners: [IndexPath: IndexPath]
  ) -> [IndexPath] {
    let candidates = old.sections[section].objects.indices
      .map { IndexPath(section: section, row: $0) }
      .filter { partners[$0]?.section == other }
    var best: [IndexPath] = []
    for kept in Self.subsets(of: candidates) where Self.ascends(kept.compactMap { partners[$0] }) {
      if kept.count > best.count
        || kept.count == best.count && kept.lexicographicallyPrecedes(best)
      {
        best = kept
      }
    }
    return best
  }

  /// For each old section, the new section that is the k-th with the same title, as the old one is.
  private func sectionPartners() -> [Int: Int] {
    var partners: [Int: Int] = [:]
    for (section, content) in old.sections.enumerated() {
      let number = old.sections[..<section].count { $0.title == content.title }
      let others = new.sections.indices.filter { new.sections[$0].title == content.title }
      if number < others.count { partners[section] = others[number] }
    }
    return partners
  }

  /// For each old object, the new object that is the k-th of its equals, as the old one is.
  private func partners() -> [IndexPath: IndexPath] {
    let before = Self.entries(in: old)
    let after = Self.entries(in: new)
    var partners: [IndexPath: IndexPath] = [:]
    for (index, entry) in before.enumerated() {
      let number = before[..<index].count { $0.object == entry.object }
      let others = after.filter { $0.object == entry.object }
      if number < others.count { partners[entry.path] = others[number].path }
    }
    return partners
  }

  private static func entries(in content: SectionedObjects) -> [(path: IndexPath, object: Value)] {
    content.sections.enumerated().flatMap { section, content in
      content.objects.enumerated().map { (IndexPath(section: section, row: $0), $1) }
    }
  }

  private static func subsets<Element>(of elements: [Element]) -> [[Element]] {
    (0..<1 << elements.count).map { bits in
      elements.indices.filter { bits >> $0 & 1 == 1 }.map { elements[$0] }
    }
  }

  private static func ascends(_ elements: [some Comparable]) -> Bool {
    zip(elements, elements.dropFirst()).allSatisfy { $0 < $1 }
  }
}
