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
    /// Selects the rows of the section; nil for all rows.
    var condition: SQL?
    /// The number of rows that satisfy the condition before the section's first row.
    var start: Int
    /// The number of leading terms of the order that are equal in all rows of the section.
    var fixedTerms = 0
  }

  let size: Int
  private let table: DatabaseTable
  private let selection: RowSelection
  private let shape: Record.Shape
  /// For each term of the order, its column among the selected ones.
  private let termColumns: [Int]
  private let columns: SQL
  private let state = Mutex<(pages: [Key: [Row]], recent: [Key])>(([:], []))

  private static let defaultSize = 100
  private static let maxPages = 64

  init(_ table: DatabaseTable, _ selection: RowSelection, size: Int?) {
    self.table = table
    self.selection = selection
    self.size = max(1, size ?? Self.defaultSize)
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
  func rows(
    _ range: Range<Int>, of section: Int, at place: Place, count: Int, _ journal: StoreJournal,
    _ cancellation: Cancellation
  ) async throws -> [Row] {
    guard !range.isEmpty else { return [] }
    if range.count > size {
      return try await read(
        range, after: nil, at: place, journal, cancellation)
    }
    var rows: [Row] = []
    for number in range.lowerBound / size..<(range.upperBound - 1) / size + 1 {
      let page = number * size..<min((number + 1) * size, count)
      let key = Key(section: section, number: number)
      let read: [Row]
      if let rows = known(key) {
        read = rows
      } else {
        let last = number > 0 ? known(Key(section: section, number: number - 1))?.last : nil
        read = try await self.read(
          page, after: last, at: place, journal, cancellation)
        keep(read, key)
      }
      // A page has fewer rows than were counted only if the table has changed.
      guard read.count == page.count else {
        throw DatabaseError(.changed, "the table has changed since it was fetched")
      }
      let part = range.clamped(to: page)
      rows += read[part.lowerBound - page.lowerBound..<part.upperBound - page.lowerBound]
    }
    return rows
  }

  private func known(_ key: Key) -> [Row]? {
    state.withLock { state in
      guard let page = state.pages[key] else { return nil }
      if state.recent.last != key {
        state.recent.removeAll { $0 == key }
        state.recent.append(key)
      }
      return page
    }
  }

  private func keep(_ rows: [Row], _ key: Key) {
    state.withLock { state in
      state.pages[key] = rows
      state.recent.append(key)
      if state.recent.count > Self.maxPages {
        state.pages[state.recent.removeFirst()] = nil
      }
    }
  }

  /// - Parameter last: the row before the range, after which the engine can go on; nil if unknown.
  private func read(
    _ range: Range<Int>, after last: Row?, at place: Place, _ journal: StoreJournal,
    _ cancellation: Cancellation
  ) async throws -> [Row] {
    var conditions = place.condition.map { [$0] } ?? []
    var offset = place.start + range.lowerBound
    let order = Array(selection.order.dropFirst(place.fixedTerms))
    if let last {
      conditions.append(order.after(Array(last.terms.dropFirst(place.fixedTerms))))
      offset = 0
    }
    let statement: SQL = """
      SELECT \(columns)\(selection.rows(where: conditions)) \
      ORDER BY \(order.clause(table.dialect)) \(table.dialect.limit(range.count, offset: offset))
      """
    return try await table.rows(statement, journal, isPage: true, cancellation).map(row)
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
