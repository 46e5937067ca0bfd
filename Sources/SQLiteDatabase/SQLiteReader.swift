import DataSources
import DataTables
import Databases
import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// One connection to a file, which runs one statement at a time on a queue of its own.
final class SQLiteReader: Sendable {
  private let queue: DatabaseQueue
  private let locks: EngineLocks

  /// - Parameter attached: further files, by the schemas that their tables have.
  /// - Throws: ``DatabaseError`` for a file that is missing, damaged, locked or not of SQLite.
  init(
    _ path: String, attached: [(schema: String, path: String)], isWritable: Bool,
    timeout: Duration, functions: SQLiteFunctions
  ) throws(DataSources.DatabaseError) {
    var configuration = Configuration()
    configuration.readonly = !isWritable
    configuration.busyMode = .timeout(timeout / .seconds(1))
    configuration.label = "dsshell.sqlite"
    // The shell never changes what the file's own settings say about foreign keys.
    configuration.foreignKeysEnabled = false
    // A snapshot and a table that is saved keep a transaction open between two calls.
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { database in
      functions.register(with: database.sqliteConnection)
      for (schema, path) in attached {
        try database.execute(sql: "ATTACH DATABASE ? AS ?", arguments: [path, schema])
      }
      SQLiteAuthorizer.install(on: database.sqliteConnection)
    }
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
    } catch {
      throw SQLiteFailure.error(error, statement: nil)
    }
    locks = EngineLocks([path] + attached.map(\.path))
  }

  /// Runs `body` on the queue of the connection; raising the flag, or canceling the task meanwhile,
  /// interrupts its statement. In a task that was canceled before, `body` runs as usual, so that a
  /// transaction can be rolled back.
  /// - Throws: ``TableError/cancelled``, ``DatabaseError``, and the errors of `body`.
  func run<Result: Sendable>(
    _ cancellation: Cancellation, isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping @Sendable (OpaquePointer) throws -> Result
  ) async throws -> Result {
    let flag = Cancellation(parent: cancellation)
    let wasCanceled = Task.isCancelled
    return try await DeterministicExecutor.outside {
      try await withTaskCancellationHandler {
        _ = isolation
        return try await withCheckedThrowingContinuation { continuation in
          queue.asyncWriteWithoutTransaction { database in
            continuation.resume(
              with: Swift.Result {
                try flag.check()
                guard let connection = database.sqliteConnection else {
                  throw DatabaseError(.connection, "the database is closed")
                }
                return try RunningStatements.interrupting(when: flag, on: connection) {
                  try body(connection)
                }
              })
          }
        }
      } onCancel: {
        if !wasCanceled { flag.cancel() }
      }
    }
  }

  /// Runs `body` on the queue of the connection even after a cancellation.
  func finish(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      queue.asyncWriteWithoutTransaction { _ in
        body()
        continuation.resume()
      }
    }
  }

  func close() {
    try? queue.close()
    locks.end()
  }
}
