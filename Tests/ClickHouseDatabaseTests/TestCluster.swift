import DataSources
import DataTables
import Databases
import HTTPTransport
import TestSupport

@testable import ClickHouseDatabase

/// The servers that the environment names, with a database of their own for each test.
struct TestCluster: Sendable {
  static let transport = HTTPTransport(userAgent: "dsshell/test")

  /// The name of the database, which is on all shards.
  let database: String
  /// Opened for writing.
  let connection: ClickHouseConnection
  /// One for each shard; the first is the server of ``connection``.
  let shards: [ClickHouseConnection]

  /// The cluster of the servers.
  let cluster = TestDatabases.running.cluster

  /// Runs `body` with a new database, which is dropped afterwards.
  static func run(_ body: (TestCluster) async throws -> Void) async throws {
    let name = "dsshell_test_" + String(UInt64.random(in: .min ... .max), radix: 36)
    var shards: [ClickHouseConnection] = []
    for host in TestDatabases.running.shards {
      let shard = try await open("clickhouse://\(host)", isWritable: true)
      try await shard.execute("CREATE DATABASE \(SQL(name))", cancellation: Cancellation())
      shards.append(try await open("clickhouse://\(host)/\(name)", isWritable: true))
    }
    let test = TestCluster(database: name, connection: shards[0], shards: shards)
    do {
      try await body(test)
    } catch {
      await test.drop()
      throw error
    }
    await test.drop()
  }

  private func drop() async {
    for shard in shards {
      _ = try? await shard.execute("DROP DATABASE \(SQL(database))", cancellation: Cancellation())
    }
  }

  /// The address of the first server, with a database.
  static func address(database: String = "") -> String {
    let address = TestDatabases.running.clickhouse ?? ""
    let end = address.lastIndex(of: "/") ?? address.endIndex
    return address[..<end] + "/" + database
  }

  static func open(
    _ address: String, isWritable: Bool = false, timeout: Duration? = nil,
    password: String? = nil, over transport: any Transport = transport
  ) async throws -> ClickHouseConnection {
    var options = ConnectionOptions()
    options.isWritable = isWritable
    options.timeout = timeout
    options.password = password
    let connection = try await DatabaseDriver.clickHouse(over: transport)
      .connect(DatabaseAddress(parsing: address), options, Cancellation())
    guard let connection = connection as? ClickHouseConnection else { throw TestFailure() }
    return connection
  }

  /// The rows of a statement, as JSON.
  func rows(_ statement: SQL) async throws -> String {
    let rows = try await connection.rows(statement, cancellation: Cancellation()).rows
    return rows.map { Value.array($0).json }.joined(separator: " ")
  }

  @discardableResult
  func run(_ statement: SQL) async throws -> Int? {
    try await connection.execute(statement, cancellation: Cancellation())
  }

  /// Creates a table `NAME_local` on each shard and a table NAME over all of them.
  func distribute(_ name: String, _ columns: String, order: String) async throws {
    let local = "CREATE TABLE \(name)_local (\(columns)) ENGINE = MergeTree ORDER BY \(order)"
    for shard in shards {
      try await shard.execute(SQL(local), cancellation: Cancellation())
    }
    let all =
      "CREATE TABLE \(name) AS \(name)_local "
      + "ENGINE = Distributed(\(cluster), \(database), \(name)_local, cityHash64(id))"
    try await run(SQL(all))
  }
}

struct TestFailure: Error {}

/// The error of some work.
func failure(
  isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Void
) async throws -> DatabaseError? {
  do {
    try await work()
    return nil
  } catch let error as DatabaseError {
    return error
  }
}

extension Value {
  /// The texts of a value that JSON does not distinguish.
  var exact: String {
    switch self {
    case .date(let date): "date \(date.text) = \(date.secondsFromGMT)"
    case .data(let bytes): "data \(Literal.hexadecimal(bytes))"
    default: json
    }
  }
}
