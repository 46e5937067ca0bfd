import DataSources
import DataTables
import TestSupport
import Testing

@testable import DSServing

/// The places of items after random changes, compared with a search for the same objects.
@Suite struct ItemChangesTests {
  /// Sections with titles and the numbers of their objects.
  private typealias Lists = [(title: String, numbers: [Int])]

  private static func content(_ lists: Lists) -> Snapshot {
    let numbers = lists.flatMap(\.numbers)
    let rows = numbers.map { Value.record(Record([("number", .integer($0))])) }
    let offsets = lists.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.numbers.count) }
    return Snapshot(
      LocalStore(
        table: ValueTable(rows), order: .natural(rows.count),
        sections: Sections(offsets: offsets, titles: lists.map { .string($0.title) })))
  }

  private static func changed(_ lists: Lists, _ random: inout SplitMix64) -> Lists {
    var lists = lists
    for _ in 0..<random.below(6) {
      switch random.below(5) {
      case 0: lists.shuffle(using: &random)
      case 1: if !lists.isEmpty { lists.remove(at: random.below(lists.count)) }
      case 2:
        let title = "new \(random.below(1000))"
        if !lists.contains(where: { $0.title == title }) {
          lists.insert((title, [1000 + random.below(1000)]), at: random.below(lists.count + 1))
        }
      default:
        guard !lists.isEmpty else { continue }
        let section = random.below(lists.count)
        if random.below(2) == 0, !lists[section].numbers.isEmpty {
          let number = lists[section].numbers.remove(at: random.below(lists[section].numbers.count))
          // Often, the object moves to another place.
          if random.below(3) > 0 {
            let other = random.below(lists.count)
            lists[other].numbers.insert(number, at: random.below(lists[other].numbers.count + 1))
          }
        } else {
          let place = random.below(lists[section].numbers.count + 1)
          lists[section].numbers.insert(2000 + random.below(100_000), at: place)
        }
      }
    }
    var known: Set<Int> = []
    return lists.map { title, numbers in (title, numbers.filter { known.insert($0).inserted }) }
  }

  @Test(arguments: 0..<300) func itemsKeepTheirObjects(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    var number = 0
    let before: Lists = (0..<random.below(5) + 1).map { section in
      (
        "s\(section)",
        (0..<random.below(5)).map { _ in
          number += 1; return number
        }
      )
    }
    let after = Self.changed(before, &random)
    let (old, new) = (Self.content(before), Self.content(after))
    let changes = try await old.changes(
      to: new, id: ObjectKeyPath(key: "number"), movesSections: random.below(2) == 0)
    let items = ItemChanges(
      changes, from: ContentLayout(old.store), to: ContentLayout(new.store))
    for (section, list) in before.enumerated() {
      for (row, number) in list.numbers.enumerated() {
        let found = items.path(ofOld: IndexPath(section: section, row: row))
        let expected = after.enumerated().lazy.compactMap { section, list in
          list.numbers.firstIndex(of: number).map { IndexPath(section: section, row: $0) }
        }.first
        // An object that moves between sections may also be deleted and inserted.
        #expect(found == expected, "seed \(seed): \(number) of \(before) in \(after): \(changes)")
      }
    }
  }
}
