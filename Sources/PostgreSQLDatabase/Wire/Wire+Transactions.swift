import DataSources
import DataTables
import Databases

extension Wire {
  private static let savepoint = "dsshell"
  /// The longest time of a look for sessions that wait, for which reads of the transaction wait.
  static let lookTime = Duration.seconds(3)

  /// Begins a transaction that reads one state of the database.
  /// - Returns: a text that is the same for the same state of all databases of the server.
  func beginReading(_ cancellation: Cancellation) throws -> String {
    let rows = try rows(
      script: """
        BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
        SELECT pg_catalog.txid_current_snapshot()::text;
        SAVEPOINT \(Self.savepoint)
        """, cancellation)
    guard case .string(let version)? = rows.first?.first else {
      throw DatabaseError(.engine, "the server does not report its state")
    }
    return server + "/" + version
  }

  /// Runs a statement of the transaction. After an error or a cancellation, the transaction goes on
  /// and reads the same state.
  func inTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      let result = try body()
      // The statement ended the transaction: later ones would read another state.
      if !isInTransaction { abandon() }
      return result
    } catch {
      recover()
      throw error
    }
  }

  /// Makes a failed transaction usable again.
  func recover() {
    guard !isBroken else { return }
    do {
      _ = try rows(script: "ROLLBACK TO \(Self.savepoint)", Cancellation())
    } catch {
      abandon()
    }
  }

  /// Whether another session waits for a lock that the transaction has, for example to drop a table
  /// or to build an index concurrently; false if the server does not report its locks. Gives the
  /// connection up if the server does not answer within ``lookTime``.
  var delaysAnotherSession: Bool {
    deadline = .now + Self.lookTime
    defer { deadline = nil }
    // Only an exclusive lock of a relation waits for that of a reader. The view has the present
    // locks, not those of the state that the transaction reads.
    let statement = """
      SELECT EXISTS (SELECT FROM pg_catalog.pg_locks mine
        JOIN pg_catalog.pg_locks other ON NOT other.granted
          AND (other.relation = mine.relation AND other.database = mine.database
            AND other.locktype = 'relation' AND other.mode = 'AccessExclusiveLock'
            OR other.locktype = 'virtualxid' AND other.virtualxid = mine.virtualxid)
        WHERE mine.granted AND mine.pid = pg_catalog.pg_backend_pid()
          AND mine.locktype IN ('relation', 'virtualxid'))
      """
    let found = try? inTransaction { try rows(script: statement, Cancellation()) }
    guard case .bool(let isWaiting)? = found?.first?.first else { return false }
    return isWaiting
  }

  /// Prepares the session for its next user.
  /// - Returns: whether it can be used again.
  func reset() -> Bool {
    guard !isBroken, !isIdle else { return !isBroken }
    do {
      _ = try rows(script: "ROLLBACK", Cancellation())
    } catch {
      abandon()
    }
    return !isBroken && isIdle
  }

  /// Identifies the server and the history of its states: a restored server has another timeline.
  func readServer(_ cancellation: Cancellation) throws -> String {
    let functions = ["pg_control_system()", "pg_control_checkpoint()"]
    let permissions = functions.map {
      "pg_catalog.has_function_privilege('pg_catalog.\($0)', 'EXECUTE')"
    }
    let allowed = try rows(
      script: "SELECT \(permissions.joined(separator: " AND "))", cancellation)
    guard case .bool(true)? = allowed.first?.first else { return "" }
    let rows = try rows(
      script: """
        SELECT s.system_identifier || '-' || c.timeline_id
        FROM pg_catalog.pg_control_system() s, pg_catalog.pg_control_checkpoint() c
        """, cancellation)
    return rows.first?.first?.string ?? ""
  }
}
