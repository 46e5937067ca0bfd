import DataSources
import DataTables
import Databases

extension ClickHouseConnection {
  /// Adds rows to a table.
  ///
  /// Rows of at most ``batchSize`` bytes are one statement and one block. More rows are first
  /// inserted into a table of another name, which is removed at the end, and then moved:
  ///
  /// - A MergeTree table takes the partitions of the other table, each at once; without partitions,
  ///   all rows appear at once.
  /// - A replicated or Distributed table, and one without parts, gets the rows by one
  ///   INSERT SELECT on the server, which has no transaction: if a disk is full or a shard dies in
  ///   the middle of it, some of the rows stay. All shards are asked before it begins.
  func insert(
    into table: TableName, columns: [DatabaseColumn], cancellation: Cancellation,
    rows: @Sendable () async throws -> [[Value]]
  ) async throws {
    try checkWritable(nil)
    var batch = try await InsertBatch(
      columns: insertedColumns(columns, of: table, cancellation: cancellation))
    guard try await batch.fill(upTo: Self.batchSize, from: rows) else {
      if batch.count > 0 { try await send(batch, into: text(of: table), cancellation) }
      return
    }
    let staging = try await Staging(table, on: self, cancellation: cancellation)
    do {
      try await staging.create(cancellation)
      var hasMore = true
      while batch.count > 0 {
        try await send(batch, into: staging.text, cancellation)
        batch.removeAll()
        if hasMore { hasMore = try await batch.fill(upTo: Self.batchSize, from: rows) }
      }
      try await staging.move(batch.columnList, cancellation: cancellation)
    } catch {
      throw await failure(error, dropping: staging.name)
    }
    try await drop(
      staging.name, after: "\(table) has all rows, but a copy of them may be left",
      cancellation: cancellation)
  }

  /// The maximum size of the rows of one statement, in bytes.
  static let batchSize = 8 << 20

  /// The columns of the table that are written, as the server has them.
  private func insertedColumns(
    _ columns: [DatabaseColumn], of table: TableName, cancellation: Cancellation
  ) async throws -> [InsertedColumn] {
    let schema = try await schema(of: table, cancellation: cancellation)
    var inserted: [InsertedColumn] = []
    for column in columns {
      guard let existing = schema.column(column.name) else {
        throw DatabaseError(
          .unknownColumn(column.name), "the table \(table) has no column `\(column.name)`")
      }
      inserted.append(InsertedColumn(existing))
    }
    return inserted
  }

  func send(
    _ batch: InsertBatch, into table: String, _ cancellation: Cancellation
  ) async throws {
    let text = "INSERT INTO \(table) (\(batch.columnList)) FORMAT RowBinary"
    let body = Array(text.utf8) + [0x0A] + batch.bytes
    try await server.write(text, body: body, cancellation: cancellation)
  }
}

/// Rows as the body of an INSERT.
struct InsertBatch {
  private let columns: [InsertedColumn]
  private(set) var bytes: [UInt8] = []
  /// The number of rows.
  private(set) var count = 0

  init(columns: [InsertedColumn]) { self.columns = columns }

  /// The names of the columns, quoted.
  var columnList: String { columns.map { Literal.name($0.column.name) }.joined(separator: ", ") }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Appends rows until there are `size` bytes.
  /// - Returns: Whether more rows may follow.
  mutating func fill(
    upTo size: Int, from rows: @Sendable () async throws -> [[Value]]
  ) async throws -> Bool {
    while bytes.count < size {
      let next = try await rows()
      if next.isEmpty { return false }
      for row in next { try append(row) }
    }
    return true
  }

  private mutating func append(_ row: [Value]) throws(DatabaseError) {
    guard row.count == columns.count else {
      throw DatabaseError(
        .engine, "a row has \(row.count) values for \(columns.count) columns")
    }
    for (index, column) in columns.enumerated() {
      try column.append(row[index], to: &bytes)
    }
    count += 1
  }
}
