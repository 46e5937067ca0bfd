import DataSources
import DataTables
import Databases

/// Reads the definitions of tables from the server's catalog.
struct Catalog {
  let wire: Wire

  /// The tables and views that the user can read, without those of the system.
  func tables(_ cancellation: Cancellation) throws -> [TableSummary] {
    let statement: SQL = """
      SELECT nullif(n.nspname, current_schema()), c.relname, c.relkind IN ('v', 'm'),
        \(Self.estimate), \(Self.primaryKey)
      FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
        AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
        AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
        AND (pg_catalog.has_table_privilege(c.oid, 'SELECT')
          OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT'))
      ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"
      """
    let found = try wire.rows(try Statement(statement), cancellation)
    return found.rows.compactMap { row in
      guard let name = row[1].string, case .bool(let isView) = row[2] else { return nil }
      var rows: Int?
      if case .integer(let estimate) = row[3] { rows = estimate }
      return TableSummary(
        name: TableName(name, schema: row[0].string), isView: isView, rows: rows,
        isEstimate: rows != nil, primaryKey: Self.strings(row[4]))
    }
  }

  /// The number of rows as the last `ANALYZE` found it, null before the first one. For a partitioned
  /// table, the sum of its partitions.
  private static let estimate: SQL = """
    CASE WHEN c.relkind = 'p' THEN (
        SELECT CASE WHEN pg_catalog.bool_and(l.reltuples >= 0)
          THEN pg_catalog.sum(l.reltuples)::bigint END
        FROM pg_catalog.pg_partition_tree(c.oid) t
        JOIN pg_catalog.pg_class l ON l.oid = t.relid WHERE t.isleaf)
      WHEN c.relkind IN ('r', 'm', 'f') AND c.reltuples >= 0 THEN c.reltuples::bigint END
    """

  private static let primaryKey: SQL = """
    (SELECT pg_catalog.array_agg(a.attname ORDER BY k.position)
      FROM pg_catalog.pg_index i, unnest(i.indkey) WITH ORDINALITY AS k(number, position),
        pg_catalog.pg_attribute a
      WHERE i.indrelid = c.oid AND i.indisprimary AND k.position <= i.indnkeyatts
        AND a.attrelid = c.oid AND a.attnum = k.number)
    """

  /// Whether the table or one of its parts belongs to another server.
  private static let hasForeignRows: SQL = """
    EXISTS (WITH RECURSIVE part(oid) AS (SELECT c.oid
        UNION SELECT i.inhrelid FROM part JOIN pg_catalog.pg_inherits i ON i.inhparent = part.oid)
      SELECT FROM part JOIN pg_catalog.pg_class f ON f.oid = part.oid WHERE f.relkind = 'f')
    """

  /// - Throws: ``DatabaseError``, `unknownTable`.
  func schema(of table: TableName, _ cancellation: Cancellation) throws -> TableSchema {
    let statement: SQL = """
      SELECT c.oid::bigint, c.relkind::text, \(Self.primaryKey), c.relhassubclass,
        \(Self.hasForeignRows)
      FROM pg_catalog.pg_class c
      WHERE c.oid = pg_catalog.to_regclass(\(value: .string(table.quotedName)))
        AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
      """
    let found = try wire.rows(try Statement(statement), cancellation)
    guard let row = found.rows.first, let kind = row[1].string else {
      throw DatabaseError(
        .unknownTable(table.description), "relation \"\(table)\" does not exist", code: "42P01")
    }
    let primaryKey = Self.strings(row[2])
    var identity = primaryKey.map { SQL($0.quotedName) }
    // The key of a table that others inherit from does not hold for their rows.
    if case .bool(true) = row[3], kind == "r" { identity = [] }
    if identity.isEmpty { identity = Self.places(kind, hasParts: row[3]) }
    // The places of rows of another server do not identify them.
    if case .bool(true) = row[4] { identity = [] }
    return TableSchema(
      name: table, isView: kind == "v" || kind == "m",
      columns: try columns(of: row[0], cancellation), primaryKey: primaryKey,
      rowIdentity: identity, indexes: try indexes(of: row[0], cancellation))
  }

