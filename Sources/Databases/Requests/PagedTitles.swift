import DataSources
import DataTables
import Synchronization

/// Titles of sections that are read in pages, in the order of a column.
final class PagedTitles: Sendable {
  private let table: DatabaseTable
  private let rows: RowSelection
  private let key: ColumnExpression
  let term: OrderTerm
  private let count: Int
  /// The first title of each page.
  private let firsts: [Value]
  private let size: Int
  private let journal: StoreJournal
  private let kept = PageCache<Int, [Value]>()
  private let whole = Mutex<[Value]?>(nil)

  /// More pages than these are read by one statement, and are not kept.
  private static let maxPages = 4

  init(
    _ table: DatabaseTable, _ rows: RowSelection, by key: ColumnExpression,
    orderedBy term: OrderTerm, _ outline: TitleOutline, _ journal: StoreJournal
  ) {
    self.table = table
    self.rows = rows
    self.key = key
    self.term = term
    count = outline.count
    firsts = outline.firsts
    self.journal = journal
    size = max(1, StoreLimits.titlesOfPage)
    kept.keep(outline.lastPage, max(0, outline.firsts.count - 1))
    kept.keep(outline.firstPage, 0)
  }

  /// Whether the titles are the values of the column, and the shell knows their order.
  static func canRead(_ column: ColumnExpression, orderedBy term: OrderTerm) -> Bool {
    guard term.sql.shown == column.sql.shown, column.facts.variants == .none,
      let types = column.facts.types
    else { return false }
    return types.isSubset(of: [.string]) ? column.facts.isNormalized : column.facts.isOrdered
  }

  /// The titles of a range: a few pages, or more by one statement.
  ///
  /// - Throws: ``DatabaseError``, `changed`.
  func titles(of range: Range<Int>, _ cancellation: Cancellation) async throws -> [Value] {
    guard !range.isEmpty else { return [] }
    let pages = range.lowerBound / size..<(range.upperBound - 1) / size + 1
    if pages.count > Self.maxPages {
      let first = pages.lowerBound * size
      let read = try await titles(ofPages: pages, cancellation)
      return Array(read[range.lowerBound - first..<range.upperBound - first])
    }
    var titles: [Value] = []
    titles.reserveCapacity(range.count)
    for number in pages {
      let first = number * size
      let page = try await page(number, cancellation)
      let part = range.clamped(to: first..<first + page.count)
      titles += page[part.lowerBound - first..<part.upperBound - first]
    }
    return titles
  }

  /// The position of a title; nil if no section has it.
  func position(of value: Value, _ cancellation: Cancellation) async throws -> Int? {
    var low = 0
    var high = firsts.count
    while low < high {
      let middle = (low + high) / 2
      if term.compare(firsts[middle], value) == .after { high = middle } else { low = middle + 1 }
    }
    guard low > 0 else { return nil }
    return try await page(low - 1, cancellation).firstIndex(of: value).map { (low - 1) * size + $0 }
  }

  /// All titles, while changes are observed.
  var all: [Value]? { whole.withLock { $0 } }

  /// Reads all titles into memory, by one statement.
  func keepAll(_ cancellation: Cancellation) async throws {
    guard all == nil else { return }
    let read = try await titles(ofPages: firsts.indices, cancellation)
    whole.withLock { $0 = read }
  }

  /// Reads the titles of pages by one statement.
  private func titles(
    ofPages pages: Range<Int>, _ cancellation: Cancellation
  ) async throws -> [Value] {
    let titles = Mutex<[Value]>([])
    try await table.forEachBatch(statement(for: pages), journal, cancellation) { batch in
      titles.withLock { $0 += batch.map { $0[0] } }
      return true
    }
    let read = titles.withLock { $0 }
    try check(read.count, of: pages)
    return read
  }

  /// The statement with all titles, each with the number of its rows in a selection.
  ///
  /// - Parameter selection: has all conditions of the rows with the titles, and then others: empty
  ///   sections may have been kept when the rows were filtered before.
  func counts(in selection: RowSelection) -> SQL {
    let added = selection.conditions.dropFirst(rows.conditions.count)
    let condition = added.isEmpty ? "1 = 1" : added.joined(separator: " AND ")
    return """
      SELECT \(key.sql), sum(CASE WHEN \(condition) THEN 1 ELSE 0 END)\(rows.rows()) \
      GROUP BY \(key.sql) ORDER BY \(term.ordered(table.dialect))
      """
  }

  private func page(_ number: Int, _ cancellation: Cancellation) async throws -> [Value] {
    if let known = kept.page(number) { return known }
    let pages = number..<number + 1
    let found = try await table.rows(statement(for: pages), journal, isPage: true, cancellation)
    try check(found.count, of: pages)
    let titles = found.map { $0[0] }
    kept.keep(titles, number)
    return titles
  }

  /// The statement with the titles of pages.
  private func statement(for pages: Range<Int>) -> SQL {
    var conditions: [SQL] = []
    if pages.lowerBound > 0, let condition = term.notBefore(firsts[pages.lowerBound]) {
      conditions.append(condition)
    }
    if pages.upperBound < firsts.count, let condition = term.before(firsts[pages.upperBound]) {
      conditions.append(condition)
    }
    return """
      SELECT \(key.sql)\(rows.rows(where: conditions)) GROUP BY \(key.sql) \
      ORDER BY \(term.ordered(table.dialect))
      """
  }

  private func check(_ found: Int, of pages: Range<Int>) throws(DatabaseError) {
    guard found == min(pages.count * size, count - pages.lowerBound * size) else {
      throw DatabaseError(.changed, "the table has changed since it was fetched")
    }
  }
}
