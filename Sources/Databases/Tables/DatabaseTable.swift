import DataSources
import DataTables
import Synchronization

/// One state of a table: its schema, what is known about its columns, and the snapshot that reads
/// it. All stores over the table share it.
public final class DatabaseTable: Sendable {
  public let database: Database
  public let schema: TableSchema
  public let snapshot: any DatabaseSnapshot
  private let known: Mutex<[String: ColumnFacts]>
  private let rowDigest = Mutex<TableDigest?>(nil)

  init(_ database: Database, _ schema: TableSchema, _ snapshot: any DatabaseSnapshot) {
    self.database = database
    self.schema = schema
    self.snapshot = snapshot
    known = Mutex([:])
  }

  /// The digest of the rows, if it was read.
  var knownDigest: TableDigest? {
    get { rowDigest.withLock { $0 } }
    set { rowDigest.withLock { $0 = newValue } }
  }

  var dialect: any SQLDialect { database.connection.dialect }

  /// The columns of the table as the keys of its objects.
  var keys: [String] { schema.columns.map(\.name) }

  /// The quoted name of the table.
  var name: SQL {
    let schema = schema.name.schema.map { dialect.name($0) + "." } ?? ""
    return SQL(schema + dialect.name(self.schema.name.name))
  }

  /// Determines the facts of columns that a request reads, by one statement for each new column.
  ///
  /// - Parameter cache: may have the facts, and keeps them.
  func learn(
    _ paths: [ObjectKeyPath], from cache: FetchCache? = nil, cancellation: Cancellation
  ) async throws {
    for path in paths {
      guard case .key(let key)? = path.steps.first, let column = schema.column(key) else {
        continue
      }
      let facts = known.withLock { $0[key] }
      guard let cache, cache.isOpen else {
        if facts != nil { continue }
        let found = try await self.facts(of: column, cancellation)
        known.withLock { $0[key] = found }
        continue
      }
      let entry = "facts \(key)"
      let kept = cache.content(entry, CachedRows.facts)
      let found: ColumnFacts
      if let present = kept ?? facts {
        found = present
      } else {
        found = try await self.facts(of: column, cancellation)
      }
      if kept == nil { cache.keep(CachedRows.text(of: found), for: entry) }
      known.withLock { $0[key] = found }
    }
  }

  private func facts(
    of column: DatabaseColumn, _ cancellation: Cancellation
  ) async throws -> ColumnFacts {
    try await database.connection.facts(
      of: column, in: schema, on: snapshot, cancellation: cancellation)
  }

  /// The expression of a column or of a key derived from it.
  func expression(of path: ObjectKeyPath) throws(Shortcoming) -> ColumnExpression {
    guard case .key(let key)? = path.steps.first, let column = schema.column(key) else {
      throw Shortcoming("`\(path)` is not a column of \(schema.name)")
    }
    let facts = known.withLock { $0[key] } ?? ColumnFacts()
    var expression = ColumnExpression(
      dialect.column(column, facts), kind: column.kind, facts: facts)
    let dialect = dialect
    expression.operand = { value throws(Shortcoming) in
      try dialect.operand(value, for: column)
    }
    let steps = Array(path.steps.dropFirst())
    return steps.isEmpty ? expression : try dialect.derived(steps, of: expression)
  }

  /// The column from which a key is derived, or which it is.
  func head(of key: ObjectKeyPath) throws(Shortcoming) -> HeadColumn {
    guard case .key(let name)? = key.steps.first, let column = schema.column(name) else {
      throw Shortcoming("`\(key)` is not a column of \(schema.name)")
    }
    return HeadColumn(sql: SQL(dialect.name(name)), column: column)
  }

  /// The columns that can be ordered, those of the sorting key first.
  var orderedColumns: [ColumnExpression] {
    let sorting = schema.sortingKey.map(\.shown)
    let columns = schema.columns.filter { $0.kind.isScalar || $0.kind == .any }
    let first = sorting.compactMap { key in columns.first { dialect.name($0.name) == key } }
    let rest = columns.filter { column in !first.contains { $0.name == column.name } }
    return (first + rest).compactMap { try? expression(of: ObjectKeyPath(key: $0.name)) }
  }

  /// - Throws: `TableError.unknownKey` for a path that begins with no column.
  func check(_ paths: [ObjectKeyPath]) throws(TableError) {
    for path in paths {
      guard case .key(let key)? = path.steps.first, key != "SELF" else { continue }
      guard let column = schema.column(key) else { throw .unknownKey(key, known: keys) }
      guard column.kind.isScalar, path.steps.count > 1, case .key(let step) = path.steps[1] else {
        continue
      }
      let derived = DerivedKey.all.map(\.name)
      if !derived.contains(step) { throw .unknownKey(step, known: derived) }
    }
  }

  /// Runs a statement, and logs it.
  func rows(_ statement: SQL, _ cancellation: Cancellation) async throws -> RowSet {
    try await database.run(statement, on: snapshot, cancellation: cancellation)
  }
}
