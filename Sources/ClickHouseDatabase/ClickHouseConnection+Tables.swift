import DataSources
import DataTables
import Databases

extension ClickHouseConnection {
  /// Rows are counted by the parts of the tables, for a Distributed table on all its shards; they
  /// are unknown for other tables of old servers, and if a shard does not answer.
  func tables(cancellation: Cancellation) async throws -> [TableSummary] {
    let totals = server.facts.isAtLeast(20, 1) ? "total_rows" : "NULL"
    let listed = try await server.rows(
      """
      SELECT database, name, engine, engine_full, \(totals), primary_key FROM system.tables \
      WHERE database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA') \
      AND NOT is_temporary AND name NOT LIKE '.inner%' ORDER BY database, name
      """, cancellation: cancellation)
    var counts = [nil as String?: try await partRows(in: nil, cancellation)]
    var tables: [TableSummary] = []
    for row in listed.rows {
      guard row.count == 6, case .string(let schema) = row[0], case .string(let name) = row[1],
        case .string(let engine) = row[2], case .string(let full) = row[3]
      else { continue }
      let isView = Self.isView(engine)
      var rows: Int?
      if case .integer(let total) = row[4] { rows = total }
      if engine.hasSuffix("MergeTree") { rows = counts[nil]?[TableName(name, schema: schema)] ?? 0 }
      if let shards = DistributedTable(engine: full) {
        if counts[shards.cluster] == nil {
          counts[shards.cluster] = try await countsOfShards(shards.cluster, cancellation)
        }
        rows = counts[shards.cluster]?[TableName(shards.name, schema: shards.database)]
      }
      tables.append(
        TableSummary(
          name: TableName(name, schema: schema == database ? nil : schema), isView: isView,
          rows: isView ? nil : rows,
          primaryKey: Self.terms(of: row[5].string ?? "")))
    }
    return tables.sorted {
      ($0.name.schema ?? "", $0.name.name) < ($1.name.schema ?? "", $1.name.name)
    }
  }

  static func isView(_ engine: String) -> Bool { engine.hasSuffix("View") }

  private func partRows(
    in cluster: String?, _ cancellation: Cancellation
  ) async throws -> [TableName: Int] {
    let parts = cluster.map { "cluster(\(Literal.quoted($0)), system.parts)" } ?? "system.parts"
    let counted = try await server.rows(
      "SELECT database, table, sum(rows) FROM \(parts) WHERE active GROUP BY database, table",
      cancellation: cancellation)
    var counts: [TableName: Int] = [:]
    for row in counted.rows {
      guard row.count == 3, case .string(let schema) = row[0], case .string(let name) = row[1],
        case .integer(let count) = row[2]
      else { continue }
      counts[TableName(name, schema: schema)] = count
    }
    return counts
  }

  /// Empty if a shard does not answer.
  private func countsOfShards(
    _ cluster: String, _ cancellation: Cancellation
  ) async throws -> [TableName: Int] {
    do {
      return try await partRows(in: cluster, cancellation)
    } catch is DatabaseError {
      return [:]
    }
  }

  /// A table of ClickHouse has no key that is unique: ``TableSchema/rowIdentity`` is empty unless the
  /// shell has numbered the rows, and ``TableSchema/sortingKey`` has the expressions of its order.
  func schema(of table: TableName, cancellation: Cancellation) async throws -> TableSchema {
    let described = try await rows(
      "DESCRIBE TABLE \(SQL(text(of: table)))", cancellation: cancellation)
    var columns: [DatabaseColumn] = []
    var isNumbered = false
    for row in described.rows {
      guard row.count >= 3, case .string(let name) = row[0], case .string(let type) = row[1],
        row[2].string != "EPHEMERAL"
      else { continue }
      if name == RowNumber.name, type == RowNumber.type, row.count > 3,
        row[3].string?.contains(RowNumber.other) ?? false
      {
        isNumbered = true
        continue
      }
      columns.append(DatabaseColumn(clickHouse: name, type: type))
    }
    var schema = TableSchema(name: table, columns: columns)
    if isNumbered { schema.rowIdentity = [SQL(RowNumber.name)] }
    let place = StateCatalog.Place(database: table.schema ?? database, name: table.name)
    if let facts = try await tableFacts(place, cancellation) {
      schema.isView = Self.isView(facts.engine)
      schema.sortingKey = Self.sortingKey(facts.sortingKey)
      if let shards = DistributedTable(engine: facts.full) {
        let shard = StateCatalog.Place(database: shards.database, name: shards.name)
        schema.sortingKey = Self.sortingKey(
          try await tableFacts(shard, cancellation)?.sortingKey ?? "")
      }
    }
    return schema
  }

  private static func sortingKey(_ text: String) -> [SQL] { terms(of: text).map { SQL($0) } }

  /// The expressions of a key.
  private static func terms(of text: String) -> [String] {
    // `tuple()` is an empty key.
    if text == "tuple()" { return [] }
    return (TypeName.parts(of: text, separator: ",") ?? []).map { String($0) }.filter {
      !$0.isEmpty
    }
  }

  struct TableFacts {
    var engine: String
    /// With its arguments.
    var full: String
    var sortingKey: String
    var partitionKey: String
  }

  /// nil if the connected server does not have the table.
  func tableFacts(
    _ place: StateCatalog.Place, _ cancellation: Cancellation
  ) async throws -> TableFacts? {
    let found = try await server.rows(
      """
      SELECT engine, engine_full, sorting_key, partition_key FROM system.tables WHERE \
      database = \(Literal.quoted(place.database)) AND name = \(Literal.quoted(place.name))
      """, cancellation: cancellation)
    guard let texts = found.rows.first?.map({ $0.string ?? "" }), texts.count == 4 else {
      return nil
    }
    return TableFacts(
      engine: texts[0], full: texts[1], sortingKey: texts[2], partitionKey: texts[3])
  }

  /// The table in a statement, quoted.
  func text(of table: TableName) -> String {
    Literal.name(table.schema ?? database) + "." + Literal.name(table.name)
  }
}

/// The table on the shards of a Distributed table: `Distributed(cluster, database, table, …)`.
struct DistributedTable {
  let cluster: String
  let database: String
  let name: String

  /// Returns nil for another engine.
  /// - Parameter engine: with its arguments.
  init?(engine: String) {
    guard engine.hasPrefix("Distributed("), let close = engine.lastIndex(of: ")"),
      let parts = TypeName.parts(
        of: engine[..<close].dropFirst("Distributed(".count), separator: ","),
      parts.count >= 3
    else { return nil }
    let names = parts.map { $0.filter { !"'`\"".contains($0) } }
    (cluster, database, name) = (names[0], names[1], names[2])
  }
}
