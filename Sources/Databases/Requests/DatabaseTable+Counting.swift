import DataSources
import DataTables

extension DatabaseTable {
  /// The rows of a statement for a store, from the journal's cache if it has them.
  func rows(
    _ statement: SQL, _ journal: StoreJournal, isPage: Bool = false, _ cancellation: Cancellation
  ) async throws -> [[Value]] {
    let text = database.text(of: statement)
    guard !isPage, let cache = journal.cache, cache.isOpen else {
      let result = try await rows(statement, cancellation)
      journal.add(text, rows: result.rows.count, isPage: isPage)
      return result.rows
    }
    let key = dialect.portable(text)
    if let rows = cache.content(key, CachedRows.rows) { return rows }
    let result = try await rows(statement, cancellation)
    journal.add(text, rows: result.rows.count)
    cache.keep(CachedRows.text(of: result.rows), for: key)
    return result.rows
  }

  /// The number of rows of a selection.
  func count(
    _ selection: RowSelection, where extra: [SQL] = [], _ journal: StoreJournal,
    _ cancellation: Cancellation
  ) async throws -> Int {
    let rows = try await rows(
      "SELECT count(*)\(selection.rows(where: extra))", journal, cancellation)
    guard case .integer(let count)? = rows.first?.first else { return 0 }
    let left = max(0, count - selection.offset)
    return min(selection.limit ?? left, left)
  }
}
