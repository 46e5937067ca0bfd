import DataSources
public import DataTables

/// An open database: its connection, and a log of the statements.
public final class Database: Sendable {
  public let driver: DatabaseDriver
  public let connection: any DatabaseConnection
  public let log = StatementLog()

  public init(_ connection: any DatabaseConnection, driver: DatabaseDriver) {
    self.connection = connection
    self.driver = driver
  }

  /// Opens a database.
  /// - Throws: ``DatabaseError``, `TableError.cancelled`.
  public static func open(
    _ address: DatabaseAddress, _ options: ConnectionOptions, with driver: DatabaseDriver,
    cancellation: Cancellation
  ) async throws -> Database {
    Database(try await driver.connect(address, options, cancellation), driver: driver)
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
