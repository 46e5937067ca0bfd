import DataTables
import Databases

/// The table that holds rows before they are moved to the one they are for.
struct Staging {
  private let connection: ClickHouseConnection
  private let target: String
  private let place: StateCatalog.Place
  let name: TableName
  /// The table in a statement, quoted.
  let text: String
  /// The engine of the target, if it takes partitions of another table.
  private let takesPartitions: Bool
  private let cluster: String?

  init(
    _ table: TableName, on connection: ClickHouseConnection, cancellation: Cancellation
  ) async throws {
    self.connection = connection
    target = connection.text(of: table)
    name = table.temporary()
    text = connection.text(of: name)
    let schema = table.schema ?? connection.database
    place = StateCatalog.Place(database: schema, name: name.name)
    let facts = try await connection.tableFacts(
      StateCatalog.Place(database: schema, name: table.name), cancellation)
    let engine = facts?.engine ?? ""
    takesPartitions = engine.hasSuffix("MergeTree") && !engine.hasPrefix("Replicated")
    cluster = DistributedTable(engine: facts?.full ?? "")?.cluster
  }

  func create(_ cancellation: Cancellation) async throws {
    // A copy of another engine's arguments could share its data.
    let copy = takesPartitions ? "" : " ENGINE = Log"
    try await run("CREATE TABLE \(text) AS \(target)\(copy)", cancellation)
  }

  private func run(_ text: String, _ cancellation: Cancellation) async throws {
    try await connection.server.write(text, cancellation: cancellation)
  }

  /// - Parameter columns: the names of the columns that were written, quoted.
  func move(_ columns: String, cancellation: Cancellation) async throws {
    guard takesPartitions else {
      if let cluster {
        _ = try await connection.server.rows(
          "SELECT count() FROM cluster(\(Literal.quoted(cluster)), system.one)",
          cancellation: cancellation)
      }
      return try await run(
        "INSERT INTO \(target) (\(columns)) SELECT \(columns) FROM \(text)", cancellation)
    }
    let partitions = try await connection.server.rows(
      "SELECT DISTINCT partition_id FROM system.parts WHERE active AND "
        + "database = \(Literal.quoted(place.database)) AND table = \(Literal.quoted(place.name)) "
        + "ORDER BY partition_id",
      cancellation: cancellation)
    for row in partitions.rows {
      guard case .string(let id)? = row.first else { continue }
      try await run(
        "ALTER TABLE \(target) ATTACH PARTITION ID \(Literal.quoted(id)) FROM \(text)", cancellation
      )
    }
  }
}
