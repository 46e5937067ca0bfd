import DataSources
import DataTables
import Databases
import GRDBSQLite

/// Finds the types and the form of the values of some columns of a table.
///
/// An index that begins with the columns has equal values beside each other: then only different ones
/// are looked at. The other columns are read by one scan.
struct FactsScan {
  let connection: OpaquePointer
  /// The table as it follows FROM.
  let table: SQL

  /// The facts of columns, in their order, and the number of rows that were read.
  struct Result {
    var facts: [ColumnFacts]
    var rows: Int
  }

  /// - Throws: ``DatabaseError``.
  func facts(of columns: [DatabaseColumn]) throws -> Result {
    if let distinct = try distinct(columns) { return try scan(columns, from: distinct) }
    var facts = [ColumnFacts?](repeating: nil, count: columns.count)
    var rows = 0
    for (place, column) in columns.enumerated() where columns.count > 1 {
      if let distinct = try distinct([column]) {
        let found = try scan([column], from: distinct)
        facts[place] = found.facts.first
        rows += found.rows
      }
    }
    let rest = columns.indices.filter { facts[$0] == nil }
    if !rest.isEmpty {
      let found = try scan(rest.map { columns[$0] }, from: table)
      for (place, fact) in zip(rest, found.facts) { facts[place] = fact }
      rows += found.rows
    }
    return Result(facts: facts.map { $0 ?? ColumnFacts() }, rows: rows)
  }

  /// The different values of columns, if an index has them in order; nil if not.
  private func distinct(_ columns: [DatabaseColumn]) throws -> SQL? {
    // Other collations, and numbers such as 1 and 1.0, are equal although their facts differ.
    guard columns.allSatisfy({ $0.kind == .text && $0.collation.isEmpty }) else { return nil }
    let query: SQL =
      "SELECT DISTINCT \(columns.map(name).joined(separator: ", ")) FROM \(table)"
    let plan = try SQLiteStatement("EXPLAIN QUERY PLAN \(query)", connection)
    var isCovered = false
    while try plan.next() {
      guard case .string(let step)? = plan.row().last else { return nil }
      if step.contains("TEMP B-TREE") { return nil }
      if step.contains("USING COVERING INDEX") { isCovered = true }
    }
    return isCovered ? "(\(query))" : nil
  }

  private func scan(_ columns: [DatabaseColumn], from rows: SQL) throws -> Result {
    let scans = UnsafeMutableBufferPointer<ColumnScan>.allocate(capacity: columns.count)
    _ = scans.initialize(fromContentsOf: columns.map { ColumnScan(kind: $0.kind) })
    defer {
      scans.deinitialize()
      scans.deallocate()
    }
    let function = try RowFunction(connection) { first, values in
      for (place, value) in values.enumerated() {
        if let value { scans[first &+ place].add(value) }
      }
    }
    try function.run(columns.map(name), from: rows)
    var facts = scans.map(\.facts)
    // Their bytes have another order than those of UTF-8: the shell computes what needs it.
    if try storesUTF16() {
      for place in facts.indices where facts[place].types?.contains(.string) ?? true {
        facts[place] = ColumnFacts()
      }
    }
    return Result(facts: facts, rows: scans.first?.count ?? 0)
  }

  private func storesUTF16() throws -> Bool {
    let encoding = try SQLiteStatement("PRAGMA encoding", connection)
    return try encoding.next() && encoding.row().first != "UTF-8"
  }

  private func name(_ column: DatabaseColumn) -> SQL { SQL(SQLiteDialect.name(column.name)) }
}
