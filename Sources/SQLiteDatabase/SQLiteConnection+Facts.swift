import DataSources
import DataTables
import Databases
import GRDBSQLite
import Synchronization

// Facts about columns.
extension SQLiteConnection {
  func facts(
    of columns: [DatabaseColumn], in table: TableSchema, on snapshot: any DatabaseSnapshot,
    cancellation: Cancellation
  ) async throws -> [ColumnFacts] {
    let logged = snapshot as? LoggedSnapshot
    guard let snapshot = (logged?.base ?? snapshot) as? SQLiteSnapshot else {
      return columns.map { _ in ColumnFacts() }
    }
    return try await knownFacts.facts(of: columns, in: table, at: snapshot.version) {
      columns in
      var facts = columns.map {
        table.isRowNumber($0) ? ColumnFacts.ordered([.number], hasNulls: false) : nil
      }
      let unknown = zip(columns, facts).filter { $1 == nil }.map(\.0)
      if !unknown.isEmpty {
        let read: FactsScan.Result
        if let logged {
          let text = text(of: unknown, table.name)
          read = try await logged.logging(text, rows: { $0.rows }) {
            try await scan(unknown, of: table.name, on: snapshot, cancellation)
          }
        } else {
          read = try await scan(unknown, of: table.name, on: snapshot, cancellation)
        }
        var found = read.facts.makeIterator()
        for index in facts.indices where facts[index] == nil { facts[index] = found.next() }
      }
      return facts.map { $0 ?? ColumnFacts() }
    }
  }

  /// A statement that reads the values of a scan.
  private func text(of columns: [DatabaseColumn], _ table: TableName) -> SQL {
    let names = columns.map { SQL(dialect.name($0.name)) }
    return "SELECT \(names.joined(separator: ", ")) FROM \(name(of: table))"
  }

  /// Reads columns to find the types and the forms of their values, over the state of a snapshot.
  private func scan(
    _ columns: [DatabaseColumn], of table: TableName, on snapshot: SQLiteSnapshot,
    _ cancellation: Cancellation
  ) async throws -> FactsScan.Result {
    let rows = name(of: table)
    let reader = try openScanner()
    let found = try await reader.run(cancellation) { connection in
      try SQLiteStatement("BEGIN", connection).run(with: [])
      defer { try? SQLiteStatement("COMMIT", connection).run(with: []) }
      return try FactsScan(connection: connection, table: rows).facts(of: columns)
    }
    if try await snapshot.isCurrent(cancellation: cancellation) { return found }
    // The other connection may have read a newer state.
    return try await snapshot.facts(of: columns, in: rows, cancellation)
  }

  /// A connection that reads beside those of the snapshots.
  func openScanner() throws -> SQLiteReader {
    try scanner.withLock { scanner in
      let reader = try scanner ?? makeReader()
      scanner = reader
      return reader
    }
  }

  /// Texts are mostly in canonical composition, and values of the declared type.
  func presumedFacts(of column: DatabaseColumn) -> ColumnFacts? {
    guard Parallel.workers > 1 else { return nil }
    let type: ValueType
    switch column.kind {
    case .text: type = .string
    case .integer, .real, .decimal: type = .number
    case .bool: type = .bool
    case .date, .dateTime, .instant: type = .date
    case .data: type = .data
    case .json, .other, .any: return nil
    }
    var facts = ColumnFacts.ordered([type], hasNulls: column.isNullable)
    facts.isASCII = false
    return facts
  }
}

extension TableSchema {
  /// Whether a column is another name of the row number.
  fileprivate func isRowNumber(_ column: DatabaseColumn) -> Bool {
    primaryKey == [column.name] && column.declaredType.uppercased() == "INTEGER"
  }
}
