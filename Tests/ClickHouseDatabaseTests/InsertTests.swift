import DataSources
import DataTables
import Databases
import Synchronization
import TestSupport
import Testing

@testable import ClickHouseDatabase

@Suite(.requires(.clickhouse)) struct InsertTests {
  private func insert(
    _ rows: [[Value]], into table: String, _ names: [String], of test: TestCluster,
    repeating count: Int = 1
  ) async throws {
    let columns = names.map { DatabaseColumn(name: $0, declaredType: "", kind: .any) }
    let left = Mutex(count)
    try await test.connection.insert(
      into: TableName(table), columns: columns, cancellation: Cancellation()
    ) {
      left.withLock { left in
        left -= 1
        return left >= 0 ? rows : []
      }
    }
  }

  @Test func valuesComeBackEqual() async throws {
    try await TestCluster.run { test in
      try await test.run(
        """
        CREATE TABLE t (id UInt64, i Nullable(Int64), f Nullable(Float64), s Nullable(String), \
        d Nullable(Date), p Nullable(DateTime('Europe/Paris')), n Nullable(Decimal(20, 4)), \
        a Array(Nullable(String)), b UInt8, e Nullable(String)) ENGINE = MergeTree ORDER BY id
        """)
      let seed = UInt64.random(in: .min ... .max)
      var random = SplitMix64(seed: seed)
      var rows: [[Value]] = []
      for id in 0..<2000 {
        var row: [Value] = [
          .integer(id), .integer(Int(truncatingIfNeeded: random.next())),
          .real(Real(Double(random.next()) / 977)), .string(Value.hostileText(using: &random)),
          Value(literal: "2024-02-\(10 + random.below(20))"),
          Value(
            literal:
              "2024-0\(1 + random.below(9))-11T10:00:00\(random.one(of: ["Z", "+03:00", ""]))"),
          Value(literal: "-\(random.below(1 << 40)).\(1 + random.below(8))"),
          .array([.string(Value.hostileText(using: &random)), .null, .string("")]),
          .bool(random.below(2) == 0), .data([0xFF, UInt8(random.below(256)), 0]),
        ]
        if random.below(5) == 0 { for index in [1, 2, 3, 4, 5, 6, 9] { row[index] = .null } }
        rows.append(row)
      }
      let names = ["id", "i", "f", "s", "d", "p", "n", "a", "b", "e"]
      try await insert(rows, into: "t", names, of: test)
      let read = try await test.connection.rows(
        "SELECT * FROM t ORDER BY id", cancellation: Cancellation())
      #expect(read.rows.count == rows.count)
      for (written, read) in zip(rows, read.rows) {
        for (index, value) in written.enumerated() {
          let isEqual =
            if case .bool(let bool) = value { read[index].json == (bool ? "1" : "0") } else {
              value == read[index]
            }
          #expect(
            isEqual, "seed \(seed), column \(names[index]): \(value.exact) \(read[index].exact)")
        }
      }
    }
  }

  @Test(arguments: [
    ("i UInt8", Value.integer(256)), ("i Int8", .integer(-129)), ("i UInt64", .integer(-1)),
    ("i Int64", Value(literal: "9223372036854775808")), ("i Int64", .null), ("i String", .null),
    ("i Int64", .string("")), ("i Decimal(10, 2)", Value(literal: "1.555")),
    ("i Decimal(4, 2)", Value(literal: "100")), ("i Date", Value(literal: "1969-12-31")),
    ("i Date", Value(literal: "2020-01-01T00:00:00Z")),
    ("i DateTime", Value(literal: "2020-01-01T00:00:00.5Z")),
    ("i Array(Int8)", .array([.integer(200)])),
    ("i Float64", .string("1")), ("i UInt8", .bool(true)),
  ])
  func aValueThatDoesNotFitIsRejected(column: String, value: Value) async throws {
    try await TestCluster.run { test in
      try await test.run("CREATE TABLE t (\(SQL(column))) ENGINE = Memory")
      let error = try await failure { try await insert([[value]], into: "t", ["i"], of: test) }
      let isRejected = if case .bool = value { false } else { true }
      #expect((error != nil) == isRejected)
      #expect(try await test.rows("SELECT count() FROM t") == (isRejected ? "[0]" : "[1]"))
    }
  }

  /// Engines of a table `t`, with the way rows are added to it.
  static let engines = [
    "MergeTree ORDER BY id", "MergeTree PARTITION BY id % 3 ORDER BY id", "Memory", "Log",
  ]

  @Test(arguments: engines + ["Distributed"])
  func manyRowsAreAddedToTheOthers(engine: String) async throws {
    try await TestCluster.run { test in
      if engine == "Distributed" {
        try await test.distribute("t", "id UInt64, s String", order: "id")
      } else {
        try await test.run("CREATE TABLE t (id UInt64, s String) ENGINE = \(SQL(engine))")
      }
      try await test.run("INSERT INTO t VALUES (0, 'old')")
      let rows: [[Value]] = (1...1000).map {
        [.integer($0), .string(String(repeating: "x", count: 400))]
      }
      try await insert(rows, into: "t", ["id", "s"], of: test, repeating: 50)
      #expect(
        try await test.rows("SELECT count(), uniqExact(id), sum(id) FROM t")
          == "[50001,1001,25025000]")
      #expect(
        try await test.rows(
          "SELECT name FROM system.tables WHERE name LIKE '%dsshell%' AND database = currentDatabase()"
        )
          == "")
    }
  }

  @Test(arguments: engines)
  func aFailureLeavesTheTableAsItWas(engine: String) async throws {
    try await TestCluster.run { test in
      try await test.run("CREATE TABLE t (id UInt64, s String) ENGINE = \(SQL(engine))")
      try await test.run("INSERT INTO t VALUES (0, 'old')")
      let count = Mutex(0)
      let columns = ["id", "s"].map { DatabaseColumn(name: $0, declaredType: "", kind: .any) }
      let error = try await failure {
        try await test.connection.insert(
          into: TableName("t"), columns: columns, cancellation: Cancellation()
        ) {
          let number = count.withLock { count in
            count += 1
            return count
          }
          if number > 30 { return [[.integer(-1), .null]] }
          return (1...1000).map { [.integer($0), .string(String(repeating: "x", count: 400))] }
        }
      }
      #expect(error?.message == "the column `id` of type UInt64 cannot hold -1")
      #expect(try await test.rows("SELECT * FROM t") == "[0,\"old\"]")
      #expect(
        try await test.rows(
          "SELECT name FROM system.tables WHERE name LIKE '%dsshell%' AND database = currentDatabase()"
        )
          == "")
    }
  }

  @Test func aCreatedTableKeepsItsRowsInOrder() async throws {
    try await TestCluster.run { test in
      let kinds: [(String, DatabaseColumn.Kind)] = [
        ("id", .integer), ("odd `name", .text), ("x", .real), ("at", .dateTime), ("any", .any),
      ]
      let columns = kinds.map { DatabaseColumn(name: $0, declaredType: "", kind: $1) }
      let rows: [[Value]] = (0..<500).map {
        [
          .integer(-$0), $0 % 7 == 0 ? .null : .string(String(repeating: "é'", count: 4000)),
          .real(Real(0.1 * Double($0))), Value(literal: "2024-02-29T10:00:00+05:30"),
          .array([.integer($0)]),
        ]
      }
      func create(_ rows: [[Value]], isReplacing: Bool) async throws {
        let left = Mutex(3)
        try await test.connection.create(
          TableName("t"), columns: columns, isReplacing: isReplacing, cancellation: Cancellation()
        ) {
          left.withLock { left in
            left -= 1
            return left >= 0 ? rows : []
          }
        }
      }
      try await create(rows, isReplacing: false)
      let schema = try await test.connection.schema(
        of: TableName("t"), cancellation: Cancellation())
      #expect(schema.columns.map(\.name) == kinds.map(\.0))
      #expect(schema.rowIdentity.count == 1)
      let read = try await test.connection.rows(
        "SELECT id, `odd \\`name`, x, at, any FROM t ORDER BY \(schema.rowIdentity[0])",
        cancellation: Cancellation())
      #expect(read.rows.count == 1500)
      for (written, read) in zip(rows + rows + rows, read.rows) {
        #expect(Array(written[..<3]) == Array(read[..<3]))
        #expect(read[3].string == "2024-02-29T10:00:00+05:30")
        #expect(read[4].string == written[4].json)
      }
      let error = try await failure { try await create(rows, isReplacing: false) }
      #expect(error?.kind == .exists("t"))
      let failed = try await failure { try await create([[.string("x")]], isReplacing: true) }
      #expect(failed?.kind == .engine)
      #expect(try await test.rows("SELECT count() FROM t") == "[1500]")
      try await create([], isReplacing: true)
      #expect(try await test.rows("SELECT count() FROM t") == "[0]")
      #expect(
        try await test.connection.tables(cancellation: Cancellation()).filter {
          $0.name.schema == nil
        }.count == 1)
    }
  }

  @Test func anUnknownColumnIsNamed() async throws {
    try await TestCluster.run { test in
      try await test.run("CREATE TABLE t (id UInt64) ENGINE = Memory")
      let error = try await failure { try await insert([[.null]], into: "t", ["nope"], of: test) }
      #expect(error?.kind == .unknownColumn("nope"))
      #expect(try await failure { try await insert([], into: "t", ["id"], of: test) } == nil)
    }
  }
}
