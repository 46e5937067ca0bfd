import TestSupport
import Testing

@testable import DataTables

@Suite struct SparseChangesTests {
  /// Sections with different titles and objects with different ids, and the same sections after
  /// some objects were deleted, inserted, changed or moved.
  private struct Case {
    var old: [(title: String, ids: [Int])] = []
    var new: [(title: String, ids: [Int])] = []
    var touched: Set<Int> = []

    init(_ random: inout SplitMix64) {
      let sections = random.below(5) + 1
      let size = random.below(2) == 0 ? 4 : 12
      var id = 0
      for section in 0..<sections {
        let ids = (0..<random.below(size) + 1).map { _ in
          id += 1
          return id
        }
        old.append(("s\(section)", ids))
      }
      new = old
      let rate = random.below(4) + 2
      for section in old.indices {
        for id in old[section].ids where random.below(rate) == 0 { touched.insert(id) }
        new[section].ids.removeAll(where: touched.contains)
      }
      var reinserted = touched.sorted().filter { _ in random.below(3) > 0 }
      for _ in 0..<random.below(4) {
        id += 1
        reinserted.append(id)
        touched.insert(id)
      }
      if random.below(3) == 0 { new.insert(("added", []), at: random.below(new.count + 1)) }
      for id in reinserted {
        let section = random.below(new.count)
        new[section].ids.insert(id, at: random.below(new[section].ids.count + 1))
      }
      if random.below(4) == 0 { new.swapAt(random.below(new.count), random.below(new.count)) }
      new.removeAll { $0.ids.isEmpty }
    }

    func content(_ sections: [(title: String, ids: [Int])], isNew: Bool) -> SectionedObjects {
      SectionedObjects(
        sections.map { section in
          (
            title: .string(section.title),
            objects: section.ids.map { id in
              ["id": .integer(id), "v": .bool(isNew && touched.contains(id))]
            }
          )
        })
    }

    func sections(_ sections: [(title: String, ids: [Int])]) -> Sections {
      var offsets = [0]
      for section in sections { offsets.append((offsets.last ?? 0) + section.ids.count) }
      return Sections(offsets: offsets, titles: sections.map { .string($0.title) })
    }

    var rows: [SparseChanges.Row] {
      let before = old.flatMap(\.ids)
      let after = new.flatMap(\.ids)
      return touched.map {
        SparseChanges.Row(old: before.firstIndex(of: $0), new: after.firstIndex(of: $0))
      }
    }
  }

  @Test(arguments: [false, true])
  func theChangesAreThoseOfAComparisonOfAllObjects(movesSections: Bool) throws {
    for seed in 1...UInt64(4_000) {
      var random = SplitMix64(seed: seed)
      let content = Case(&random)
      let expected = try content.content(content.old, isNew: false).changes(
        to: content.content(content.new, isNew: true), id: ObjectKeyPath(key: "id"),
        movesSections: movesSections)
      let sparse = SparseChanges(
        old: content.sections(content.old), new: content.sections(content.new),
        rows: content.rows)
      let found = sparse?.changes(movesSections: movesSections)
      #expect(found == expected, "seed \(seed)")
      if found != expected { return }
    }
  }

  @Test func sectionsThatShareATitleAreNotCompared() {
    let sections = Sections(offsets: [0, 1, 2], titles: ["a", "a"])
    #expect(SparseChanges(old: sections, new: sections, rows: []) == nil)
  }

  @Test func otherObjectsThatChangedTheirSectionAreNotCompared() {
    let old = Sections(offsets: [0, 1, 3], titles: ["a", "b"])
    let new = Sections(offsets: [0, 2, 3], titles: ["a", "b"])
    #expect(SparseChanges(old: old, new: new, rows: []) == nil)
  }
}
