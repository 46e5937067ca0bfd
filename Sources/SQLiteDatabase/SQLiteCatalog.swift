import DataSources
import DataTables
import Databases
import GRDBSQLite

/// Reads the tables and columns of a connection.
enum SQLiteCatalog {
  /// The main database, then the attached ones, each with the name that its tables are shown with;
  /// nil for the main one.
  static func schemas(_ connection: OpaquePointer) throws -> [(schema: String, shown: String?)] {
    let list = try SQLiteStatement("PRAGMA database_list", connection)
    var schemas: [(String, String?)] = []
    while try list.next() {
      guard case .string(let name) = list.row()[1], name != "temp" else { continue }
      schemas.append((name, name == "main" ? nil : name))
    }
    return schemas
  }

  /// The tables and views of a schema, by name.
  static func tables(
    of schema: String, _ dialect: any SQLDialect, _ connection: OpaquePointer
  ) throws -> [(name: String, isView: Bool)] {
    let list = try SQLiteStatement(
      """
      SELECT name, type FROM \(SQL(dialect.name(schema))).sqlite_schema \
      WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
      """, connection)
    var tables: [(name: String, isView: Bool)] = []
    while try list.next() {
      let row = list.row()
      guard case .string(let name) = row[0] else { continue }
      tables.append((name, row[1] == "view"))
    }
    return tables
  }

  /// - Throws: ``DatabaseError``, `unknownTable`.
  static func schema(
    _ table: TableName, _ dialect: any SQLDialect, _ connection: OpaquePointer
  ) throws -> TableSchema {
    let schema = table.schema ?? "main"
    // PRAGMA takes no placeholders, its function form does.
    let info = try SQLiteStatement(
      """
      SELECT name, type, "notnull", pk FROM \
      pragma_table_xinfo(\(value: .string(table.name)), \(value: .string(schema))) \
      WHERE hidden IN (0, 2, 3)
      """, connection)
    var columns: [DatabaseColumn] = []
    var keys: [(position: Int, name: String)] = []
    while try info.next() {
      let row = info.row()
      guard case .string(let name) = row[0] else { continue }
      let declared = row[1].text
      var column = DatabaseColumn(
        name: name, declaredType: declared, kind: DatabaseColumn.Kind(sqliteType: declared),
        isNullable: row[2] == 0)
      column.collation = collation(of: name, in: table, connection)
      if case .integer(let position) = row[3], position > 0 { keys.append((position, name)) }
      columns.append(column)
    }
    guard !columns.isEmpty else {
      throw DatabaseError(.unknownTable(table.name), "no such table: \(table)")
    }
    let names = try tables(of: schema, dialect, connection)
    let isView = names.first { $0.name.lowercased() == table.name.lowercased() }?.isView ?? false
    let primaryKey = keys.sorted { $0.position < $1.position }.map(\.name)
    let identity: [SQL]
    if let rowID = isView ? nil : rowID(of: table, columns, connection) {
      identity = [SQL(rowID)]
    } else {
      identity = primaryKey.map { SQL(dialect.name($0)) }
    }
    return TableSchema(
      name: table, isView: isView, columns: columns, primaryKey: primaryKey, rowIdentity: identity,
      indexes: try indexes(of: table, schema, connection))
  }

  /// The columns of each index of all rows, up to the first one that has a collation.
  private static func indexes(
    of table: TableName, _ schema: String, _ connection: OpaquePointer
  ) throws -> [[SQL]] {
    let list = try SQLiteStatement(
      """
      SELECT l.seq, i.name, i.coll FROM \
      pragma_index_list(\(value: .string(table.name)), \(value: .string(schema))) AS l, \
      pragma_index_xinfo(l.name, \(value: .string(schema))) AS i \
      WHERE NOT l.partial AND i.key ORDER BY l.seq, i.seqno
      """, connection)
    var indexes: [[SQL]] = []
    var (index, isEnded) = (Value.null, false)
    while try list.next() {
      let row = list.row()
      if row[0] != index {
        (index, isEnded) = (row[0], false)
        indexes.append([])
      }
      if case .string(let name) = row[1], row[2].text.uppercased() == "BINARY", !isEnded {
        indexes[indexes.count - 1].append(SQL(SQLiteDialect.name(name)))
      } else {
        isEnded = true
      }
    }
    return indexes
  }

  /// A name of the row number that no column hides; nil for a table without row numbers.
  static func rowID(
    of table: TableName, _ columns: [DatabaseColumn], _ connection: OpaquePointer
  ) -> String? {
    let hidden = Set(columns.map { $0.name.lowercased() })
    guard let name = ["rowid", "_rowid_", "oid"].first(where: { !hidden.contains($0) }) else {
      return nil
    }
    let place =
      SQLiteDialect.name(table.schema ?? "main") + "." + SQLiteDialect.name(table.name)
    let statement = try? SQLiteStatement(
      SQL("SELECT \(name) FROM \(place) LIMIT 1" as String), connection)
    return statement == nil ? nil : name
  }

  /// The collation that a column declares; "" for BINARY.
  private static func collation(
    of column: String, in table: TableName, _ connection: OpaquePointer
  ) -> String {
    var collation: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(
      connection, table.schema ?? "main", table.name, column, nil, &collation, nil, nil, nil)
    guard code == SQLITE_OK, let collation else { return "" }
    let name = String(cString: collation)
    return name.uppercased() == "BINARY" ? "" : name
  }
}

extension Value {
  fileprivate var text: String { if case .string(let text) = self { text } else { "" } }
}
