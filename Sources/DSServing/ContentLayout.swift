import DataSources
import DataTables

/// The items of a content in the order in which a table view shows them: the header of each section,
/// then its objects.
///
/// All items have the same height, so that a browser computes places without knowing the sections.
struct ContentLayout: Sendable {
  /// For each section the number of objects before it, then the number of all objects.
  private let offsets: [Int]
  /// Whether sections have headers; a content without a key is one untitled section.
  let hasHeaders: Bool

  enum Item: Equatable {
    case header(section: Int)
    case object(IndexPath)
  }

  /// - Complexity: O(sections), O(1) for rows in memory.
  init(_ store: any SnapshotStore) {
    if let local = store.local {
      offsets = local.sections.offsets
    } else {
      offsets = (0..<store.numberOfSections).reduce(into: [0]) { offsets, section in
        offsets.append((offsets.last ?? 0) + store.numberOfObjects(in: section))
      }
    }
    hasHeaders =
      store.numberOfSections > 1 || (store.numberOfSections == 1 && store.knownTitle(of: 0) != "")
  }

  var numberOfSections: Int { offsets.count - 1 }
  private var numberOfObjects: Int { offsets.last ?? 0 }
  var numberOfItems: Int { numberOfObjects + (hasHeaders ? numberOfSections : 0) }

  /// The position of the first item of a section.
  /// - Precondition: `section` is in `0..<numberOfSections`.
  func start(of section: Int) -> Int { offsets[section] + (hasHeaders ? section : 0) }

  /// The section that has an item.
  /// - Precondition: `item` is in `0..<numberOfItems`.
  /// - Complexity: O(log sections).
  func section(ofItem item: Int) -> Int {
    // The last section that begins at or before the item: empty ones without headers have no items.
    var (low, high) = (0, numberOfSections)
    while high - low > 1 {
      let middle = (low + high) / 2
      if start(of: middle) <= item { low = middle } else { high = middle }
    }
    return low
  }

  /// - Precondition: `position` is in `0..<numberOfItems`.
  func item(at position: Int) -> Item {
    let section = section(ofItem: position)
    let row = position - start(of: section) - (hasHeaders ? 1 : 0)
    return row < 0 ? .header(section: section) : .object(IndexPath(section: section, row: row))
  }

  func position(of item: Item) -> Int? {
    switch item {
    case .header(let section):
      return hasHeaders && (0..<numberOfSections).contains(section) ? start(of: section) : nil
    case .object(let path):
      guard (0..<numberOfSections).contains(path.section), path.row >= 0,
        path.row < offsets[path.section + 1] - offsets[path.section]
      else { return nil }
      return start(of: path.section) + path.row + (hasHeaders ? 1 : 0)
    }
  }

  /// The objects among some items, as the rows of consecutive sections.
  func rows(at items: Range<Int>) -> [SectionRows] {
    guard !items.isEmpty else { return [] }
    var rows: [SectionRows] = []
    for section in section(ofItem: items.lowerBound)...section(ofItem: items.upperBound - 1) {
      let first = start(of: section) + (hasHeaders ? 1 : 0)
      let count = offsets[section + 1] - offsets[section]
      let shown = items.clamped(to: first..<first + count)
      if !shown.isEmpty {
        rows.append(
          SectionRows(section: section, rows: shown.lowerBound - first..<shown.upperBound - first))
      }
    }
    return rows
  }
}
