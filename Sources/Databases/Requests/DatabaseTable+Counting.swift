import DataSources
import DataTables
import Synchronization

extension DatabaseTable {
  /// The rows of a statement for a store, from the journal's cache if it has them.
  /// - Parameter isPage: whether the rows are objects, which the cache does not keep.
  func rows(
    _ statement: SQL, _ journal: StoreJournal, isPage: Bool = false, _ cancellation: Cancellation
  ) async throws -> [[Value]] {
    let text = database.text(of: statement)
    guard !isPage, let cache = journal.cache, cache.isOpen else {
      let result = try await rows(statement, cancellation)
      journal.add(text, rows: result.rows.count)
      return result.rows
    }
    let key = dialect.portable(text)
    if let rows = cache.content(key, CachedRows.rows) { return rows }
    let result = try await rows(statement, cancellation)
    journal.add(text, rows: result.rows.count)
    cache.keep(CachedRows.text(of: result.rows), for: key)
    return result.rows
  }

  /// Passes the rows of a statement in batches, from the journal's cache if it has them. The cache
  /// keeps as many rows as have their titles in memory.
  ///
  /// - Parameter body: returns whether to go on.
  func forEachBatch(
    _ statement: SQL, _ journal: StoreJournal, _ cancellation: Cancellation,
    _ body: @escaping @Sendable ([[Value]]) async throws -> Bool
  ) async throws {
    let text = database.text(of: statement)
    let cache = journal.cache.flatMap { $0.isOpen ? $0 : nil }
    let key = dialect.portable(text)
    if let rows = cache?.content(key, CachedRows.rows) ?? takePrefetched(statement)?.rows {
      _ = try await body(rows)
      return
    }
    let maxKept = StoreLimits.maxTitles
    let counted = Mutex((count: 0, kept: cache == nil ? nil : [[Value]]()))
    try await snapshot.forEachBatch(
      of: StoreLimits.rowsOfBatch, statement, cancellation: cancellation
    ) { batch in
      counted.withLock { counted in
        counted.count += batch.rows.count
        if counted.count > maxKept { counted.kept = nil }
        counted.kept? += batch.rows
      }
      let goesOn = try await body(batch.rows)
      // The rows are not those of the whole statement.
      if !goesOn { counted.withLock { $0.kept = nil } }
      return goesOn
    }
    let (count, kept) = counted.withLock { $0 }
    journal.add(text, rows: count)
    if let kept { cache?.keep(CachedRows.text(of: kept), for: key) }
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

  /// The number of rows of a selection without a window that sort before a row.
  ///
  /// - Parameters:
  ///   - values: the values of the order in the row.
  ///   - fixed: the number of leading terms of the order that are equal in all rows that satisfy
  ///     `extra`.
  ///   - equal: expressions that are equal in all these rows.
  /// - Complexity: with an index of the order, the engine reads the entries of the index before the
  ///   row, by one statement. Without one, the rows that satisfy `extra`.
  func count(
    _ selection: RowSelection, before values: [Value], fixed: Int = 0,
    where extra: [SQL] = [], equal: [SQL] = [], _ journal: StoreJournal,
    _ cancellation: Cancellation
  ) async throws -> Int {
    let ranges = selection.order.rangesBefore(values, fixed: fixed)
    guard ranges.count > 1, selection.source.shown == name.shown,
      selection.order.areOrdered(by: schema.indexes, fixed: fixed, equal: equal)
    else {
      return try await count(
        selection, where: extra + [selection.order.before(values, fixed: fixed)], journal,
        cancellation)
    }
    let counts = ranges.map { "(SELECT count(*)\(selection.rows(where: extra + [$0])))" as SQL }
    let rows = try await rows(
      "SELECT \(counts.joined(separator: " + "))", journal, cancellation)
    guard case .integer(let count)? = rows.first?.first else { return 0 }
    return count
  }
}
