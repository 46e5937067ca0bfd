import DataTables

/// The titles of many sections, as far as they are in memory.
struct TitleOutline: Sendable {
  var count = 0
  /// The first title of each page.
  var firsts: [Value] = []
  /// The titles of the first page and of the last one.
  var firstPage: [Value] = []
  var lastPage: [Value] = []

  /// - Parameter size: the number of titles of a page.
  fileprivate mutating func append(_ title: Value, _ size: Int) {
    if count.isMultiple(of: size) {
      firsts.append(title)
      lastPage.removeAll(keepingCapacity: true)
    }
    lastPage.append(title)
    if count < size { firstPage.append(title) }
    count += 1
  }
}

/// Collects titles and counts in the order of the titles. If the sections are many, it keeps the counts
/// and the first title of each page.
actor SectionCollector {
  enum Found {
    /// The titles have another order than the shell's.
    case none
    /// A title and a count each.
    case few([[Value]])
    case many(offsets: [Int], TitleOutline)
  }

  private let term: OrderTerm
  private let skipsEmpty: Bool
  private let collectsKept: Bool
  private let size = max(1, StoreLimits.titlesOfPage)
  private let maxTitles = StoreLimits.maxTitles
  private var offsets = [0]
  /// All titles, or none of many.
  private var titles: [Value] = []
  private var outline = TitleOutline()
  private var last: Value?
  private var isOrdered = true

  /// The number of rows that were added, among them those that were skipped.
  private var number = 0
  /// The rows that were not skipped.
  private(set) var kept: [Int] = []

  /// - Parameter skipsEmpty: whether titles without rows are left out; otherwise, ``kept`` has all.
  init(_ term: OrderTerm, skipsEmpty: Bool? = nil) {
    self.term = term
    self.skipsEmpty = skipsEmpty ?? false
    collectsKept = skipsEmpty != nil
  }

  /// - Parameter rows: a title and the number of its rows each.
  /// - Returns: whether the titles have the order of the shell.
  func add(_ rows: [[Value]]) -> Bool {
    for row in rows {
      if let last, term.compare(last, row[0]) != .before {
        isOrdered = false
        return false
      }
      last = row[0]
      let count = row.count(1)
      number += 1
      if skipsEmpty, count == 0 { continue }
      if collectsKept { kept.append(number - 1) }
      if !isMany { titles.append(row[0]) }
      outline.append(row[0], size)
      offsets.append((offsets.last ?? 0) + count)
    }
    if isMany { titles = [] }
    return true
  }

  private var isMany: Bool { offsets.count - 1 > maxTitles }

  var found: Found {
    guard isOrdered else { return .none }
    if isMany { return .many(offsets: offsets, outline) }
    return .few(
      titles.indices.map { [titles[$0], .integer(offsets[$0 + 1] - offsets[$0])] })
  }
}
