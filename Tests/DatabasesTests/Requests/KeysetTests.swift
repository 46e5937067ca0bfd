import DataSources
import DataTables
import Glibc
import SQLiteDatabase
import TestSupport
import Testing

@testable import Databases

/// The conditions that select the rows before and after a row of an order, compared with the order
/// of the rows in memory.
@Suite struct KeysetTests {
  private static let keys = ["a", "b", "c"]

  @Test func rowsBesideARowAreSelected() async throws {
    let seed = UInt64.random(in: .min ... .max)
    try await withTable(seed: seed) { table, rows in
      var random = SplitMix64(seed: seed)
      try await table.learn(Self.keys.map { ObjectKeyPath(key: $0) }, cancellation: Cancellation())
      for _ in 0..<40 {
        let order = try Self.order(&random, table)
        let selection = RowSelection(table).sorted(by: order.map(\.term))
        let sorted = Self.sorted(rows, order)
        let position = random.below(sorted.count)
        let terms = order.map { sorted[position][$0.column] } + [sorted[position][0]]
        let before = try await Self.rows(
          of: table, selection, where: [selection.order.before(terms)])
        let after = try await Self.rows(of: table, selection, where: [selection.order.after(terms)])
        #expect(before == sorted[..<position].map { $0[0] }, "seed \(seed), \(terms)")
        #expect(after == sorted[(position + 1)...].map { $0[0] }, "seed \(seed), \(terms)")
        let count = try await table.count(
          selection, before: terms, StoreJournal(), Cancellation())
        #expect(count == position, "seed \(seed), \(terms)")
      }
    }
  }

  /// With an index, the rows before a row are counted in ranges of it, else by one condition.
  @Test(arguments: [
    (["c"], true), (["a", "b"], true), (["b"], false), (["b", "c"], false), (["c", "b"], true),
  ])
  func anIndexOfTheOrderIsCountedInRanges(_ keys: [String], _ isIndexed: Bool) async throws {
    try await withTable(seed: 1) { table, rows in
      try await table.learn(keys.map { ObjectKeyPath(key: $0) }, cancellation: Cancellation())
      let terms = try keys.map { OrderTerm(try table.expression(of: ObjectKeyPath(key: $0))) }
      let selection = RowSelection(table).sorted(by: terms)
      let order = keys.enumerated().map { number, key in
        Term(column: (Self.keys.firstIndex(of: key) ?? 0) + 1, term: terms[number])
      }
      let journal = StoreJournal()
      let sorted = Self.sorted(rows, order)
      let row = sorted[50]
      let count = try await table.count(
        selection, before: order.map { row[$0.column] } + [row[0]], journal, Cancellation())
      #expect(count == 50)
      let statement = try #require(
        journal.computation(origin: "").statements.first)
      #expect(statement.contains(") + (SELECT count(*)") == isIndexed, "\(statement)")
    }
  }

  @Test func aWindowIsASelectionOfItsRows() async throws {
    let seed = UInt64.random(in: .min ... .max)
    try await withTable(seed: seed) { table, rows in
      var random = SplitMix64(seed: seed)
      try await table.learn(Self.keys.map { ObjectKeyPath(key: $0) }, cancellation: Cancellation())
      for _ in 0..<40 {
        let first = try Self.order(&random, table)
        let second = try Self.order(&random, table)
        var selection = RowSelection(table).sorted(by: first.map(\.term))
        selection.offset = random.below(rows.count)
        selection.limit = random.below(3) == 0 ? nil : random.below(rows.count)
        let window = Self.sorted(rows, first).dropFirst(selection.offset)
          .prefix(selection.limit ?? .max)
        let nested = selection.nested(table).sorted(by: second.map(\.term))
        // The second sort is stable: equal rows keep the order of the first one.
        let expected = Self.sorted(Array(window), second, isStable: true)
        let found = try await Self.rows(of: table, nested, where: [])
        #expect(found == expected.map { $0[0] }, "seed \(seed)")
      }
    }
  }

  private struct Term {
    let column: Int
    let term: OrderTerm
  }

  private static func order(_ random: inout SplitMix64, _ table: DatabaseTable) throws -> [Term] {
    var columns = Array(1...keys.count)
    var terms: [Term] = []
    for _ in 0..<random.below(keys.count + 1) {
      let column = columns.remove(at: random.below(columns.count))
      let expression = try table.expression(of: ObjectKeyPath(key: keys[column - 1]))
      terms.append(
        Term(
          column: column,
          term: OrderTerm(
            expression, isDescending: random.below(2) == 0, nullsFirst: random.below(2) == 0)))
    }
    return terms
  }

  private static func sorted(
    _ rows: [[Value]], _ order: [Term], isStable: Bool = false
  ) -> [[Value]] {
    rows.enumerated().sorted { left, right in
      for term in order {
        let (first, second) = (left.element[term.column], right.element[term.column])
        if first.isNull != second.isNull { return first.isNull == term.term.nullsFirst }
        switch first.compare(second) {
        case .same: continue
        case .before: return !term.term.isDescending
        case .after: return term.term.isDescending
        }
      }
      return isStable
        ? left.offset < right.offset : left.element[0].compare(right.element[0]) == .before
    }.map(\.element)
  }

  private static func rows(
    of table: DatabaseTable, _ selection: RowSelection, where conditions: [SQL]
  ) async throws -> [Value] {
    try await table.rows(
      """
      SELECT id\(selection.rows(where: conditions)) ORDER BY \
      \(selection.order.clause(table.dialect))
      """, Cancellation()
    ).rows.map { $0[0] }
  }

  private func withTable(
    seed: UInt64, _ test: (DatabaseTable, [[Value]]) async throws -> Void
  ) async throws {
    var random = SplitMix64(seed: ~seed)
    var template = Array("/tmp/databases-tests-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    try #require(descriptor >= 0)
    close(descriptor)
    let path = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
    defer { unlink(path) }
    var options = ConnectionOptions()
    options.isWritable = true
    let database = try await Database.open(
      DatabaseAddress(file: path), options, with: .sqlite, cancellation: Cancellation())
    let connection = database.connection
    try await connection.execute(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b TEXT, c REAL NOT NULL)",
      cancellation: Cancellation())
    var rows: [[Value]] = []
    for id in 1...60 {
      rows.append([
        .integer(id), random.below(3) == 0 ? nil : .integer(random.below(4)),
        random.below(3) == 0 ? nil : .string(["", "x", "X", "é"][random.below(4)]),
        .real(Real(Double(random.below(3)) + 0.5)),
      ])
    }
    for row in rows {
      let values = row.map { value -> SQL in "\(value: value)" }.joined(separator: ", ")
      try await connection.execute("INSERT INTO t VALUES (\(values))", cancellation: Cancellation())
    }
    for columns: SQL in ["a, b", "c, a", "b COLLATE NOCASE"] {
      try await connection.execute(
        "CREATE INDEX \(SQL(connection.dialect.name("of " + columns.shown))) ON t (\(columns))",
        cancellation: Cancellation())
    }
    try await connection.execute(
      "CREATE INDEX some ON t (b) WHERE b > ''", cancellation: Cancellation())
    let table = try await DatabaseTable.current(
      TableName("t"), of: database, cancellation: Cancellation())
    try await test(table, rows)
    await connection.close()
  }
}
