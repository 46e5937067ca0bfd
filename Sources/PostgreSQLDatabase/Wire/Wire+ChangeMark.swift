import DataTables
import Databases

extension Wire {
  /// The counters of the changes of tables and their partitions, with the files that hold the rows.
  ///
  /// A session reports its counters at the end of a transaction, but at most once a second, so the
  /// mark may differ up to ten seconds after a commit. Transactions that are rolled back count too.
  /// - Returns: nil for views and foreign tables, which have no counters.
  func changeMark(of tables: [TableName], _ cancellation: Cancellation) throws -> String? {
    if tables.isEmpty { return nil }
    let names = tables.map { "pg_catalog.to_regclass(\($0.quotedName.quotedLiteral))" }
    let rows = try rows(
      script: """
        SELECT pg_catalog.bool_and(coalesce(c.relkind IN ('r', 'm', 'p'), false)),
          pg_catalog.string_agg(pg_catalog.concat_ws(':', c.oid, c.xmin, c.relfilenode,
            pg_catalog.pg_stat_get_tuples_inserted(c.oid),
            pg_catalog.pg_stat_get_tuples_updated(c.oid),
            pg_catalog.pg_stat_get_tuples_deleted(c.oid)), ',' ORDER BY c.oid)
        FROM unnest(ARRAY[\(names.joined(separator: ", "))]) AS t(oid)
        LEFT JOIN LATERAL (SELECT t.oid AS part
          UNION SELECT relid FROM pg_catalog.pg_partition_tree(t.oid)) p ON true
        LEFT JOIN pg_catalog.pg_class c ON c.oid = p.part
        """, cancellation)
    guard let row = rows.first, row.count == 2, case .bool(true) = row[0] else { return nil }
    return row[1].string
  }
}
