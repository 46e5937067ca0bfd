import DataSources
import DataTables
import Databases

/// A server of ClickHouse. Each statement is a request of its own, so several run at a time.
final class ClickHouseConnection: DatabaseConnection {
  let address: DatabaseAddress
  let isWritable: Bool
  let server: Server

  init(_ address: DatabaseAddress, server: Server, isWritable: Bool) {
    self.address = address
    self.server = server
    self.isWritable = isWritable
  }

  /// The default database.
  var database: String { server.facts.database }
  var literal: Literal { Literal(hasWideDates: server.facts.hasWideDates) }

  static func open(
    _ address: DatabaseAddress, options: ConnectionOptions, over transport: any Transport,
    cancellation: Cancellation
  ) async throws -> ClickHouseConnection {
    guard !address.hosts.isEmpty else {
      throw DatabaseError(
        .connection, "the address has no host; write clickhouse://HOST:PORT/DATABASE")
    }
    var failures: [String] = []
    for host in address.hosts {
      let server = Server(
        try ServerAddress(host, of: address, password: options.password ?? address.password),
        database: address.database.isEmpty ? nil : address.database, timeout: options.timeout,
        transport: transport)
      do {
        let facts = try await facts(of: server, cancellation: cancellation)
        var shown = address
        shown.password = nil
        let connection = ClickHouseConnection(
          shown, server: server.with(facts), isWritable: options.isWritable)
        try await connection.checkCluster(cancellation)
        return connection
      } catch let error as DatabaseError where error.kind == .connection && error.code.isEmpty {
        failures.append(error.message)
      } catch var error as DatabaseError {
        if case .unknownDatabase = error.kind {
          error.known = await databases(of: server.withoutDatabase, cancellation)
        }
        throw error
      }
    }
    throw DatabaseError(.connection, failures.joined(separator: "; "))
  }

  /// Empty if the server does not list them.
  private static func databases(of server: Server, _ cancellation: Cancellation) async -> [String] {
    let rows = try? await server.rows(
      "SELECT name FROM system.databases", as: .connect, cancellation: cancellation)
    return rows?.rows.compactMap { $0.first?.string } ?? []
  }

  private static func facts(
    of server: Server, cancellation: Cancellation
  ) async throws -> ServerFacts {
    // No setting is sent: the profile of the user may forbid them.
    let rows = try await server.rows(
      ServerFacts.statement, as: .connect, cancellation: cancellation)
    return try ServerFacts(rows.rows.first ?? [])
  }

  private func checkCluster(_ cancellation: Cancellation) async throws {
    guard let cluster = address.parameter("cluster") else { return }
    let rows = try await server.rows(
      "SELECT DISTINCT cluster FROM system.clusters ORDER BY cluster", cancellation: cancellation)
    let names = rows.rows.compactMap { $0.first?.string }
    guard names.contains(cluster) else {
      throw DatabaseError(
        .connection,
        "the server has no cluster `\(cluster)`; it has "
          + (names.isEmpty ? "none" : names.joined(separator: ", ")))
    }
  }

  func rows(_ statement: SQL, cancellation: Cancellation) async throws -> RowSet {
    try await server.rows(literal.text(of: statement), cancellation: cancellation)
  }

  /// Old servers do not report the rows that a statement changes; new ones those that it writes.
  @discardableResult
  func execute(_ statement: SQL, cancellation: Cancellation) async throws -> Int? {
    let text = try literal.text(of: statement)
    try checkWritable(text)
    try StatementText.check(text, isRead: false)
    return Self.writtenRows(try await server.write(text, cancellation: cancellation))
  }

  /// `X-ClickHouse-Summary: {"read_rows":"0","written_rows":"3",…}`.
  private static func writtenRows(_ headers: [HeaderField]) -> Int? {
    guard let summary = headers.first(where: { $0.name.lowercased() == "x-clickhouse-summary" }),
      let mark = summary.value.firstRange(of: "\"written_rows\":\"")
    else { return nil }
    return Int(summary.value[mark.upperBound...].prefix { $0 != "\"" })
  }

  func checkWritable(_ text: String?) throws(DatabaseError) {
    guard isWritable else {
      throw DatabaseError(.denied, "the database is open for reading only", statement: text)
    }
  }

  func snapshot(
    of tables: [TableName], cancellation: Cancellation
  ) async throws -> any DatabaseSnapshot {
    let state = try await TableState.of(tables, on: self, cancellation: cancellation)
    return ClickHouseSnapshot(
      self, state: state, rows: try await state.rows(on: server, cancellation: cancellation))
  }

  func close() async { await server.close() }
}

extension Server {
  /// All rows of a statement.
  func rows(
    _ text: String, as use: Use = .read, cancellation: Cancellation
  ) async throws -> RowSet {
    try await run(text, use, cancellation: cancellation) { [self] reply in
      let reader = ResultReader(reply.response, of: text, isStream: false, server: self)
      return try await reader.next(.max)
    }
  }
}
