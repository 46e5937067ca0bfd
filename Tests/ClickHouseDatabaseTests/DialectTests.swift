import DataTables
import TestSupport
import Testing

@testable import ClickHouseDatabase
@testable import Databases

/// Conditions, orders and keys that are pushed down mean what they mean in the shell.
@Suite(.requires(.clickhouse)) struct DialectTests {
  /// A table of seeded rows with nulls and ties, and its rows as records.
  private func withTable(
    _ body: (TestCluster, DatabaseTable, [Record]) async throws -> Void
  ) async throws {
    try await TestCluster.run { test in
      let seed = UInt64.random(in: .min ... .max)
      var random = SplitMix64(seed: seed)
      try await test.run(
        """
        CREATE TABLE t (id UInt64, name Nullable(String), text String, price Nullable(Decimal(9, 2)), \
        half Float32, d Nullable(Date), at DateTime('Europe/Paris'), kind Enum8('b' = 1, 'a' = 2), \
        x Float64) ENGINE = MergeTree ORDER BY id
        """)
      let columns = ["id", "name", "text", "price", "half", "d", "at", "kind", "x"]
      var rows: [[Value]] = []
      for id in 0..<1000 {
        let words = ["", "anna", "Anna", "ANNE", "bo%b", "\r\nx", "a\\b", "x'y", "_", "Bob"]
        let day = "2024-0\(1 + random.below(3))-0\(1 + random.below(9))"
        rows.append([
          .integer(id), random.below(5) == 0 ? .null : .string(random.one(of: words)),
          .string(random.one(of: ["é", "z", "Zoë", "日本"])),
          random.below(5) == 0 ? .null : Value(literal: "\(random.below(4)).\(random.below(3))0"),
          Value(literal: "0.\(1 + random.below(9))"),
          random.below(5) == 0 ? .null : Value(literal: day),
          Value(literal: "\(day)T2\(random.below(4)):30:00Z"),
          .string(random.one(of: ["a", "b"])), .real(Real(Double(random.below(7)) / 4)),
        ])
      }
      let inserted = columns.map { DatabaseColumn(name: $0, declaredType: "", kind: .any) }
      let sent = Cancellation()
      let all = rows
      try await test.connection.insert(
        into: TableName("t"), columns: inserted, cancellation: Cancellation()
      ) {
        if sent.isCancelled { return [] }
        sent.cancel()
        return all
      }
      let database = Database(test.connection, driver: .clickHouse(over: TestCluster.transport))
      let snapshot = try await database.snapshot(
        of: [TableName("t")], cancellation: Cancellation())
      let read = try await snapshot.rows(
        "SELECT * FROM t ORDER BY id", cancellation: Cancellation())
      let table = DatabaseTable(
        database,
        try await test.connection.schema(of: TableName("t"), cancellation: Cancellation()), snapshot
      )
      try await table.learn(columns.map { ObjectKeyPath(key: $0) }, cancellation: Cancellation())
      try await body(test, table, read.rows.map { Record(Array(zip(columns, $0))) })
    }
  }

  private typealias Kind = ComparisonOperator.Kind

  private func compare(
    _ key: String, _ kind: Kind, _ value: Value, _ options: ComparisonOperator.Options = []
  ) throws -> Predicate {
    .comparison(
      try Predicate.Comparison(
        .key(ObjectKeyPath(key: key)), ComparisonOperator(kind, options: options), .value(value)))
  }

  private func predicates() throws -> [Predicate] {
    func date(_ text: String) -> Value { Value(literal: text) }
    return [
      try compare("name", .equal, "anna"), try compare("name", .notEqual, "anna"),
      try compare("name", .equal, .null), try compare("name", .notEqual, .null),
      try compare("name", .greater, "Anna"), .not(try compare("name", .equal, "anna")),
      try compare("name", .contains, "n"), try compare("name", .contains, "N", .caseInsensitive),
      try compare("name", .beginsWith, "an", [.caseInsensitive, .diacriticInsensitive]),
      try compare("name", .endsWith, "b"), try compare("name", .contains, "%"),
      try compare("name", .contains, "'"), try compare("name", .equal, "ANNA", .caseInsensitive),
      .not(try compare("name", .beginsWith, "a")),
      try compare("name", .in, ["anna", "_", "a\\b"]), try compare("text", .equal, "e\u{301}"),
      try compare("text", .greater, "z"), try compare("text", .equal, "日本"),
      try compare("price", .equal, date("1.1")), try compare("price", .equal, date("1.10")),
      try compare("price", .greater, date("1.155")),
      try compare("price", .between, [1, .real(Real(2.2))]), try compare("price", .notEqual, 0),
      try compare("price", .in, [0, date("1.20")]), try compare("half", .equal, date("0.1")),
      try compare("half", .greater, date("0.3")), try compare("x", .equal, date("0.75")),
      try compare("x", .less, 1), try compare("id", .equal, 17),
      try compare("d", .greaterOrEqual, date("2024-02-03")),
      try compare("d", .equal, date("2024-01-05")),
      try compare("at", .greaterOrEqual, date("2024-02-03")),
      try compare("at", .equal, date("2024-02-03T21:30:00Z")),
      try compare("kind", .equal, "a"), try compare("kind", .greater, "a"),
      .and([
        try compare("price", .greater, 1),
        .or([try compare("name", .equal, .null), try compare("x", .greaterOrEqual, date("1.25"))]),
      ]),
    ]
  }

  @Test func conditionsSelectTheRowsOfTheShell() async throws {
    try await withTable { test, table, records in
      for predicate in try predicates() {
        let parts = PredicateTranslation(table).parts(of: predicate)
        #expect(parts.reasons.isEmpty, "\(predicate): \(parts.reasons)")
        var selection = RowSelection(table)
        selection.conditions = parts.conditions
        let rows = try await table.rows("SELECT id\(selection.rows()) ORDER BY id", Cancellation())
        let shell = try records.filter { try predicate.holds(on: .record($0)) }
        #expect(
          rows.rows.map { $0[0].json } == shell.map { $0.values[0].json },
          "\(predicate) as \(selection.rows().text { value, _ in table.dialect.literal(value) })")
      }
    }
  }

  @Test func otherMeaningsAreLeftToTheShell() async throws {
    try await withTable { _, table, _ in
      for predicate in [
        try compare("name", .matches, "a.*"), try compare("text", .contains, "é"),
        try compare("name", .like, "a*"),
        try compare("d", .greater, Value(literal: "2024-01-05T10:00:00Z")),
        try compare("at", .greater, Value(literal: "1900-01-01")),
      ] {
        let parts = PredicateTranslation(table).parts(of: predicate)
        #expect(parts.conditions.isEmpty, "\(predicate)")
      }
    }
  }

  @Test func ordersAndKeysAreThoseOfTheShell() async throws {
    try await withTable { _, table, records in
      let keys = [
        "name", "text", "price", "half", "d", "at", "kind", "x", "name.firstCharacter",
        "name.uppercased", "name.lowercased", "name.length", "d.year", "d.month", "d.day",
      ]
      for key in keys {
        let path = try ObjectKeyPath(parsing: key)
        let expression = try table.expression(of: path)
        let rows = try await table.rows(
          "SELECT \(expression.sql) FROM t ORDER BY id", Cancellation())
        let shell = records.map { path.evaluate(on: .record($0)) }
        #expect(rows.rows.map { $0[0].exact } == shell.map(\.exact), "\(key)")
        for isDescending in [false, true] {
          let term = OrderTerm(expression, isDescending: isDescending, nullsFirst: !isDescending)
          let sorted = try await table.rows(
            "SELECT \(expression.sql) FROM t ORDER BY \([term].clause(table.dialect))",
            Cancellation())
          let values = sorted.rows.map { $0[0] }
          for (left, right) in zip(values, values.dropFirst()) {
            let order = left.compare(right)
            #expect(order != (isDescending ? .before : .after), "\(key): \(left) \(right)")
          }
          // Rows before and after each value: pages go on there.
          for value in Set(values).prefix(5) {
            var count = 0
            for condition in [term.before(value), term.after(value), term.equal(value)] {
              guard let condition else { continue }
              let rows = try await table.rows(
                "SELECT count(*) FROM t WHERE \(condition)", Cancellation())
              if case .integer(let number)? = rows.rows.first?.first { count += number }
            }
            #expect(count == records.count, "\(key): \(value)")
          }
        }
      }
    }
  }

  @Test func rowsAreNumberedInTheirOrder() async throws {
    try await withTable { _, table, records in
      let query = table.dialect.numbering(
        ["id", "x"], from: " FROM t", orderedBy: "x DESC, id ASC", as: "n")
      let rows = try await table.rows("SELECT id FROM (\(query)) AS q ORDER BY n", Cancellation())
      let sorted = try await table.rows("SELECT id FROM t ORDER BY x DESC, id", Cancellation())
      #expect(rows.rows.map { $0[0].json } == sorted.rows.map { $0[0].json })
      #expect(rows.rows.count == records.count)
    }
  }

  @Test func factsAreThoseOfTheValues() async throws {
    try await TestCluster.run { test in
      try await test.run("CREATE TABLE f (s String, n Nullable(String), x Float64) ENGINE = Memory")
      let schema = try await test.connection.schema(
        of: TableName("f"), cancellation: Cancellation())
      let snapshot = try await test.connection.snapshot(of: [], cancellation: Cancellation())
      func facts(_ name: String) async throws -> ColumnFacts {
        let column = try #require(schema.column(name))
        return try #require(
          try await test.connection.facts(
            of: [column], in: schema, on: snapshot, cancellation: Cancellation()
          ).first)
      }
      try await test.run("INSERT INTO f VALUES ('abc\n', NULL, 1)")
      #expect(try await facts("s").isASCII)
      #expect(try await facts("s").types == [.string])
      #expect(try await facts("s").hasNulls == false)
      #expect(try await facts("n").hasNulls)
      #expect(try await facts("x").isOrdered)
      try await test.run(
        "INSERT INTO f VALUES (\(value: "日本 é"), \(value: "e\u{301}"), -0.)")
      #expect(try await facts("s").isASCII == false)
      #expect(try await facts("s").isNormalized)
      #expect(try await facts("n").isNormalized == false)
      #expect(try await facts("x").isOrdered == false)
      try await test.run("INSERT INTO f VALUES (unhex('FF'), 'x', nan)")
      #expect(try await facts("s").types == nil)
      #expect(try await facts("s").isASCII == false)
    }
  }
}
