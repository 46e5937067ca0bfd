import DataSources
import DataTables

/// Many sections that follow one another in the order of the rows. Their counts are in memory; their
/// titles are read in pages.
struct PagedSections: Sendable {
  let key: ColumnExpression
  /// The position of the first row of each section among all rows, followed by the number of rows.
  private(set) var offsets: [Int]
  let titles: PagedTitles
  /// The number of sections of ``titles`` before the first one.
  private var firstTitle = 0
  /// The number of rows that the window leaves out before the first row.
  private(set) var leading = 0
  /// The number of rows left out at the start of the first section.
  private var start = 0
  /// Whether an offset or a limit leaves out rows.
  private(set) var isWindow = false

  init(key: ColumnExpression, offsets: [Int], titles: PagedTitles) {
    self.key = key
    self.offsets = offsets
    self.titles = titles
  }

  var count: Int { offsets.count - 1 }
  var numberOfObjects: Int { offsets.last ?? 0 }

  func numberOfObjects(in section: Int) -> Int { offsets[section + 1] - offsets[section] }

  /// The number of rows of a section that the window leaves out before its first row.
  func start(of section: Int) -> Int { section == 0 ? start : 0 }

  func titles(of sections: Range<Int>, _ cancellation: Cancellation) async throws -> [Value] {
    try await titles.titles(
      of: sections.lowerBound + firstTitle..<sections.upperBound + firstTitle, cancellation)
  }

  /// The section with a value of the key; nil if no section has it.
  func section(of value: Value, _ cancellation: Cancellation) async throws -> Int? {
    guard let section = try await titles.position(of: value, cancellation) else { return nil }
    let visible = section - firstTitle
    return (0..<count).contains(visible) ? visible : nil
  }

  /// The index path of a row at a position among all rows; nil past the end.
  /// - Complexity: O(log sections).
  func indexPath(of position: Int) -> IndexPath? {
    guard position >= 0, position < numberOfObjects else { return nil }
    let section = offsets.section(of: position)
    return IndexPath(section: section, row: position - offsets[section])
  }

  /// The unusual properties of the key.
  func findings(isByValue: Bool, _ cancellation: Cancellation) async throws -> [KeyFinding] {
    guard count > 0 else { return [] }
    let head = try await titles(of: 0..<min(2, count), cancellation)
    let last = try await titles(of: count - 1..<count, cancellation)
    // Nulls are at one end.
    var nulls = 0
    if head.first?.isNull ?? false {
      nulls = numberOfObjects(in: 0)
    } else if last.first?.isNull ?? false {
      nulls = numberOfObjects(in: count - 1)
    }
    return KeyFinding.all(
      sections: count, rows: numberOfObjects, nulls: nulls,
      example: head.first { !$0.isNull } ?? .null, isByValue: isByValue)
  }

  /// The condition that selects the rows of the section with a title.
  func condition(_ title: Value) -> SQL {
    GroupedSections(key: key, sections: [], isContiguous: true).condition(members: [title])
  }

  /// The sections with the rows that remain after `offset`, and their positions before. Sections
  /// without rows are removed at both ends.
  func window(from offset: Int, atMost limit: Int?) -> (sections: PagedSections, kept: Range<Int>) {
    guard offset > 0 || limit != nil else { return (self, 0..<count) }
    let low = min(offset, numberOfObjects)
    let high = low + min(limit ?? .max, numberOfObjects - low)
    var result = self
    result.isWindow = true
    guard let first = indexPath(of: low), let last = indexPath(of: high - 1) else {
      result.offsets = [0]
      return (result, 0..<0)
    }
    let kept = first.section..<last.section + 1
    result.offsets = [0] + offsets[kept].dropFirst().map { $0 - low } + [high - low]
    result.firstTitle += first.section
    result.leading += low
    result.start = first.row + start(of: first.section)
    return (result, kept)
  }
}

extension [Int] {
  /// The last section that begins at or before a position: sections may be empty. The elements are the
  /// positions at which sections begin, followed by the number of rows.
  /// - Complexity: O(log sections).
  func section(of position: Int) -> Int {
    var low = 0
    var high = Swift.max(1, count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if self[middle] <= position { low = middle } else { high = middle }
    }
    return low
  }
}
