import DataSources
import DataTables
import TestSupport
import Testing

@testable import DSServing

@Suite struct ContentLayoutTests {
  /// A content with sections of some sizes.
  static func content(_ sizes: [Int], titled: Bool = true) -> Snapshot {
    let count = sizes.reduce(0, +)
    let rows = (0..<count).map { Value.record(Record([("number", .integer($0))])) }
    let offsets = sizes.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1) }
    let titles = sizes.indices.map { Value.string(titled ? "title \($0)" : "") }
    return Snapshot(
      LocalStore(
        table: ValueTable(rows), order: .natural(count),
        sections: Sections(offsets: offsets, titles: titles)))
  }

  /// The items one after another: the obvious way.
  static func items(_ sizes: [Int], hasHeaders: Bool) -> [ContentLayout.Item] {
    sizes.enumerated().flatMap { section, size in
      (hasHeaders ? [ContentLayout.Item.header(section: section)] : [])
        + (0..<size).map { .object(IndexPath(section: section, row: $0)) }
    }
  }

  @Test(arguments: [[], [0], [3], [1, 2], [0, 0, 2, 0], [5, 0, 1, 1, 0]])
  func itemsFollowEachOther(sizes: [Int]) {
    let layout = ContentLayout(Self.content(sizes).store)
    let items = Self.items(sizes, hasHeaders: true)
    #expect(layout.numberOfItems == items.count)
    #expect(items.indices.map { layout.item(at: $0) } == items)
    #expect(items.map { layout.position(of: $0) } == items.indices.map { $0 })
  }

  @Test func oneUntitledSectionHasNoHeader() {
    let layout = ContentLayout(Self.content([3], titled: false).store)
    #expect(!layout.hasHeaders)
    #expect(layout.numberOfItems == 3)
    #expect(layout.item(at: 2) == .object(IndexPath(section: 0, row: 2)))
  }

  @Test func itemsOutsideHaveNoPosition() {
    let layout = ContentLayout(Self.content([1, 2]).store)
    let outside: [ContentLayout.Item] = [
      .header(section: 2), .header(section: -1), .object(IndexPath(section: 0, row: 1)),
      .object(IndexPath(section: 0, row: -1)), .object(IndexPath(section: -1, row: 0)),
    ]
    #expect(outside.allSatisfy { layout.position(of: $0) == nil })
  }

  @Test(arguments: 0..<50) func rowsOfARangeAreItsObjects(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let sizes = (0..<random.below(8) + 1).map { _ in random.below(5) }
    let layout = ContentLayout(Self.content(sizes).store)
    let first = random.below(layout.numberOfItems + 1)
    let range = first..<first + random.below(layout.numberOfItems - first + 1)
    let expected = Self.items(sizes, hasHeaders: true)[range].compactMap { item in
      if case .object(let path) = item { path } else { IndexPath?.none }
    }
    let found = layout.rows(at: range).flatMap { rows in
      rows.rows.map { IndexPath(section: rows.section, row: $0) }
    }
    #expect(found == expected, "seed \(seed)")
  }
}
