import DataSources
import DataTables
import Databases
import Synchronization

extension ClickHouseConnection {
  /// Makes a table of the engine MergeTree with rows. They are inserted into a table of another
  /// name, which gets its name at the end, so a failure changes nothing. There is one exception: the
  /// table can have the new rows although the work fails, if the response to the RENAME is lost or the
  /// old table cannot be dropped.
  ///
  /// The table has a column ``RowNumber/name`` with the numbers of the rows, which identifies them
  /// and keeps their order; rows that others insert get random numbers there.
  ///
  /// - Parameters:
  ///   - isReplacing: whether an existing table is replaced.
  ///   - rows: returns the next rows, each with one value for each of `columns`; empty at the end.
  /// - Throws: ``DatabaseError``: `denied` unless ``isWritable``, `exists`.
  func create(
    _ table: TableName, columns: [DatabaseColumn], isReplacing: Bool, cancellation: Cancellation,
    rows: @Sendable () async throws -> [[Value]]
  ) async throws {
    try checkWritable(nil)
    guard !columns.contains(where: { $0.name == RowNumber.name }) else {
      throw DatabaseError(
        .engine, "the column `\(RowNumber.name)` numbers the rows of a table; rename it")
    }
    let place = StateCatalog.Place(database: table.schema ?? database, name: table.name)
    let isExisting = try await tableFacts(place, cancellation) != nil
    guard !isExisting || isReplacing else {
      throw DatabaseError(.exists(table.name), "table \(table) exists already")
    }
    let (new, old) = (table.temporary(), table.temporary())
    do {
      try await fill(text(of: new), columns, cancellation, rows)
    } catch {
      throw await failure(error, dropping: new)
    }
    do {
      let replaced = isExisting ? "\(text(of: table)) TO \(text(of: old)), " : ""
      try await server.write(
        "RENAME TABLE \(replaced)\(text(of: new)) TO \(text(of: table))",
        cancellation: cancellation)
    } catch {
      let failure = await failure(error, dropping: [new]) { connection in
        try await connection.restore(table, place, new: new, old: old)
      }
      guard isExisting, var failure = failure as? DatabaseError, !failure.leftovers.isEmpty else {
        throw failure
      }
      // It may have the only copy.
      failure.message += "; the old rows may be in \(text(of: old))"
      throw failure
    }
    guard isExisting else { return }
    try await drop(
      old, after: "\(table) has the new rows, but the old ones may be left",
      cancellation: cancellation)
  }

  /// Removes the tables that a failed RENAME leaves. It may have run without a response, and a server
  /// that renames one table after the other may have ended between the two.
  ///
  /// - Parameters:
  ///   - new: has the new rows, unless it was renamed.
  ///   - old: has the old rows, if it exists.
  private func restore(
    _ table: TableName, _ place: StateCatalog.Place, new: TableName, old: TableName
  ) async throws {
    let cancellation = Cancellation()
    try await server.write("DROP TABLE IF EXISTS \(text(of: new))", cancellation: cancellation)
    let oldPlace = StateCatalog.Place(database: place.database, name: old.name)
    guard try await tableFacts(oldPlace, cancellation) != nil else { return }
    if try await tableFacts(place, cancellation) == nil {
      try await server.write(
        "RENAME TABLE \(text(of: old)) TO \(text(of: table))", cancellation: cancellation)
    } else {
      try await server.write("DROP TABLE IF EXISTS \(text(of: old))", cancellation: cancellation)
    }
  }

  /// Creates a table with rows.
  /// - Parameter table: its name, quoted.
  private func fill(
    _ table: String, _ columns: [DatabaseColumn], _ cancellation: Cancellation,
    _ rows: @Sendable () async throws -> [[Value]]
  ) async throws {
    let declared = columns.map { column in
      DatabaseColumn(clickHouse: column.name, type: type(of: column))
    }
    let numbered = [DatabaseColumn(clickHouse: RowNumber.name, type: RowNumber.type)] + declared
    let list = declared.map { "\(Literal.name($0.name)) \($0.declaredType)" }
    try await server.write(
      """
      CREATE TABLE \(table) (\(RowNumber.name) \(RowNumber.type) DEFAULT \(RowNumber.other), \
      \(list.joined(separator: ", "))) ENGINE = MergeTree ORDER BY \(RowNumber.name)
      """, cancellation: cancellation)
    var batch = InsertBatch(columns: numbered.map { InsertedColumn($0) })
    let number = Mutex(0)
    var hasMore = true
    while hasMore {
      hasMore = try await batch.fill(upTo: Self.batchSize) {
        try await rows().map { row in
          let next = number.withLock { number in
            defer { number += 1 }
            return number
          }
          return [.integer(next)] + row
        }
      }
      if batch.count > 0 { try await send(batch, into: table, cancellation) }
      batch.removeAll()
    }
  }

  /// The type that holds all values of a kind as they are. Dates may be of any form and time, which
  /// only a string keeps.
  private func type(of column: DatabaseColumn) -> String {
    let type =
      switch column.kind {
      case .bool: server.facts.isAtLeast(22, 1) ? "Bool" : "UInt8"
      case .integer: "Int64"
      case .real: "Float64"
      default: "String"
      }
    return column.isNullable ? "Nullable(\(type))" : type
  }
}

/// The column that numbers the rows of the tables that the shell makes. It is not one of the keys of
/// their objects.
enum RowNumber {
  static let name = "dsshell_row"
  static let type = "UInt64"
  /// The number of a row that another program inserts.
  static let other = "rand64()"
}

extension TableName {
  /// A name that no other table has, in the same database.
  func temporary() -> TableName {
    let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
    return TableName("\(name)__dsshell_\(suffix)", schema: schema)
  }
}
