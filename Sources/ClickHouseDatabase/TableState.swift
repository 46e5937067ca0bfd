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
/// A change of a definition counts in all of them.
struct TableState: Sendable {
  /// nil without a table that has a state.
  private let statement: String?

  /// - Throws: ``DatabaseError``, `unknownTable`.
  static func of(
    _ tables: [TableName], on connection: ClickHouseConnection, cancellation: Cancellation
  ) async throws -> TableState {
    guard !tables.isEmpty else { return TableState(statement: nil) }
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
    return TableState(statement: catalog.stateStatement)
  }

  /// - Complexity: one statement, a few milliseconds for each shard.
  func token(on server: Server, cancellation: Cancellation) async throws -> String? {
    guard let statement else { return nil }
    let rows = try await server.rows(statement, cancellation: cancellation)
    // The parts of a union arrive in any order.
    return rows.rows.map { Value.array($0).json }.sorted().joined(separator: " ")
  }
}
