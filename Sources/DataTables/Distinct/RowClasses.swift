/// Classes of identical objects in the rows of one or several tables.
enum RowClasses {
  /// For each table, the class number of each row. Rows with equal values of `id` have the same
  /// number; if `id` is nil, equal rows have the same number.
  ///
  /// - Complexity: O(rows) expected with an `id`, O(rows · keys) without one. Without an `id`, all
  ///   objects are read unless the rows of all tables are records with the same keys.
  /// - Throws: ``TableError/unknownKey(_:known:)`` if no object of any table has the `id`; the
  ///   errors of reading the tables.
  static func numbers(
    of tables: [any Table], id: ObjectKeyPath?, cancellation: Cancellation
  ) throws -> [[UInt32]] {
    if let id {
      let columns = try columns(id, of: tables, cancellation: cancellation)
      return try ColumnClasses(columns, cancellation: cancellation).numbers
    }
    guard let keys = commonKeys(of: tables) else {
      return try objectNumbers(of: tables, cancellation: cancellation)
    }
    var numbers = RowNumbers(rows: tables.map(\.count))
    let paths = keys.map { ObjectKeyPath(key: $0) }
    for table in tables { try table.decode(paths, cancellation: cancellation) }
    for path in paths {
      try cancellation.check()
      let columns = try tables.map { try $0.column(path, cancellation: cancellation) }
      numbers.combine(try ColumnClasses(columns, cancellation: cancellation))
    }
    return numbers.compacted()
  }

  /// The class number of each row of a table. Rows that are equal under all of `paths` have the same
  /// number.
  ///
  /// - Complexity: O(rows · paths) expected.
  /// - Throws: ``TableError/unknownKey(_:known:)`` for a key that no object has.
  static func numbers(
    of table: any Table, by paths: [ObjectKeyPath], cancellation: Cancellation
  ) throws -> [UInt32] {
    try table.decode(paths, cancellation: cancellation)
    var numbers = RowNumbers(rows: [table.count])
    for path in paths {
      try cancellation.check()
      let column = try table.column(path, cancellation: cancellation)
      let classes = try ColumnClasses([column], cancellation: cancellation)
      if paths.count == 1 { return classes.numbers[0] }
      numbers.combine(classes)
    }
    return numbers.compacted()[0]
  }

  /// The keys of every row of all tables; nil if rows have different keys.
  static func commonKeys(of tables: [any Table]) -> [String]? {
    guard let first = tables.first, tables.allSatisfy(\.hasUniformRows) else { return nil }
    let keys = Set(first.keys)
    return tables.allSatisfy { Set($0.keys) == keys } ? first.keys : nil
  }

  /// The column of each table; a column of nulls for a table without the key.
  /// - Throws: ``TableError/unknownKey(_:known:)`` if no table has the key.
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
        let rows = Array(start..<min(table.count, start + 4_096))
        for object in try table.objects(at: rows) {
          // Each object may be large.
          try cancellation.check()
          numbers.append(known.number(of: object))
        }
      }
      return numbers
    }
  }
}

/// Class numbers of rows, combined from the class numbers of their values, one column after
/// another.
///
/// The class numbers of a row are combined into one 64-bit number, which is hashed once instead of
/// once per column. The classes are renumbered before the combined numbers would exceed 64 bits.
private struct RowNumbers {
  private var numbers: [[UInt64]]
  private var bound: UInt64 = 1

  init(rows: [Int]) { numbers = rows.map { [UInt64](repeating: 0, count: $0) } }

  mutating func combine(_ classes: ColumnClasses) {
    let factor = UInt64(classes.bound)
    if bound.multipliedReportingOverflow(by: factor).overflow { renumber() }
    for table in numbers.indices {
      let next = classes.numbers[table]
      for row in next.indices {
        numbers[table][row] = numbers[table][row] &* factor &+ UInt64(next[row])
      }
    }
    bound = bound.multipliedReportingOverflow(by: factor).partialValue
  }

  private mutating func renumber() {
    let compacted = compacted()
    numbers = compacted.map { $0.map { UInt64($0) } }
    bound = UInt64((compacted.compactMap { $0.max() }.max() ?? 0)) + 1
  }

  /// The same classes with numbers below a small multiple of the number of rows.
  func compacted() -> [[UInt32]] {
    let rows = numbers.reduce(0) { $0 + $1.count }
    if bound <= UInt64(rows) * 4 {
      return numbers.map { $0.map { UInt32(truncatingIfNeeded: $0) } }
    }
    var known = KeyNumbers(capacity: rows / 2)
    return numbers.map { numbers in numbers.map { known.number(of: $0) } }
  }
}
