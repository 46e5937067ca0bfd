import DataSources
import DataTables
import Synchronization

/// The pages of rows that were read recently.
final class RowPages: Sendable {
  /// A page of a section: rows `number * size` to `(number + 1) * size`.
  private struct Key: Hashable {
    let section: Int
    let number: Int
  }
  /// A row: its object, and the values of the terms of the order.
  struct Row: Sendable {
    let object: Value
    let terms: [Value]
  }

  /// Where the rows of a section are.
  struct Place: Sendable {
    /// Identifies ``condition``.
    var section = -1
    /// Selects the rows of the section; nil for all rows.
    var condition: SQL?
    /// The number of rows that satisfy the condition before the section's first row.
    var start: Int
    /// The number of rows that satisfy the condition up to the section's last row.
    var end: Int
    /// Whether rows that satisfy the condition may follow the last row.
    var isWindow = false
    /// The number of leading terms of the order that are equal in all rows of the section.
    var fixedTerms = 0

    /// Whether rows can be counted from the end, in the opposite order.
    func isReversible(in selection: RowSelection) -> Bool {
      // Equal rows may have any order; it would differ from page to page.
      !isWindow && selection.isUnique
    }
  }

  let size: Int
  private let table: DatabaseTable
  private let selection: RowSelection
  private let shape: Record.Shape
  /// For each term of the order, its column among the selected ones.
  private let termColumns: [Int]
  private let columns: SQL
  private let anchors: RowAnchors
  private let kept = PageCache<Key, [Row]>()
  /// The end of the rows that were read last without being kept.
  private let last = Mutex<(section: Int, start: RowStart)?>(nil)

  private static let defaultSize = 100

  init(_ table: DatabaseTable, _ selection: RowSelection, size: Int?) {
    self.table = table
    self.selection = selection
    self.size = max(1, size ?? Self.defaultSize)
    anchors = RowAnchors(table, selection)
    shape = Record.Shape(table.keys)
    var names = table.schema.columns.map { SQL(table.dialect.name($0.name)) }
    let texts = names.map(\.shown)
    var termColumns: [Int] = []
    for term in selection.order {
      if let column = texts.firstIndex(of: term.sql.shown) {
        termColumns.append(column)
      } else {
        termColumns.append(names.count)
        names.append(term.sql)
      }
    }
    self.termColumns = termColumns
    columns = names.joined(separator: ", ")
  }

  /// The rows of a section. Few rows are read with the pages around them, many by one statement.
  ///
  /// - Parameters:
  ///   - place: where the rows of the section are.
  ///   - path: the index path of a row of the section.
  func rows(
    _ range: Range<Int>, of section: Int, at place: Place, count: Int, _ journal: StoreJournal,
    _ cancellation: Cancellation, path: (Int) -> IndexPath
  ) async throws -> [Row] {
    guard !range.isEmpty else { return [] }
    if range.count > size {
      return try await readMany(range, at: place, journal, cancellation, path)
    }
    var rows: [Row] = []
    for number in range.lowerBound / size..<(range.upperBound - 1) / size + 1 {
      let page = number * size..<min((number + 1) * size, count)
      let key = Key(section: section, number: number)
      let read: [Row]
      if let rows = kept.page(key) {
        read = rows
      } else {
        let first = place.start + page.lowerBound
        var start: RowStart?
        if number > 0, let previous = kept.page(Key(section: section, number: number - 1)) {
          start = self.start(after: previous, upTo: first)
        }
        if start == nil {
          start = try await anchors.last(before: first, in: place, journal, cancellation)
        }
        read = try await self.read(page, after: start, at: place, journal, cancellation, path)
        kept.keep(read, key)
      }
      let part = range.clamped(to: page)
      rows += read[part.lowerBound - page.lowerBound..<part.upperBound - page.lowerBound]
    }
    return rows
  }

