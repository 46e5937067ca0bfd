import DataSources
public import DataTables

extension DatabaseSnapshot {
  public func table(
    of statement: SQL, keys: [String], cancellation: Cancellation,
    progress: @escaping @Sendable (Int) -> Void
  ) async throws -> any Table {
    let collected = CollectedColumns(keys)
    try await forEachBatch(of: 10_000, statement, cancellation: cancellation) { batch in
      await collected.add(batch.rows)
      progress(batch.rows.count)
      return true
    }
    return try await collected.table()
  }
}

/// Collects rows as columns.
private actor CollectedColumns {
  private let keys: [String]
  private let builders: [ValueColumnBuilder]

  init(_ keys: [String]) {
    self.keys = keys
    builders = keys.map { _ in ValueColumnBuilder() }
  }

  func add(_ rows: [[Value]]) {
    for row in rows {
      for (builder, value) in zip(builders, row) { builder.append(value) }
    }
  }

  func table() throws -> any Table {
    let columns = try builders.map { try $0.column() }
    return ColumnTable(keys: keys, columns: columns, count: builders.first?.count ?? 0)
  }
}
