import DataTables
import Databases

extension Wire {
  /// The largest size of the tables for which ``contents(of:_:)`` reads them.
  private static let limit = 256 << 20

  /// A text that is the same for the same content of some tables, and other for other content: it
  /// sums hashes of the places of the rows and of the transactions that wrote them, and of the
  /// definitions of the columns. Rewriting a table (`VACUUM FULL`) changes it too.
  ///
  /// The transaction may have waited for a statement that redefines a table, whose definition it
  /// then reads as it was before. The columns and the file are those of now.
  ///
  /// - Returns: nil without tables, for views and foreign tables, and if the tables are larger than
  ///   ``limit``.
  /// - Complexity: reads the tables, a million rows in about 0.1 s.
  func contents(of tables: [TableName], _ cancellation: Cancellation) throws -> String? {
    if tables.isEmpty { return nil }
    let oids = tables.map { "pg_catalog.to_regclass(\($0.quotedName.quotedLiteral))" }
    let check = try rows(
      script: """
        SELECT coalesce(bool_and(t.oid IS NOT NULL AND coalesce(c.relkind IN ('r', 'm', 'p'), false)
            AND NOT EXISTS (SELECT FROM pg_catalog.pg_inherits i
              JOIN pg_catalog.pg_class f ON f.oid = i.inhrelid
              WHERE i.inhparent = c.oid AND f.relkind = 'f'))
          AND sum(pg_catalog.pg_relation_size(c.oid)
            + coalesce((SELECT sum(pg_catalog.pg_relation_size(p.relid))
              FROM pg_catalog.pg_partition_tree(c.oid) p WHERE p.relid <> c.oid), 0)) <= \(Self.limit),
          false)
        FROM unnest(ARRAY[\(oids.joined(separator: ", "))]) AS t(oid)
        LEFT JOIN pg_catalog.pg_class c ON c.oid = t.oid
        """, cancellation)
    guard case .bool(true)? = check.first?.first else { return nil }
    let sums = zip(tables, oids).map { table, oid in
      """
      (SELECT pg_catalog.count(*) || ':' || coalesce(pg_catalog.sum(pg_catalog.hashtidextended(
        ctid, xmin::text::bigint # (tableoid::bigint << 32))), 0) FROM \(table.quotedName)),
      (SELECT pg_catalog.sum(pg_catalog.hashtidextended(ctid, xmin::text::bigint))
        FROM pg_catalog.pg_attribute WHERE attrelid = \(oid)),
      (SELECT c.oid || ':' || c.xmin FROM pg_catalog.pg_class c WHERE c.oid = \(oid)),
      pg_catalog.pg_relation_filenode(\(oid))
      """
    }
    let found = try rows(
      script: "SELECT pg_catalog.concat_ws(',', \(sums.joined(separator: ", ")))", cancellation)
    guard let text = found.first?.first?.string else { return nil }
    let columns = try tables.map { table in
      let none = try rows(
        Statement(SQL("SELECT * FROM \(table.quotedName) LIMIT 0" as String)), cancellation)
      return none.columns.map { $0.name.quotedName + " " + $0.declaredType }
    }
    return ([text] + columns.joined()).joined(separator: ",")
  }
}