  /// Reads rows that are not kept. Batches that follow each other go on from the last one.
  private func readMany(
    _ range: Range<Int>, at place: Place, _ journal: StoreJournal, _ cancellation: Cancellation,
    _ path: (Int) -> IndexPath
  ) async throws -> [Row] {
    let first = place.start + range.lowerBound
    var start = last.withLock { last -> RowStart? in
      guard let last, last.section == place.section else { return nil }
      return (0...size).contains(first - last.start.position) ? last.start : nil
    }
    if start == nil {
      start = try await anchors.last(before: first, in: place, journal, cancellation)
    }
    let rows = try await read(range, after: start, at: place, journal, cancellation, path)
    if !UnobservedReads.areRunning, let end = self.start(after: rows, upTo: first + rows.count) {
      last.withLock { $0 = (place.section, end) }
    }
    return rows
  }

  /// The last position at which another row begins than the one before; nil if all rows are equal.
  ///
  /// - Parameter end: the position after the rows.
  private func start(after rows: [Row], upTo end: Int) -> RowStart? {
    guard let last = rows.last else { return nil }
    if selection.isUnique { return RowStart(position: end, terms: last.terms) }
    // The next row may equal the last one: the last place within the rows is used instead.
    guard let row = rows.lastIndex(where: { $0.terms != last.terms }) else { return nil }
    return RowStart(position: end - (rows.count - 1 - row), terms: rows[row].terms)
  }

  /// - Parameter start: a position in the order at or before the range; nil for the first row.
  /// - Throws: ``DatabaseError``: `changed` if rows that were counted are missing.
  private func read(
    _ range: Range<Int>, after start: RowStart?, at place: Place, _ journal: StoreJournal,
    _ cancellation: Cancellation, _ path: (Int) -> IndexPath
  ) async throws -> [Row] {
    var conditions = place.condition.map { [$0] } ?? []
    var offset = place.start + range.lowerBound
    var order = selection.order
    let left = place.end - place.start - range.upperBound
    let isBackward =
      start == nil && left < offset && offset >= anchors.distance
      && place.isReversible(in: selection)
    if let start {
      conditions.append(order.after(start.terms, fixed: place.fixedTerms))
      offset -= start.position
    } else if isBackward {
      order = order.reversed
      offset = left
    }
    let statement: SQL = """
      SELECT \(columns)\(selection.rows(where: conditions)) \
      ORDER BY \(order.clause(table.dialect, fixed: place.fixedTerms)) \
      \(table.dialect.limit(range.count, offset: offset))
      """
    var rows = try await table.rows(statement, journal, isPage: true, cancellation).map(row)
    guard rows.count == range.count else {
      throw DatabaseError(.changed, "the table has changed since it was fetched")
    }
    if isBackward { rows.reverse() }
    journal.add(
      PageRead(
        first: path(range.lowerBound), last: path(range.upperBound - 1), objects: rows.count))
    return rows
  }

  private func row(_ values: [Value]) -> Row {
    Row(
      object: .record(Record(shape: shape, values: Array(values.prefix(shape.keys.count)))),
      terms: termColumns.map { values[$0] })
  }

  /// All rows that satisfy a condition, in the order, each with the value of a key.
  func rows(
    where condition: SQL, key: SQL, _ journal: StoreJournal, _ cancellation: Cancellation
  ) async throws -> [(key: Value, row: Row)] {
    let statement: SQL = """
      SELECT \(columns), \(key) AS dsshell_key\(selection.rows(where: [condition])) \
      ORDER BY \(selection.order.clause(table.dialect))
      """
    return try await table.rows(statement, journal, isPage: true, cancellation)
      .map { ($0.last ?? .null, row($0)) }
  }

  /// The first rows that satisfy conditions, in the order.
  func first(
    _ count: Int, where conditions: [SQL], _ journal: StoreJournal, _ cancellation: Cancellation
  ) async throws -> [Row] {
    let statement: SQL = """
      SELECT \(columns)\(selection.rows(where: conditions)) \
      ORDER BY \(selection.order.clause(table.dialect)) \(table.dialect.limit(count, offset: 0))
      """
    return try await table.rows(statement, journal, cancellation).map(row)
  }
}
