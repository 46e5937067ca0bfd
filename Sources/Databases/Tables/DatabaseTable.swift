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
  /// The rows of a statement that ran before it was needed.
  private let prefetched = Mutex<(statement: String, rows: RowSet)?>(nil)
  private let rowDigest = Mutex<TableDigest?>(nil)

  init(
    _ database: Database, _ schema: TableSchema, _ snapshot: any DatabaseSnapshot,
    known: [String: ColumnFacts] = [:]
  ) {
    self.database = database
    self.schema = schema
    self.snapshot = snapshot
    self.known = Mutex(known)
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

  /// Determines the facts of columns that a request reads and that are not known.
  ///
  /// - Parameter cache: may have the facts, and keeps them.
  func learn(
    _ paths: [ObjectKeyPath], from cache: FetchCache? = nil, cancellation: Cancellation
  ) async throws {
    let cache = cache.flatMap { $0.isOpen ? $0 : nil }
    var new: [DatabaseColumn] = []
    for column in columns(of: paths) {
      let facts = known.withLock { $0[column.name] }
      let kept = cache?.content(Self.cacheEntry(of: column), CachedRows.facts)
      guard let found = kept ?? facts else {
        new.append(column)
        continue
      }
      keep(found, of: column, in: kept == nil ? cache : nil)
    }
    guard !new.isEmpty else { return }
    let facts = try await database.connection.facts(
      of: new, in: schema, on: snapshot, cancellation: cancellation)
    for (column, found) in zip(new, facts) { keep(found, of: column, in: cache) }
  }

  private func keep(_ facts: ColumnFacts, of column: DatabaseColumn, in cache: FetchCache?) {
    known.withLock { $0[column.name] = facts }
    cache?.keep(CachedRows.text(of: facts), for: Self.cacheEntry(of: column))
  }

  private static func cacheEntry(of column: DatabaseColumn) -> String { "facts \(column.name)" }

  /// The columns with which paths begin, each once.
  private func columns(of paths: [ObjectKeyPath]) -> [DatabaseColumn] {
    var columns: [DatabaseColumn] = []
    for path in paths {
      guard case .key(let key)? = path.steps.first, let column = schema.column(key),
        !columns.contains(column)
      else { continue }
      columns.append(column)
    }
    return columns
  }

  /// The same table with presumed facts about unknown columns of a request; nil if none is unknown,
  /// or if nothing can be presumed about one.
  ///
  /// - Parameter snapshot: receives the statements instead of the engine.
  func presuming(
    _ paths: [ObjectKeyPath], on snapshot: any DatabaseSnapshot
  ) -> DatabaseTable? {
    var facts = known.withLock { $0 }
    let unknown = columns(of: paths).filter { facts[$0.name] == nil }
    guard !unknown.isEmpty else { return nil }
    for column in unknown {
      guard let presumed = database.connection.presumedFacts(of: column) else { return nil }
      facts[column.name] = presumed
    }
    return DatabaseTable(database, schema, snapshot, known: facts)
  }

  /// Runs a statement whose rows will probably be needed. Many rows are dropped.
  func prefetch(_ statement: SQL, _ cancellation: Cancellation) async {
    let found = Mutex<RowSet?>(nil)
    do {
      try await snapshot.forEachBatch(
        of: StoreLimits.rowsOfBatch, statement, cancellation: cancellation
      ) { batch in
        found.withLock { found in
          var rows = found?.rows ?? []
          found = nil
          rows += batch.rows
          guard rows.count <= StoreLimits.maxPrefetched else { return false }
          found = RowSet(columns: batch.columns, rows: rows)
          return true
        }
      }
    } catch { return }
    guard let rows = found.withLock({ $0 }) else { return }
    prefetched.withLock { $0 = (database.text(of: statement), rows) }
  }

  func dropPrefetched() { prefetched.withLock { $0 = nil } }

  /// The expression of a column or of a key derived from it.
  func expression(of path: ObjectKeyPath) throws(Shortcoming) -> ColumnExpression {
    guard case .key(let key)? = path.steps.first, let column = schema.column(key) else {
      throw Shortcoming("`\(path)` is not a column of \(schema.name)")
    }
    var facts = known.withLock { $0[key] } ?? ColumnFacts()
    // Declared; the other facts are learned from the values.
    if !column.isNullable { facts.hasNulls = false }
    var expression = ColumnExpression(
      dialect.column(column, facts), kind: column.kind, facts: facts)
    let dialect = dialect
    expression.operand = { value throws(Shortcoming) in
      try dialect.operand(value, for: column)
    }
    expression.hasLists = dialect.hasLists(of: column.kind)
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

  /// The rows of a statement if they were prefetched.
  func takePrefetched(_ statement: SQL) -> RowSet? {
    prefetched.withLock { prefetched in
      guard let found = prefetched, found.statement == database.text(of: statement) else {
        return nil
      }
      prefetched = nil
      return found.rows
    }
  }

  func rows(_ statement: SQL, _ cancellation: Cancellation) async throws -> RowSet {
    if let ready = takePrefetched(statement) { return ready }
    return try await snapshot.rows(statement, cancellation: cancellation)
  }
}
