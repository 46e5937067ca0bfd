import DataSources
import DataTables
import Databases

/// The statements whose results change when tables change.
///
/// - Tables with parts (the MergeTree family): their rows and greatest block numbers in each
///   partition, and the numbers of the mutations that wrote parts, on all shards of a Distributed
///   table. Merges do not change them, unless they remove rows. Every insert and deletion does, and
///   a mutation with each part that it writes.
/// - Tables without parts (Memory, Log and others that store rows): the number of rows. A change
///   that keeps the number is missed.
/// - Views: the tables whose names their definitions have, and so on.
/// - Other tables, such as those that read files or other servers, have no state.
///
/// A change of a definition counts in all of them. A read compares less than the whole state: not the
/// definitions on the shards of a Distributed table.
struct TableState: Sendable {
  /// The rows of a state, each as a text, in any order.
  typealias Rows = Set<String>

  /// Empty without a table that has a state.
  private let statements: [StateCatalog.Subject: String]

  /// - Throws: ``DatabaseError``, `unknownTable`.
  static func of(
    _ tables: [TableName], on connection: ClickHouseConnection, cancellation: Cancellation
  ) async throws -> TableState {
    guard !tables.isEmpty else { return TableState(statements: [:]) }
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
    return TableState(statements: catalog.statements)
  }

  /// nil without a table that has a state.
  /// - Complexity: some milliseconds for each shard, for statements that run at the same time.
  func rows(on server: Server, cancellation: Cancellation) async throws -> Rows? {
    try await rows(of: StateCatalog.Subject.allCases, on: server, cancellation)
  }

  /// Whether the rows of the tables, and the definitions of the connected server, are those of a
  /// state. It asks each shard once.
  func hasContent(
    of state: Rows, on server: Server, cancellation: Cancellation
  ) async throws -> Bool {
    try await rows(of: [.rows, .definitions], on: server, cancellation)?.isSubset(of: state) ?? true
  }

  private func rows(
    of subjects: [StateCatalog.Subject], on server: Server, _ cancellation: Cancellation
  ) async throws -> Rows? {
    guard !statements.isEmpty else { return nil }
    return try await withThrowingTaskGroup(of: [[Value]].self) { group in
      for statement in subjects.compactMap({ statements[$0] }) {
        group.addTask { try await server.rows(statement, cancellation: cancellation).rows }
      }
      return try await group.reduce(into: Rows()) { state, rows in
        state.formUnion(rows.map { Value.array($0).json })
      }
    }
  }
}
