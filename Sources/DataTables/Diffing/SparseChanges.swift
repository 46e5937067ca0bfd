/// Two contents that differ in few objects, without the objects themselves: the changes between them
/// are found in time that depends on the sections and the differing objects only.
///
/// All other objects have the same order in both contents, and are in sections with the same title.
public struct SparseChanges: Sendable {
  /// An object that was deleted, inserted, changed or moved.
  public struct Row: Sendable {
    /// The position over all sections of the old content; nil if the object was inserted.
    public let old: Int?
    /// The position over all sections of the new content; nil if the object was deleted.
    public let new: Int?
    /// Whether an object of both contents differs in them.
    public let isChanged: Bool

    public init(old: Int?, new: Int?, isChanged: Bool = true) {
      self.old = old
      self.new = new
      self.isChanged = isChanged
    }
  }
  private let old: Side
  private let new: Side
  /// Ascending by the old position, inserted ones last.
  private let rows: [Row]
  /// The new positions of the inserted objects.
  private let inserted: Set<Int>
  private let pairing: SectionPairing

  /// - Parameter rows: each position of a content occurs once.
  /// - Returns: nil if other objects are in sections that share a title, or if the other objects do
  ///   not have the same sections.
  public init?(old: Sections, new: Sections, rows: [Row]) {
    self.rows = rows.sorted { ($0.old ?? .max, $0.new ?? .max) < ($1.old ?? .max, $1.new ?? .max) }
    inserted = Set(rows.lazy.filter { $0.old == nil }.compactMap(\.new))
    self.old = Side(old, touched: self.rows.compactMap(\.old))
    self.new = Side(new, touched: self.rows.compactMap(\.new).sorted())
    guard self.old.isTouchedWhereTitlesAreShared, self.new.isTouchedWhereTitlesAreShared else {
      return nil
    }
    pairing = SectionPairing(old: old.titles, new: new.titles)
    var untouched = [Int](repeating: 0, count: new.count)
    for (section, other) in pairing.newSections.enumerated() {
      let count = self.old.numberOfUntouched(in: section)
      if other >= 0 { untouched[other] = count } else if count > 0 { return nil }
    }
    for section in untouched.indices
    where untouched[section] != self.new.numberOfUntouched(in: section) { return nil }
  }

  /// The same changes, in the same order, as
  /// ``SectionedTable/changes(to:id:movesSections:cancellation:)`` returns for objects with an `id`.
  ///
  /// - Complexity: O(s + r log r) for s sections and r rows, plus the moved objects.
  public func changes(movesSections: Bool = false) -> [Change] {
    let parts = pairing.newSections.indices.map(unmoved(in:))
    let kept = pairing.keptSections(weights: parts.map(\.weight), movesSections: movesSections)
    var changes = kept.changes(
      count: new.sections.count, deletes: appendDeletes, inserts: appendInserts)
    var updates: [Change] = []
    for (section, other) in kept.newSections.enumerated() {
      appendMoves(of: parts[section], isKept: other >= 0, to: &changes, &updates)
    }
    return changes + updates
  }

  // MARK: The objects that do not move

  /// Neighboring objects of a section, which move together or stay together.
  private struct Part {
    /// Positions in the old content.
    let old: Range<Int>
    /// The new position of the first one.
    let new: Int
    let isChanged: Bool
    var isUnmoved = false

    var weight: IncreasingSubsequence.Weight {
      IncreasingSubsequence.Weight(count: old.count, unchanged: isChanged ? 0 : old.count)
    }
  }

  private struct SectionParts {
    /// In the old order.
    var parts: [Part]
    /// The number of objects that do not move if the section is kept.
    var weight: IncreasingSubsequence.Weight {
      parts.reduce(.zero) { $1.isUnmoved ? $0 + $1.weight : $0 }
    }
  }

