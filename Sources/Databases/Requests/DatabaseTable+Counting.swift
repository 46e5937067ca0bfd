import DataTables

extension DatabaseTable {
  /// Runs a statement for a store.
  func rows(
    _ statement: SQL, _ journal: StoreJournal, _ cancellation: Cancellation
  ) async throws -> [[Value]] {
    let result = try await rows(statement, cancellation)
    journal.add(database.text(of: statement), rows: result.rows.count)
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
