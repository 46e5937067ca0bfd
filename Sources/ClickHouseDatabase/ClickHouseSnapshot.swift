import DataSources
import DataTables
import Databases

/// One state of tables, by a token: the server has no snapshot that lasts longer than a statement.
///
/// The token is compared after the rows of a read have arrived, so that a change before or during
/// the read is found; a change after the read does not matter to it. A stream is compared when its
/// first bytes arrive: from then on the server reads the state that it has begun with.
final class ClickHouseSnapshot: DatabaseSnapshot {
  private let connection: ClickHouseConnection
  private let state: TableState
  /// The rows of the state; nil without tables that have one.
  private let rows: TableState.Rows?
  /// See ``TableState`` for the changes that it may miss; nil without tables that have a state.
  let token: String?

  init(_ connection: ClickHouseConnection, state: TableState, rows: TableState.Rows?) {
    self.connection = connection
    self.state = state
    self.rows = rows
    token = rows.map { $0.sorted().joined(separator: " ") }
  }

  /// The numbers of rows and of blocks begin anew in a table that is made again.
  var identifiesStates: Bool { false }

  func isCurrent(cancellation: Cancellation) async throws -> Bool {
    guard let rows else { return true }
    return try await exists {
      try await state.rows(on: connection.server, cancellation: cancellation) == rows
    }
  }

  /// False for a table that is gone.
  private func exists(_ compare: () async throws -> Bool) async throws -> Bool {
    do {
      return try await compare()
    } catch let error as DatabaseError where error.lacksTable {
      return false
    }
  }

  func rows(_ statement: SQL, cancellation: Cancellation) async throws -> RowSet {
    let text = try text(of: statement)
    let rows = try await explaining(cancellation) {
      try await connection.server.rows(text, cancellation: cancellation)
    }
    try await check(text, cancellation)
    return rows
  }

  func forEachBatch(
    of size: Int, _ statement: SQL, cancellation: Cancellation,
    _ body: @Sendable (RowSet) async throws -> Bool
  ) async throws {
    let text = try text(of: statement)
    let server = connection.server
    let (reader, query) = try await explaining(cancellation) {
      try await server.run(text, .stream, cancellation: cancellation) { reply in
        (
          ResultReader(reply.response, of: text, isStream: true, server: server), reply.query
        )
      }
    }
    let size = max(1, size)
    var isFirst = true
    var isEnded = false
    do {
      try await check(text, cancellation)
      while !isEnded {
        // An error ends the query too.
        isEnded = true
        let rows = try await server.guarding(query, text, cancellation: cancellation) {
          try await reader.next(size)
        }
        isEnded = rows.rows.count < size
        // An empty result still has its columns.
        if rows.rows.isEmpty, !isFirst { break }
        isFirst = false
        guard try await body(rows) else { break }
      }
    } catch {
      if !isEnded { await server.kill(query) }
      throw error
    }
    // The connection closes with the reader, which does not end the query.
    if !isEnded { await server.kill(query) }
  }

  private func text(of statement: SQL) throws(DatabaseError) -> String {
    let text = try connection.literal.text(of: statement)
    try StatementText.check(text, isRead: true)
    return text
  }

  private func check(_ text: String, _ cancellation: Cancellation) async throws {
    guard let rows else { return }
    let isSame = try await exists {
      try await state.hasContent(of: rows, on: connection.server, cancellation: cancellation)
    }
    guard isSame else { throw Self.changed(text) }
  }

  private static func changed(_ text: String?) -> DatabaseError {
    DatabaseError(.changed, "the table changed since it was fetched", statement: text)
  }

  /// A table or a column that is gone is a change, unless it was never there.
  private func explaining<Result>(
    _ cancellation: Cancellation, _ work: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await work()
    } catch let error as DatabaseError where error.lacksTable || error.unknownName != nil {
      // A shard may not answer; its error is the reason then.
      let isSame = (try? await isCurrent(cancellation: cancellation)) ?? true
      throw isSame ? error : Self.changed(error.statement)
    }
  }
}
