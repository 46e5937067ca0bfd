import DataTables
import TestSupport

/// Finds the objects that do not move from the old to the new content, by trying every choice.
struct SlowChanges {
  let old: SectionedObjects
  let new: SectionedObjects
  var id: ObjectKeyPath?

  /// Objects that do not move.
  private struct Choice {
    var kept: [IndexPath] = []
    /// How many of them did not change.
    var unchanged = 0

    /// More objects are better, then more unchanged ones, then the first ones.
    func isBetter(than other: Choice) -> Bool {
      if kept.count != other.kept.count { return kept.count > other.kept.count }
      if unchanged != other.unchanged { return unchanged > other.unchanged }
      return kept.lexicographicallyPrecedes(other.kept)
    }
  }

  /// The old index paths of the objects that do not move: as many as possible, among equal choices
  /// those that did not change, and then the first ones.
  func bestKept() -> [IndexPath] {
    let partners = partners()
    let sections = sectionPartners()
    var best = Choice()
    for chosen in Self.subsets(of: Array(sections.keys).sorted())
    where Self.ascends(chosen.compactMap { sections[$0] }) {
      var choice = Choice()
      for section in chosen {
        let part = keptRows(section, in: sections[section] ?? -1, partners)
        choice.kept += part.kept
        choice.unchanged += part.unchanged
      }
      if choice.isBetter(than: best) { best = choice }
    }
    return best.kept
  }

  private func keptRows(
    _ section: Int, in other: Int, _ partners: [IndexPath: IndexPath]
  ) -> Choice {
    let candidates = old.sections[section].objects.indices
      .map { IndexPath(section: section, row: $0) }
      .filter { partners[$0]?.section == other }
    var best = Choice()
    for kept in Self.subsets(of: candidates) where Self.ascends(kept.compactMap { partners[$0] }) {
      let unchanged = kept.count { path in
        partners[path].map { new[$0] == old[path] } ?? false
      }
      let choice = Choice(kept: kept, unchanged: unchanged)
      if choice.isBetter(than: best) { best = choice }
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
    let before = entries(in: old)
    let after = entries(in: new)
    var partners: [IndexPath: IndexPath] = [:]
    for (index, entry) in before.enumerated() {
      let number = before[..<index].count { $0.identity == entry.identity }
      let others = after.filter { $0.identity == entry.identity }
      if number < others.count { partners[entry.path] = others[number].path }
    }
    return partners
  }

  private func entries(in content: SectionedObjects) -> [(path: IndexPath, identity: Value)] {
    content.sections.enumerated().flatMap { section, content in
      content.objects.enumerated().map { row, object in
        (IndexPath(section: section, row: row), id?.evaluate(on: object) ?? object)
      }
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
