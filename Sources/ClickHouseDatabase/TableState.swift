import DataSources
import DataTables
import Databases

/// The statement whose result changes when tables change.
///
/// - Tables with parts (the MergeTree family): their rows and greatest block numbers in each
///   partition, and their mutations, on all shards of a Distributed table. Merges do not change
///   them, unless they remove rows. Every insert, deletion and mutation does.
/// - Tables without parts (Memory, Log and others that store rows): the number of rows. A change
///   that keeps the number is missed.
/// - Views: the tables whose names their definitions have, and so on.
/// - Other tables, such as those that read files or other servers, have no state.
///
/// A change of a definition counts in all of them. A read compares less than the whole state: not the
/// definitions on the shards of a Distributed table, and of a mutation only the parts that it has
/// written.
struct TableState: Sendable {
  /// The rows of a state, each as a text, in any order.
  typealias Rows = Set<String>

  /// nil without a table that has a state.
  private let statement: String?
  private let contentStatement: String?

  /// - Throws: ``DatabaseError``, `unknownTable`.
  static func of(
    _ tables: [TableName], on connection: ClickHouseConnection, cancellation: Cancellation
  ) async throws -> TableState {
    guard !tables.isEmpty else { return TableState(statement: nil, contentStatement: nil) }
    var catalog = StateCatalog(database: connection.database)
    for table in tables { try catalog.add(table) }
    // Views and Distributed tables name further tables.
    while let names = catalog.takeUnknown() {
      let rows = try await connection.server.rows(
        StateCatalog.statement(names), cancellation: cancellation)
      catalog.learn(rows.rows, of: names)
    }
    for table in tables where !catalog.has(table) {
      throw DatabaseError(
        .unknownTable(table.description), "table \(table) does not exist")
    }
    return TableState(
      statement: catalog.stateStatement, contentStatement: catalog.contentStatement)
  }

  /// nil without a table that has a state.
  /// - Complexity: one statement, some milliseconds for each shard.
  func rows(on server: Server, cancellation: Cancellation) async throws -> Rows? {
    try await rows(of: statement, on: server, cancellation)
  }

  /// Whether the rows of the tables are those of a state.
  /// - Complexity: one statement, less than half of the time of ``rows(on:cancellation:)``.
  func hasContent(
    of state: Rows, on server: Server, cancellation: Cancellation
  ) async throws -> Bool {
    try await rows(of: contentStatement, on: server, cancellation)?.isSubset(of: state) ?? true
  }

  private func rows(
    of statement: String?, on server: Server, _ cancellation: Cancellation
  ) async throws -> Rows? {
    guard let statement else { return nil }
    let rows = try await server.rows(statement, cancellation: cancellation)
    return Set(rows.rows.map { Value.array($0).json })
  }
}