  /// The columns of each index of all rows, up to the first one with another order.
  private func indexes(of table: Value, _ cancellation: Cancellation) throws -> [[SQL]] {
    let statement: SQL = """
      SELECT array_agg(CASE WHEN a.attcollation = i.indcollation[k.position::int - 1]
          THEN a.attname END ORDER BY k.position)
      FROM pg_catalog.pg_index i
        JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
        JOIN pg_catalog.pg_am m ON m.oid = c.relam AND m.amname = 'btree'
        CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k(number, position)
        LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
      WHERE i.indrelid = \(value: table) AND i.indisvalid AND i.indpred IS NULL
        AND k.position <= i.indnkeyatts
      GROUP BY i.indexrelid ORDER BY i.indexrelid
      """
    return try wire.rows(try Statement(statement), cancellation).rows.map { row in
      guard case .array(let names)? = row.first else { return [] }
      return names.prefix { !$0.isNull }.compactMap(\.string).map { SQL($0.quotedName) }
    }
  }

  /// The place of a row in its file identifies it. The rows of a view and of another server have
  /// none.
  private static func places(_ kind: String, hasParts: Value) -> [SQL] {
    switch kind {
    case "p": ["tableoid", "ctid"]
    case "r", "m": if case .bool(true) = hasParts { ["tableoid", "ctid"] } else { ["ctid"] }
    default: []
    }
  }

  private func columns(
    of table: Value, _ cancellation: Cancellation
  ) throws -> [DatabaseColumn] {
    // A domain has the values of the type below it.
    let statement: SQL = """
      SELECT a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod),
        (WITH RECURSIVE base(oid, below, required) AS (
          SELECT t.oid, t.typbasetype, t.typnotnull FROM pg_catalog.pg_type t
            WHERE t.oid = a.atttypid
          UNION ALL
          SELECT t.oid, t.typbasetype, t.typnotnull FROM base
            JOIN pg_catalog.pg_type t ON t.oid = base.below)
        SELECT ARRAY[min(oid::bigint) FILTER (WHERE below = 0), bool_or(required)::int] FROM base),
        a.attnotnull, coalesce(l.collisdeterministic, true),
        CASE WHEN l.collname = 'default' THEN (
            SELECT CASE WHEN to_jsonb(d) ->> 'datlocprovider' = 'i' THEN 'icu'
              ELSE d.datcollate END
            FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database())
          WHEN l.collprovider IN ('c', 'b') THEN l.collcollate ELSE l.collname::text END
      FROM pg_catalog.pg_attribute a
      LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation
      WHERE a.attrelid = \(value: table) AND a.attnum > 0 AND NOT a.attisdropped
      ORDER BY a.attnum
      """
    let found = try wire.rows(try Statement(statement), cancellation)
    return found.rows.compactMap { row in
      guard let name = row[0].string, let type = row[1].string,
        case .array(let base) = row[2], case .integer(let identifier)? = base.first,
        case .bool(let isRequired) = row[3]
      else { return nil }
      var kind = ServerType.type(UInt32(truncatingIfNeeded: identifier)).kind
      // Such a collation has other equal strings, and no other order for them.
      if kind == .text, case .bool(false) = row[4] { kind = .other }
      let domainIsRequired = if case .integer(1)? = base.last { true } else { false }
      var column = DatabaseColumn(
        name: name, declaredType: type, kind: kind, isNullable: !(isRequired || domainIsRequired))
      // These order strings by their bytes, as the shell does.
      if let collation = row[5].string, !Self.byteOrders.contains(collation) {
        column.collation = collation
      }
      return column
    }
  }

  private static let byteOrders: Set = ["C", "POSIX", "C.UTF-8", "C.utf8", "ucs_basic"]

  private static func strings(_ value: Value) -> [String] {
    guard case .array(let elements) = value else { return [] }
    return elements.compactMap(\.string)
  }
}
