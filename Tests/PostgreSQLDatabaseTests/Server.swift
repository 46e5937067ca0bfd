import DataSources
import DataTables
import Databases
import PostgreSQLDatabase
import Synchronization
import TestSupport
import Testing

/// A connection to the server of the tests, and a schema of its own for the tables of one test.
struct Server {
  let connection: any DatabaseConnection
  let schema: String

  /// Runs a test with an empty schema, which is first in the search path and dropped afterward.
  static func run(
    isWritable: Bool = true, timeout: Duration? = nil, idle: Duration = .seconds(600),
    _ test: (Server) async throws -> Void
  ) async throws {
    await ServerTests.running.enter()
    defer { ServerTests.running.leave() }
    let schema = "test_\(UInt64.random(in: .min ... .max))"
    let owner = try await connect(isWritable: true)
    try await owner.execute(SQL("CREATE SCHEMA " + schema), cancellation: Cancellation())
    let connection = try await connect(
      "?options=-csearch_path%3D\(schema)&application_name=\(schema)", isWritable: isWritable,
      timeout: timeout, idle: idle)
    do {
      try await test(Server(connection: connection, schema: schema))
      await connection.close()
      try await owner.execute(
        SQL("DROP SCHEMA " + schema + " CASCADE"), cancellation: Cancellation())
    } catch {
      await connection.close()
      try await owner.execute(
        SQL("DROP SCHEMA " + schema + " CASCADE"), cancellation: Cancellation())
      throw error
    }
    await owner.close()
  }

  /// - Parameter parameters: with the question mark.
  static func connect(
    _ parameters: String = "", isWritable: Bool = false, timeout: Duration? = nil,
    idle: Duration = .seconds(600)
  ) async throws -> any DatabaseConnection {
    var options = ConnectionOptions()
    options.isWritable = isWritable
    options.timeout = timeout
    options.idle = idle
    let address = try #require(TestDatabases.running.postgres) + parameters
    return try await DatabaseDriver.postgres.connect(
      DatabaseAddress(parsing: address), options, Cancellation())
  }

  /// Another connection to the same schema.
  func other() async throws -> any DatabaseConnection {
    try await Self.connect("?options=-csearch_path%3D\(schema)", isWritable: true)
  }

  @discardableResult
  func execute(_ statement: SQL) async throws -> Int {
    try await connection.execute(statement, cancellation: Cancellation()) ?? 0
  }

  /// The rows of a statement in a new snapshot.
  func rows(_ statement: SQL) async throws -> [[Value]] {
    try await snapshot().rows(statement, cancellation: Cancellation()).rows
  }

  /// The only value of a statement.
  func value(_ statement: SQL) async throws -> Value {
    try #require(try await rows(statement).first?.first)
  }

  func snapshot(_ tables: String...) async throws -> any DatabaseSnapshot {
    try await connection.snapshot(of: tables.map { TableName($0) }, cancellation: Cancellation())
  }

  /// The error of a statement that runs in a snapshot.
  func failure(_ statement: SQL) async throws -> DatabaseError? {
    let snapshot = try await snapshot()
    return await #expect(throws: DatabaseError.self) {
      _ = try await snapshot.rows(statement, cancellation: Cancellation())
    }
  }
}

extension DatabaseSnapshot {
  func rows(_ statement: SQL) async throws -> [[Value]] {
    try await rows(statement, cancellation: Cancellation()).rows
  }
}

/// Whether a condition becomes true soon.
func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
  for _ in 0..<250 {
    if try await condition() { return true }
    try? await Task.sleep(for: .milliseconds(20))
  }
  return false
}

/// Limits the number of tests that use the server at a time: it has a hundred connections.
final class ServerTests: Sendable {
  static let running = ServerTests(6)
  private let state: Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

  private init(_ limit: Int) { state = Mutex((limit, [])) }

  func enter() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free == 0 {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func leave() {
    let next = state.withLock { state in
      if state.waiting.isEmpty {
        state.free += 1
        return nil as CheckedContinuation<Void, Never>?
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
