import DataSources
public import DataTables

/// An open database: its connection, and a log of the statements.
public final class Database: Sendable {
  public let driver: DatabaseDriver
  public let connection: any DatabaseConnection
  public let log = StatementLog()
  /// Ends reads of rows that are shown, which have no flag of their own, on the server too.
  public let interruption: Cancellation

  /// - Parameter interruption: is raised when the user interrupts a command.
  public init(
    _ connection: any DatabaseConnection, driver: DatabaseDriver,
    interruption: Cancellation = Cancellation()
  ) {
    self.connection = connection
    self.driver = driver
    self.interruption = interruption
  }

  /// Opens a database.
  ///
  /// - Parameter cancellation: ends the attempt; also the ``interruption`` of the database.
  /// - Throws: ``DatabaseError``, `TableError.cancelled`.
  public static func open(
    _ address: DatabaseAddress, _ options: ConnectionOptions, with driver: DatabaseDriver,
    cancellation: Cancellation
  ) async throws -> Database {
    Database(
      try await driver.connect(address, options, cancellation), driver: driver,
      interruption: cancellation)
  }

  /// The statement with its values as literals, as it is shown.
  public func text(of statement: SQL) -> String {
    statement.text { value, _ in connection.dialect.literal(value) }
  }

  /// Begins to read one state of tables; the statements that read it are logged.
  public func snapshot(
    of tables: [TableName], cancellation: Cancellation
  ) async throws -> LoggedSnapshot {
    LoggedSnapshot(
      try await connection.snapshot(of: tables, cancellation: cancellation), of: self)
  }

  /// Runs one statement that may write, and logs it.
  /// - Returns: the number of changed rows; nil if the engine does not report it.
  /// - Throws: ``DatabaseError``: `denied` for a database that was opened for reading.
  public func execute(_ statement: SQL, cancellation: Cancellation) async throws -> Int? {
    try await log.logging(text(of: statement), rows: { $0 ?? 0 }) {
      try await connection.execute(statement, cancellation: cancellation)
    }
  }
}
