import DataTables
import GRDBSQLite
import Synchronization

/// The statements that run, on all connections; one task watches the flags of all of them.
///
/// A task for each statement would take longer than most statements, and a progress handler is not
/// called while SQLite counts the rows of a table.
enum RunningStatements {
  /// Unchecked `Sendable` is safe: any thread may interrupt a connection that is open.
  private final class Entry: @unchecked Sendable {
    let connection: OpaquePointer
    let flag: Cancellation

    init(_ connection: OpaquePointer, _ flag: Cancellation) {
      self.connection = connection
      self.flag = flag
    }
  }

  private struct State {
    var entries: [Entry] = []
    var isWatched = false
  }

  private static let state = Mutex(State())
  private static let interval = Duration.milliseconds(20)

  /// Runs `body`, whose statements fail with `SQLITE_INTERRUPT` when the flag is raised.
  /// - Throws: ``TableError/cancelled`` in place of that failure; the error of `body`.
  static func interrupting<Result>(
    when flag: Cancellation, on connection: OpaquePointer, _ body: () throws -> Result
  ) throws -> Result {
    let entry = Entry(connection, flag)
    let wasWatched = state.withLock { state in
      state.entries.append(entry)
      defer { state.isWatched = true }
      return state.isWatched
    }
    if !wasWatched { Task.detached { await watch() } }
    // A connection is not interrupted after `body`, when it may be closed.
    defer { state.withLock { $0.entries.removeAll { $0 === entry } } }
    do {
      return try body()
    } catch {
      try flag.check()
      throw error
    }
  }

  /// Interrupts statements whose flags are raised, until no statement runs.
  private static func watch() async {
    var goesOn = true
    while goesOn {
      try? await Task.sleep(for: interval)
      goesOn = state.withLock { state in
        for entry in state.entries where entry.flag.isCancelled {
          sqlite3_interrupt(entry.connection)
        }
        state.isWatched = !state.entries.isEmpty
        return state.isWatched
      }
    }
  }
}
