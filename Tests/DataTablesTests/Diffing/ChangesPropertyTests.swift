import TestSupport
import Testing

@testable import DataTables

@Suite struct ChangesPropertyTests {
  /// Random sections with duplicate objects, empty sections and repeated titles.
  static func content(
    _ random: inout SplitMix64, sections: Int, objects: Int, kinds: Int
  ) -> SectionedObjects {
    SectionedObjects(
      (0..<random.below(sections + 1)).map { _ in
        let title = Value.string(random.one(of: ["A", "B", "C", "D", "E"]))
        let objects = (0..<random.below(objects + 1)).map { _ -> Value in
          ["id": .integer(random.below(kinds)), "v": .integer(random.below(2))]
        }
        return (title: title, objects: objects)
      })
  }

  /// The sections with a few changes.
  static func mutated(_ content: SectionedObjects, _ random: inout SplitMix64) -> SectionedObjects {
    var content = content
    for _ in 0..<random.below(4) where !content.sections.isEmpty {
      let section = random.below(content.sections.count)
      let count = content.sections[section].objects.count
      switch random.below(4) {
      case 0:
        content.sections[section].objects.insert(
          ["id": .integer(random.below(9)), "v": 0], at: random.below(count + 1))
      case 1 where count > 0: content.sections[section].objects.remove(at: random.below(count))
      case 2 where count > 0:
        let object = content.sections[section].objects.remove(at: random.below(count))
        content.sections[random.below(content.sections.count)].objects.insert(object, at: 0)
      default: content.sections.swapAt(section, random.below(content.sections.count))
      }
    }
    return content
  }

  @Test(arguments: [nil, ObjectKeyPath(key: "id")], [false, true])
  func applyingTheChangesReturnsTheNewContent(id: ObjectKeyPath?, movesSections: Bool) throws {
    for seed in 1...UInt64(4_000) {
      var random = SplitMix64(seed: seed)
      let old = Self.content(&random, sections: 5, objects: 5, kinds: 1 + random.below(12))
      let new =
        random.below(2) == 0
        ? Self.mutated(old, &random)
        : Self.content(&random, sections: 5, objects: 5, kinds: 1 + random.below(12))
      do {
        let changes = try old.changes(to: new, id: id, movesSections: movesSections)
        let applied = try old.applying(changes, from: new, id: id)
        #expect(applied == new, "seed \(seed)")
      } catch TableError.unknownKey {
        let isEmpty = old.sections.allSatisfy { $0.objects.isEmpty }
        #expect(isEmpty, "seed \(seed)")
      } catch {
        Issue.record("seed \(seed): \(error)")
        return
      }
    }
  }

  @Test(arguments: [nil, ObjectKeyPath(key: "id")])
  func noOtherChoiceMovesFewerObjectsOrKeepsEarlierOnes(id: ObjectKeyPath?) throws {
    for seed in 1...UInt64(2_000) {
      var random = SplitMix64(seed: seed)
      let old = Self.content(&random, sections: 3, objects: 3, kinds: 5)
      let new =
        random.below(2) == 0
        ? Self.mutated(old, &random)
        : Self.content(&random, sections: 3, objects: 3, kinds: 5)
      guard id == nil || (old.sections + new.sections).contains(where: { !$0.objects.isEmpty })
      else { continue }
      let changes = try old.changes(to: new, id: id)
      let removed = changes.compactMap { change -> IndexPath? in
        switch change {
        case .delete(let path), .move(let path, _, _): path
        default: nil
        }
      }
      let paths = old.sections.enumerated().flatMap { section, content in
        content.objects.indices.map { IndexPath(section: section, row: $0) }
      }
      let kept = paths.filter { !removed.contains($0) }
      #expect(kept == SlowChanges(old: old, new: new, id: id).bestKept(), "seed \(seed)")
    }
  }

  @Test func subsequencesAreHeaviestAndFirst() {
    for seed in 1...UInt64(1_000) {
      var random = SplitMix64(seed: seed)
      // Numbers that are close to each other, and numbers that are far apart.
      let factor = random.below(2) == 0 ? 1 : 1_000
      let numbers = (0..<random.below(9)).map { $0 * factor }.shuffled(using: &random)
      let weights = numbers.map { _ in
        IncreasingSubsequence.Weight(count: 1 + random.below(2), unchanged: random.below(2))
      }
      let subsets = (0..<1 << numbers.count).map { bits in
        numbers.indices.filter { bits >> $0 & 1 == 1 }
      }.filter { indexes in
        zip(indexes, indexes.dropFirst()).allSatisfy { numbers[$0] < numbers[$1] }
      }
      let best = subsets.min { left, right in
        let sums = [left, right].map { $0.reduce(.zero) { $0 + weights[$1] } }
        return sums[0] != sums[1] ? sums[0] > sums[1] : left.lexicographicallyPrecedes(right)
      }
      let found = IncreasingSubsequence.heaviestIndexes(of: numbers) { weights[$0] }
      #expect(found == best, "seed \(seed)")
    }
  }

  @Test func asFewSectionsAsPossibleMove() throws {
    let id = ObjectKeyPath(key: "id")
    for seed in 1...UInt64(500) {
      var random = SplitMix64(seed: seed)
      let titles = (0..<random.below(6) + 1).map { Value.integer($0) }
      let old = SectionedObjects(titles.map { ($0, [["id": $0]]) })
      let new = SectionedObjects(titles.shuffled(using: &random).map { ($0, [["id": $0]]) })
      let order = new.sections.map(\.title)
      let longest = (0..<1 << titles.count).filter { bits in
        let kept = titles.indices.filter { bits >> $0 & 1 == 1 }
        let places = kept.compactMap { order.firstIndex(of: titles[$0]) }
        return zip(places, places.dropFirst()).allSatisfy { $0 < $1 }
      }.map(\.nonzeroBitCount).max()
      let changes = try old.changes(to: new, id: id, movesSections: true)
      #expect(changes.count == titles.count - (longest ?? 0), "seed \(seed)")
      let areMoves = changes.allSatisfy { $0.name == "moveSection" }
      #expect(areMoves, "seed \(seed)")
    }
  }
}