  /// The parts of an old section that the new content has.
  private func unmoved(in section: Int) -> SectionParts {
    let other = pairing.newSections[section]
    let paired = rows[old.touched(in: section)].filter { $0.new != nil }
    guard other >= 0 else { return SectionParts(parts: paired.compactMap(Self.part)) }
    let range = new.sections.positions(in: other)
    let start = new.numberOfUntouched(before: range.lowerBound)
    let count = old.numberOfUntouched(in: section)
    // The numbers of untouched objects of the section before each touched object.
    var cuts: Set<Int> = [0, count]
    let oldStart = old.numberOfUntouched(before: old.sections.positions(in: section).lowerBound)
    for row in paired {
      if let position = row.old { cuts.insert(old.numberOfUntouched(before: position) - oldStart) }
      if let position = row.new, range.contains(position) {
        cuts.insert(new.numberOfUntouched(before: position) - start)
      }
    }
    var parts = paired.compactMap(Self.part)
    let bounds = cuts.sorted()
    for (low, high) in zip(bounds, bounds.dropFirst()) {
      // Touched objects without a new position may interrupt the old positions of a part.
      var next = low
      while next < high {
        let position = old.position(ofUntouched: oldStart + next)
        let length = min(high - next, old.lengthOfRun(from: position))
        let inNew = new.position(ofUntouched: start + next)
        let run = min(length, new.lengthOfRun(from: inNew))
        parts.append(Part(old: position..<position + run, new: inNew, isChanged: false))
        next += run
      }
    }
    parts.sort { $0.old.lowerBound < $1.old.lowerBound }
    let candidates = parts.indices.filter { range.contains(parts[$0].new) }
    let chosen = IncreasingSubsequence.heaviestIndexes(of: candidates.map { parts[$0].new }) {
      parts[candidates[$0]].weight
    }
    for index in chosen { parts[candidates[index]].isUnmoved = true }
    return SectionParts(parts: parts)
  }

  private static func part(_ row: Row) -> Part? {
    guard let old = row.old, let new = row.new else { return nil }
    return Part(old: old..<old + 1, new: new, isChanged: row.isChanged)
  }

  // MARK: Changes

  private func appendDeletes(in section: Int, to changes: inout [Change]) {
    let start = old.sections.positions(in: section).lowerBound
    for row in rows[old.touched(in: section)] where row.new == nil {
      guard let position = row.old else { continue }
      changes.append(.delete(IndexPath(section: section, row: position - start)))
    }
  }

  private func appendInserts(in section: Int, to changes: inout [Change]) {
    let start = new.sections.positions(in: section).lowerBound
    for position in new.touchedPositions(in: section) where inserted.contains(position) {
      changes.append(.insert(IndexPath(section: section, row: position - start)))
    }
  }

  private func appendMoves(
    of section: SectionParts, isKept: Bool, to changes: inout [Change], _ updates: inout [Change]
  ) {
    for part in section.parts {
      guard isKept, part.isUnmoved else {
        for offset in 0..<part.old.count {
          changes.append(
            .move(
              from: old.path(part.old.lowerBound + offset), to: new.path(part.new + offset),
              isChanged: part.isChanged))
        }
        continue
      }
      if part.isChanged {
        updates.append(.update(from: old.path(part.old.lowerBound), to: new.path(part.new)))
      }
    }
  }
}

extension Sections {
  /// The titles of more than one section.
  var sharedTitles: Set<Value> {
    var seen: Set<Value> = []
    return Set(titles.filter { !seen.insert($0).inserted })
  }
}

extension SparseChanges {
  /// The sections of one of the contents, and the positions of its touched objects.
  fileprivate struct Side: Sendable {
    let sections: Sections
    /// Ascending.
    private let touched: [Int]

    init(_ sections: Sections, touched: [Int]) {
      self.sections = sections
      self.touched = touched
    }

    /// The index of the first touched position that is not before a position.
    /// - Complexity: O(log touched).
    private func index(_ position: Int) -> Int {
      touched.partitionPoint { $0 >= position }
    }

    /// The touched positions in a section, as indexes of them.
    func touched(in section: Int) -> Range<Int> {
      let range = sections.positions(in: section)
      return index(range.lowerBound)..<index(range.upperBound)
    }

    func touchedPositions(in section: Int) -> ArraySlice<Int> { touched[touched(in: section)] }

    func numberOfUntouched(before position: Int) -> Int { position - index(position) }

    func numberOfUntouched(in section: Int) -> Int {
      sections.positions(in: section).count - touched(in: section).count
    }

    /// Whether all objects of the sections that share a title are touched.
    var isTouchedWhereTitlesAreShared: Bool {
      let shared = sections.sharedTitles
      return shared.isEmpty
        || (0..<sections.count).allSatisfy {
          numberOfUntouched(in: $0) == 0 || !shared.contains(sections.titles[$0])
        }
    }

    /// The position of the untouched object with a number.
    func position(ofUntouched number: Int) -> Int {
      // The number of touched positions before it: the first `count` for which the next touched
      // position is not before the object.
      let count = touched.indices.partitionPoint { touched[$0] - $0 > number }
      return number + count
    }

    /// The number of untouched positions from a position to the next touched one.
    func lengthOfRun(from position: Int) -> Int {
      let next = index(position)
      return next < touched.count ? touched[next] - position : .max
    }

    func path(_ position: Int) -> IndexPath {
      let section = sections.section(of: position)
      return IndexPath(section: section, row: position - sections.offsets[section])
    }
  }
}
