/// Which rows of tables are the same object, as numbers.
enum RowClasses {
  /// One number a row for each table, the same for rows that are the same object: whose `id` is
  /// equal, or without one, which are equal.
  ///
  /// - Complexity: O(rows) expected for an `id`, O(rows * keys) without one; tables whose rows are
  ///   not all records of the same keys are read whole.
  /// - Throws: ``TableError/unknownKey(_:known:)`` when no object of any table has the `id`; what
  ///   reading the tables throws.
  static func numbers(
    of tables: [any Table], id: ObjectKeyPath?, cancellation: Cancellation
  ) throws -> [[UInt32]] {
    if let id {
      return try ColumnClasses(columns(id, of: tables, cancellation: cancellation)).numbers
    }
    guard let keys = commonKeys(of: tables) else {
      return try objectNumbers(of: tables, cancellation: cancellation)
    }
    var numbers = RowNumbers(rows: tables.map(\.count))
    let paths = keys.map { ObjectKeyPath(key: $0) }
    for table in tables { try table.decode(paths, cancellation: cancellation) }
    for path in paths {
      try cancellation.check()
      numbers.combine(
        try ColumnClasses(tables.map { try $0.column(path, cancellation: cancellation) }))
    }
    return numbers.small()
  }

  /// The keys of every row of all tables; nil when rows differ in them.
  static func commonKeys(of tables: [any Table]) -> [String]? {
    guard let first = tables.first, tables.allSatisfy(\.hasUniformRows) else { return nil }
    let keys = Set(first.keys)
    return tables.allSatisfy { Set($0.keys) == keys } ? first.keys : nil
  }

  /// The column of each table; nulls where only the others have the key.
  private static func columns(
    _ path: ObjectKeyPath, of tables: [any Table], cancellation: Cancellation
  ) throws -> [KeyColumn] {
    var failure: TableError?
    let columns = try tables.map { table -> KeyColumn? in
      do {
        return try table.column(path, cancellation: cancellation)
      } catch let error as TableError {
        guard case .unknownKey = error else { throw error }
        failure = error
        return nil
      }
    }
    if let failure, columns.allSatisfy({ $0 == nil }) { throw failure }
    return zip(columns, tables).map { column, table in
      column ?? .coded(.narrow([UInt16](repeating: 0, count: table.count)), values: [.null])
    }
  }

  private static func objectNumbers(
    of tables: [any Table], cancellation: Cancellation
  ) throws -> [[UInt32]] {
    var known = ValueNumbers()
    return try tables.map { table in
      var numbers: [UInt32] = []
      numbers.reserveCapacity(table.count)
      for start in stride(from: 0, to: table.count, by: 4_096) {
        try cancellation.check()
        let rows = Array(start..<min(table.count, start + 4_096))
        for object in try table.objects(at: rows) { numbers.append(known.number(of: object)) }
      }
      return numbers
    }
  }
}
