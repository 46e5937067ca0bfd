import DataSources
import DataTables
import Databases

extension Wire {
  /// Runs a statement that may write, in a transaction of its own.
  /// - Returns: the number of changed rows.
  func execute(_ statement: Statement, _ cancellation: Cancellation) throws -> Int {
    try send(statement)
    var count = 0
    while let result = try next(cancellation) { count += result.changedRows }
    guard isIdle else {
      // Later statements may run in other sessions.
      _ = reset()
      throw DatabaseError(
        .engine, "a transaction cannot last longer than one statement, and was rolled back",
        statement: statement.text)
    }
    return count
  }
}

/// Adds rows to a table with `COPY`, in a transaction.
struct TableCopy: Sendable {
  /// Whether the table exists already, and what happens to it.
  enum Target: Sendable {
    case existing, new, replaced
  }

  let table: TableName
  let columns: [DatabaseColumn]
  var target = Target.existing

  func begin(on wire: Wire, _ cancellation: Cancellation) throws {
    let names = columns.map(\.name.quotedName).joined(separator: ", ")
    let copy = "COPY \(table.quotedName) (\(names)) FROM STDIN"
    guard !copy.utf8.contains(0) else {
      throw DatabaseError(.engine, "a name cannot contain the character NUL")
    }
    _ = try wire.rows(script: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", cancellation)
    if target == .replaced {
      _ = try wire.rows(script: "DROP TABLE IF EXISTS \(table.quotedName)", cancellation)
    }
    if target != .existing {
      let definitions = columns.map { $0.name.quotedName + " " + $0.declaredType }
      _ = try wire.rows(
        script: "CREATE TABLE \(table.quotedName) (\(definitions.joined(separator: ", ")))",
        cancellation)
    }
    try wire.send(script: copy, acceptsCopy: true)
    _ = try wire.next(cancellation)
  }

  /// - Parameter first: the number of rows before these.
  func put(
    _ rows: [[Value]], first: Int, on wire: Wire, _ cancellation: Cancellation
  ) throws {
    var bytes: [UInt8] = []
    for (index, row) in rows.enumerated() {
      CopyRow.append(try texts(row, number: first + index), to: &bytes)
    }
    try wire.put(bytes, cancellation)
  }

  private func texts(_ row: [Value], number: Int) throws(DatabaseError) -> [String?] {
    var texts: [String?] = []
    texts.reserveCapacity(row.count)
    for (column, value) in zip(columns, row) {
      let text = value.serverText(forColumnOf: column.declaredType)
      if text?.utf8.contains(0) == true {
        throw DatabaseError(
          .engine,
          "`\(column.name)` of row \(number) contains the character NUL, which PostgreSQL cannot "
            + "store")
      }
      texts.append(text)
    }
    return texts
  }

  func end(on wire: Wire, _ cancellation: Cancellation) throws {
    try wire.endCopy(cancellation)
    _ = try wire.rows(script: "COMMIT", cancellation)
  }

  /// Drops the rows.
  func stop(on wire: Wire) {
    guard wire.isCopying else { return }
    // The server reports the reason that it receives as an error.
    try? wire.endCopy(failure: "stopped", Cancellation())
  }
}
