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

  /// Runs `body` on the queue of the connection; raising the flag interrupts its statement.
  func run<Result: Sendable>(
    _ cancellation: Cancellation,
    _ body: @escaping @Sendable (OpaquePointer) throws -> Result
  ) async throws -> Result {
    let queue = queue
    return try await DeterministicExecutor.outside {
      try await cancellation.interrupting({ queue.interrupt() }) {
        try await withCheckedThrowingContinuation { continuation in
          queue.asyncWriteWithoutTransaction { database in
            continuation.resume(
              with: Swift.Result {
                try cancellation.check()
                guard let connection = database.sqliteConnection else {
                  throw DatabaseError(.connection, "the database is closed")
                }
                do {
                  return try body(connection)
                } catch {
                  // An interrupted statement fails with SQLITE_INTERRUPT.
                  try cancellation.check()
                  throw error
                }
              })
          }
        }
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
  /// Runs `body`; raising the flag, or canceling the task, calls `interrupt`, which is not called after
  /// this returns, when the connection may be closed.
  fileprivate func interrupting<Result: Sendable>(
    _ interrupt: @escaping @Sendable () -> Void,
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let watch = Task {
      while !isCancelled { try await Task.sleep(for: .milliseconds(20)) }
      try Task.checkCancellation()
      interrupt()
    }
    let result: Swift.Result<Result, any Error>
    do {
      result = .success(
        try await withTaskCancellationHandler {
          try await body()
        } onCancel: {
          interrupt()
        })
    } catch {
      result = .failure(error)
    }
    watch.cancel()
    _ = await watch.result
    return try result.get()
  }
}
