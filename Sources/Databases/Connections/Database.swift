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

  /// Runs a statement over a snapshot, and logs it.
  public func run(
    _ statement: SQL, on snapshot: any DatabaseSnapshot, cancellation: Cancellation
  ) async throws -> RowSet {
    let start = ContinuousClock.now
    let result = try await snapshot.rows(statement, cancellation: cancellation)
    log.add(
      LoggedStatement(
        text: text(of: statement), rows: result.rows.count, time: ContinuousClock.now - start))
    return result
  }
}
