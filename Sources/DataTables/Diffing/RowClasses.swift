/// Identity of rows as numbers: rows of several tables have equal numbers if they are the same
/// object.
enum RowClasses {
  /// One number per row for each table, equal for rows that are the same object: those with an
  /// equal `id`, or without an `id`, those that are equal.
  ///
  /// - Complexity: O(rows) expected with an `id`, O(rows * keys) without one. Tables are read as a
  ///   whole unless all their rows are records with the same keys.
  /// - Throws: ``TableError/unknownKey(_:known:)`` if no object of any table has the `id`; errors
  ///   of reading the tables.
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

  /// The keys of every row of all tables; nil if rows have different keys.
  static func commonKeys(of tables: [any Table]) -> [String]? {
    guard let first = tables.first, tables.allSatisfy(\.hasUniformRows) else { return nil }
    let keys = Set(first.keys)
    return tables.allSatisfy { Set($0.keys) == keys } ? first.keys : nil
  }

  /// The column of each table; a column of nulls for a table without the key, if another table has
  /// it.
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

/// Numbers of rows, combined from the numbers of their values, one column after another.
///
/// The numbers are multiplied as long as the products fit, so that a row is hashed once and not
/// once per column.
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
    let small = small()
    numbers = small.map { $0.map { UInt64($0) } }
    bound = UInt64((small.compactMap { $0.max() }.max() ?? 0)) + 1
  }

  /// The same numbers, as small as the number of rows allows.
  func small() -> [[UInt32]] {
    let rows = numbers.reduce(0) { $0 + $1.count }
    if bound <= UInt64(rows) * 4 {
      return numbers.map { $0.map { UInt32(truncatingIfNeeded: $0) } }
    }
    var known = KeyNumbers(capacity: rows / 2)
    return numbers.map { numbers in numbers.map { known.number(of: $0) } }
  }
}
