import DataSources
public import DataTables

/// A connection to a database. Calls may come from any task; a connection that can run only one
/// statement at a time makes the others wait, without blocking a thread of the caller.
///
/// All errors are ``DatabaseError``, or `TableError.cancelled` if the cancellation is raised: the
/// statement then ends on the server too.
public protocol DatabaseConnection: AnyObject, Sendable {
  /// `postgres://ann@127.0.0.1:5432/shop`, without the password.
  var address: DatabaseAddress { get }
  var isWritable: Bool { get }
  /// How the engine writes expressions.
  var dialect: any SQLDialect { get }

  /// The tables and views that the user can read, ordered by schema and name, without those of the
  /// system. A table of the default schema has no schema in its name.
  func tables(cancellation: Cancellation) async throws -> [TableSummary]

  /// The names of ``tables(cancellation:)``, without counting rows.
  func tableNames(cancellation: Cancellation) async throws -> [TableName]

  /// - Throws: ``DatabaseError``, `unknownTable`.
  func schema(of table: TableName, cancellation: Cancellation) async throws -> TableSchema

  /// Begins to read one state of the database.
  ///
  /// - Parameter tables: the tables that will be read, for engines that compare tokens.
  func snapshot(
    of tables: [TableName], cancellation: Cancellation
  ) async throws -> any DatabaseSnapshot

  /// Determines what is true of the values of columns, by at most one scan of each.
  func facts(
    of columns: [DatabaseColumn], in table: TableSchema, on snapshot: any DatabaseSnapshot,
    cancellation: Cancellation
  ) async throws -> [ColumnFacts]

  /// The facts that a column has if its values are as it declares, for an engine that determines facts
  /// while another statement runs; nil, the default, for other engines and for other columns.
  func presumedFacts(of column: DatabaseColumn) -> ColumnFacts?

  /// Runs one statement that may write, and returns the number of changed rows; nil if the engine
  /// does not report it.
  /// - Throws: ``DatabaseError``: `denied` unless ``isWritable``.
  @discardableResult
  func execute(_ statement: SQL, cancellation: Cancellation) async throws -> Int?

  /// Adds rows to a table. If it fails, nothing has changed; the driver documents where an engine
  /// cannot promise this.
  ///
  /// - Parameter rows: returns the next rows, each with one value for each of `columns`; empty at the
  ///   end.
  func insert(
    into table: TableName, columns: [DatabaseColumn], cancellation: Cancellation,
    rows: @Sendable () async throws -> [[Value]]
  ) async throws

  /// Makes a table with rows. If it fails, nothing has changed; the driver documents where an engine
  /// cannot promise this.
  ///
  /// - Parameters:
  ///   - columns: the names and kinds; an engine declares its own types for the kinds.
  ///   - isReplacing: whether an existing table is replaced.
  ///   - rows: returns the next rows, each with one value for each of `columns`; empty at the end.
  /// - Throws: ``DatabaseError``: `denied` unless ``isWritable``, `exists`.
  func create(
    _ table: TableName, columns: [DatabaseColumn], isReplacing: Bool, cancellation: Cancellation,
    rows: @Sendable () async throws -> [[Value]]
  ) async throws

  /// The files that change with every change of the database; nil for a server.
  var files: [String]? { get }

  /// A text that differs after a change of the tables by any program, for polling: it costs little,
  /// may lag behind some seconds, and may differ without a change.
  func changeMark(of tables: [TableName], cancellation: Cancellation) async throws -> String?

  /// Begins to receive the changes of a table, if the server reports them; by default, it does not.
  func listening(
    to table: TableName, cancellation: Cancellation
  ) async throws -> ChangeListening

  /// Ends all statements and closes the connection. Later calls fail.
  func close() async
}

extension DatabaseConnection {
  public func tableNames(cancellation: Cancellation) async throws -> [TableName] {
    try await tables(cancellation: cancellation).map(\.name)
  }

  public func presumedFacts(of column: DatabaseColumn) -> ColumnFacts? { nil }
  public var files: [String]? { nil }

  public func listening(
    to table: TableName, cancellation: Cancellation
  ) async throws -> ChangeListening { .unavailable }

  /// The token of a new snapshot.
  public func changeMark(
    of tables: [TableName], cancellation: Cancellation
  ) async throws -> String? {
    try await snapshot(of: tables, cancellation: cancellation).token
  }
}

/// Reads one state of a database. Releasing it ends its transaction, if it has one.
public protocol DatabaseSnapshot: AnyObject, Sendable {
  /// All rows of a statement.
  /// - Throws: ``DatabaseError``, `changed` if the state no longer exists.
  func rows(_ statement: SQL, cancellation: Cancellation) async throws -> RowSet

  /// The rows of a statement in batches of about `size`, while they arrive.
  ///
  /// - Parameter body: returns whether to go on; after false, the statement is ended.
  func forEachBatch(
    of size: Int, _ statement: SQL, cancellation: Cancellation,
    _ body: @Sendable (RowSet) async throws -> Bool
  ) async throws

  /// All rows of a statement as columns in memory.
  ///
  /// The default reads the rows in batches. A driver that can read cells without making values of them
  /// does so.
  /// - Parameters:
  ///   - keys: the keys of the columns, all different.
  ///   - progress: receives the number of rows that were read since the last call.
  func table(
    of statement: SQL, keys: [String], cancellation: Cancellation,
    progress: @escaping @Sendable (Int) -> Void
  ) async throws -> any Table

  /// Whether the database still has the state that this snapshot reads. True while a change of
  /// other tables does not matter.
  func isCurrent(cancellation: Cancellation) async throws -> Bool

  /// Goes on with the state of another snapshot, in which the tables that are read have the same
  /// content.
  /// - Returns: false, the default, if this snapshot keeps its state.
  func goOn(with other: any DatabaseSnapshot) -> Bool

  /// A text that is equal for equal states of the tables and differs after a change; nil if the
  /// engine has none. The driver documents which changes it may miss.
  var token: String? { get }

  /// Whether equal tokens mean equal states in all sessions; false if a change may go unnoticed.
  var identifiesStates: Bool { get }

  /// A text like ``token`` that stays equal when only other tables change, as far as the engine can
  /// determine this by reading the tables.
  func contentToken(cancellation: Cancellation) async throws -> String?

  /// The digest of a table, for engines that read it faster than by a statement; nil to use
  /// ``SQLDialect/rowHash(of:from:)``.
  ///
  /// - Parameter key: the column of whole numbers that identifies a row.
  func digest(
    of table: TableSchema, key: DatabaseColumn, cancellation: Cancellation
  ) async throws -> TableDigest?
}

extension DatabaseSnapshot {
  public func goOn(with other: any DatabaseSnapshot) -> Bool { false }

  public var identifiesStates: Bool { true }

  public func contentToken(cancellation: Cancellation) async throws -> String? { token }

  public func digest(
    of table: TableSchema, key: DatabaseColumn, cancellation: Cancellation
  ) async throws -> TableDigest? { nil }
}
