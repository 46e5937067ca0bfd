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
    }
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
    } catch {
      throw SQLiteFailure.error(error, statement: nil)
    }
    locks = EngineLocks([path] + attached.map(\.path))
  }

  /// Runs `body` on the queue of the connection; raising the flag, or canceling the task, interrupts
  /// its statement.
  func run<Result: Sendable>(
    _ cancellation: Cancellation,
    _ body: @escaping @Sendable (OpaquePointer) throws -> Result
  ) async throws -> Result {
    let flag = Cancellation(parent: cancellation)
    return try await DeterministicExecutor.outside {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          queue.asyncWriteWithoutTransaction { database in
            continuation.resume(
              with: Swift.Result {
                try flag.check()
                guard let connection = database.sqliteConnection else {
                  throw DatabaseError(.connection, "the database is closed")
                }
                return try flag.interruptingStatements(of: connection) { try body(connection) }
              })
          }
        }
      } onCancel: {
        flag.cancel()
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

extension Cancellation {
  /// The number of instructions of SQLite's virtual machine between two looks at the flag, which then
  /// take less than a thousandth of the time.
  private static let instructions: Int32 = 1_000

  /// Runs `body`, whose statements fail with `SQLITE_INTERRUPT` when the flag is raised.
  ///
  /// The statement asks for the flag. With `sqlite3_interrupt` another thread would have to wait for
  /// the flag, which takes longer than most statements, and could meet a connection that was closed.
  fileprivate func interruptingStatements<Result>(
    of connection: OpaquePointer, _ body: () throws -> Result
  ) throws -> Result {
    sqlite3_progress_handler(
      connection, Self.instructions,
      { flag in
        guard let flag else { return 0 }
        return Unmanaged<Cancellation>.fromOpaque(flag).takeUnretainedValue().isCancelled ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_progress_handler(connection, 0, nil, nil) }
    do {
      return try body()
    } catch {
      // An interrupted statement fails with SQLITE_INTERRUPT.
      try check()
      throw error
    }
  }
}
