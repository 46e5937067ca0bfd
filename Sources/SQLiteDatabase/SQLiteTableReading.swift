import DataSources
import DataTables
import Databases
import GRDBSQLite

/// Reads a whole table into columns, with a connection for each processor. All connections read one
/// state of the database.
struct SQLiteTableReading {
  private let open: @Sendable () throws -> SQLiteFile
  private let first: SQLiteFile
  private let cancellation: Cancellation
  private let dialect = SQLiteDialect(functions: SQLiteFunctions())

  /// Fewer rows are read by one connection.
  private static let minSplit = 50_000
  /// Ranges of row numbers may have different numbers of rows: a worker that has finished one takes
  /// the next.
  private static let piecesPerWorker = 4
  private static let maxAttempts = 5
  private static let maxListed = 8

  /// - Parameter open: makes a connection; called once for each.
  init(
    cancellation: Cancellation, open: @escaping @Sendable () throws -> SQLiteFile
  ) throws {
    self.open = open
    self.cancellation = cancellation
    first = try open()
  }

  /// - Parameter name: the table; nil for the only one.
  /// - Throws: ``DatabaseError``, also for an unknown table; `TableError.badArgument` if the table must
  ///   be chosen.
  func loaded(table name: String?) throws -> LoadedTable {
    try first.begin()
    var readers = [first]
    if let name = try? choice(name), try pieces(of: TableName(name)).count > 1 {
      readers = try connections()
    }
    // Again, because the connections may have begun a new state.
    let table = TableName(try choice(name))
    let schema = try SQLiteCatalog.schema(table, dialect, first.connection)
    let pieces = try pieces(of: table)
    let columns = try read(schema, pieces, with: readers)
    let keys = schema.columns.map(\.name)
    let count = columns.first?.count ?? 0
    let result = ColumnTable(keys: keys, columns: columns, count: count)
    var report = LoadReport(format: "SQLite", rows: count)
    report.columns = zip(schema.columns, columns).map { column, values in
      var report = ColumnReport(key: column.name, type: values.type, isExact: true)
      report.declaredType = column.declaredType
      return report
    }
    return LoadedTable(table: result, report: report)
  }

  // MARK: The table

  private func choice(_ name: String?) throws -> String {
    let tables = try SQLiteCatalog.tables(of: "main", dialect, first.connection).map(\.name)
    if let name {
      let found =
        tables.first { $0 == name } ?? tables.first { $0.lowercased() == name.lowercased() }
      if let found { return found }
      var error = DatabaseError(
        .unknownTable(name), "the file has no table `\(name)`; it has \(Self.list(tables))")
      error.known = tables
      throw error
    }
    guard let only = tables.first else {
      throw TableError.badArgument("the file has no tables")
    }
    guard tables.count == 1 else {
      throw TableError.badArgument(
        "the file has \(tables.count) tables; choose one with \(Self.list(tables))")
    }
    return only
  }

  private static func list(_ tables: [String]) -> String {
    if tables.isEmpty { return "none" }
    let shown = tables.prefix(maxListed).map { SuggestedLabels("table", $0).description }
    let more = tables.count - shown.count
    return shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  // MARK: The rows

  /// Where each piece of the rows is: the text after FROM.
  private func pieces(of table: TableName) throws -> [SQL] {
    let name = SQL(dialect.name("main") + "." + dialect.name(table.name))
    let root = try first.first(
      """
      SELECT rootpage FROM sqlite_schema WHERE lower(name) = lower(\(value: .string(table.name))) \
      AND type = 'table'
      """)
    // Views and virtual tables have no pages of their own.
    guard case .integer(let page) = root, page > 0 else { return [name] }
    let schema = try SQLiteCatalog.schema(table, dialect, first.connection)
    guard let rowID = SQLiteCatalog.rowID(of: table, schema.columns, first.connection) else {
      let order = schema.rowIdentity.joined(separator: ", ")
      return order.isEmpty ? [name] : ["(SELECT * FROM \(name) ORDER BY \(order))"]
    }
    let row = SQL(rowID)
    guard case .integer(let low) = try first.first("SELECT min(\(row)) FROM \(name)"),
      case .integer(let high) = try first.first("SELECT max(\(row)) FROM \(name)")
    else { return ["\(name) NOT INDEXED"] }
    let (span, overflow) = high.subtractingReportingOverflow(low)
    let pieces =
      overflow || span >= Self.minSplit ? Parallel.workers * Self.piecesPerWorker : 1
    // An index that has all columns would return the rows in its own order.
    let step = (UInt64(bitPattern: Int64(high)) &- UInt64(bitPattern: Int64(low))) / UInt64(pieces)
    return (0..<pieces).map { piece in
      let start = low &+ Int(bitPattern: UInt(step)) &* piece
      let end = piece == pieces - 1 ? high : start &+ Int(bitPattern: UInt(step)) &- 1
      return """
        \(name) NOT INDEXED WHERE \(row) BETWEEN \(value: .integer(start)) AND \
        \(value: .integer(end))
        """
    }
  }

  /// Connections that read the same state of the database; one if it changes all the time.
  private func connections() throws -> [SQLiteFile] {
    let others = try (1..<max(2, Parallel.workers)).map { _ in try open() }
    guard Parallel.workers > 1 else { return [first] }
    for attempt in 0..<Self.maxAttempts {
      try cancellation.check()
      try first.end()
      let versions = try others.map { try $0.version() }
      try first.begin()
      for other in others { try other.begin() }
      // A change between the beginnings of two transactions is seen by the later one.
      if try others.map({ try $0.version() }) == versions { return [first] + others }
      if attempt < Self.maxAttempts - 1 { for other in others { try other.end() } }
    }
    return [first]
  }

  private func read(
    _ schema: TableSchema, _ pieces: [SQL], with readers: [SQLiteFile]
  ) throws -> [KeyColumn] {
    let meanings = schema.columns.map { ColumnBuilder.Meaning($0.kind) }
    let names = schema.columns.map { SQL(dialect.name($0.name)) }
    let collectors = readers.map { CellCollector($0) }
    let parts = WorkerSlots<[ColumnBuilder]>(pieces.count)
    try Parallel.forEach(pieces.count, workers: readers.count) { piece, worker in
      try cancellation.check()
      parts[piece] = try collectors[worker].collect(names, from: pieces[piece], meanings)
    }
    let joined = WorkerSlots<KeyColumn>(names.count)
    try Parallel.forEach(names.count) { column, _ in
      try cancellation.check()
      joined[column] = try ColumnBuilder.column(
        joining: pieces.indices.compactMap { parts[$0]?[column] })
    }
    return names.indices.compactMap { joined[$0] }
  }
}

extension ColumnBuilder.Meaning {
  init(_ kind: DatabaseColumn.Kind) {
    self = kind == .bool ? .bools : kind.isDate ? .dates : .plain
  }
}
