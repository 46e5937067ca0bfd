import DataSources
import DataTables
import DatabaseTestSupport
import Databases
import SQLiteDatabase
import TestSupport
import Testing

/// Requests that SQLite answers, compared with the answers of the shell over the same rows: 10,000
/// seeded rows with nulls, ties, accents, mixed case and text that is not composed.
@Suite struct MeaningTests {
  private static func fill(_ file: TestFile, seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let names = ["anna", "Anna", "ANNA", "bob%", "Bo_b", "", " z", "a\\b", "Zoe", "zoe", "10", "9"]
    let words = [
      "é", "e\u{301}", "E", "ß", "ss", "ä", "Z", "z", "日本", "👍🏽", "o\u{308}", "a\r\nb", "q\u{308}",
      "İ", "i",
    ]
    let cities = ["Oslo", "Rome", "Paris", "Bergen", "oslo"]
    let mixed: [Value] = [1, .real(Real(1)), "1", .real(Real(1.5)), "a", .data([1, 2])]
    var rows: [[Value]] = []
    for id in 0..<3_000 {
      func maybe(_ value: @autoclosure () -> Value) -> Value {
        random.below(9) == 0 ? nil : value()
      }
      let day =
        "20\(10 + random.below(20))-\(["01", "06", "12"][random.below(3)])-\(10 + random.below(19))"
      let hour = 10 + random.below(13)
      rows.append([
        .integer(id), maybe(.string(random.one(of: names))), maybe(.string(random.one(of: cities))),
        maybe(.string(random.one(of: words))), maybe(.integer(random.below(40) - 5)),
        maybe(
          random.below(2) == 0
            ? .integer(random.below(30)) : .real(Real(Double(random.below(60)) / 2))),
        maybe(.real(Real(Double(random.below(20)) + 0.1))),
        maybe(Value(literal: day)), maybe(Value(literal: "\(day)T\(hour):30:00")),
        maybe(Value(literal: "\(day)T\(hour):00:00Z")), maybe(.bool(random.below(2) == 0)),
        random.one(of: mixed), .string(random.one(of: names)),
      ])
    }
    let connection = try await file.connect(isWritable: true)
    try await connection.execute(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, city TEXT COLLATE NOCASE, word TEXT, \
      age INT, price DECIMAL(9, 2), ratio REAL, day DATE, local DATETIME, at TIMESTAMP, \
      ok BOOLEAN, mixed, rest VARCHAR(9))
      """, cancellation: Cancellation())
    try await connection.execute("CREATE INDEX i ON t (city, name)", cancellation: Cancellation())
    let schema = try await connection.schema(of: TableName("t"), cancellation: Cancellation())
    let batches = Batches([rows])
    try await connection.insert(
      into: TableName("t"), columns: schema.columns, cancellation: Cancellation()
    ) { await batches.next() }
    await connection.close()
  }

  private static func predicates() throws -> [Predicate] {
    let day = Value(literal: "2015-06-15")
    let time = Value(literal: "2015-06-15T12:00:00+02:00")
    let folded: ComparisonOperator.Options = [.caseInsensitive, .diacriticInsensitive]
    return [
      try compare("age", .greaterOrEqual, 18), try compare("age", .less, Value(literal: "7.5")),
      try compare("age", .equal, Value(literal: "7.0")), try compare("age", .notEqual, 7),
      .not(try compare("age", .less, 7)), try compare("age", .equal, nil),
      try compare("age", .notEqual, nil), try compare("age", .equal, "7"),
      try compare("price", .equal, Value(literal: "7.50")), try compare("price", .equal, 7),
      try compare("ratio", .equal, Value(literal: "7.1")), try compare("day", .greater, day),
      try compare("day", .greater, time), try compare("local", .less, time),
      try compare("at", .greaterOrEqual, day), try compare("ok", .equal, true),
      try compare("ok", .equal, 1), try compare("city", .equal, "Oslo"),
      try compare("city", .greater, "P"), try compare("city", .in, .array(["Oslo", "Rome", nil])),
      try compare("age", .between, .array([3, 9])), try compare("name", .beginsWith, "a"),
      try compare("name", .beginsWith, "A", .caseInsensitive), try compare("name", .contains, "nn"),
      try compare("name", .contains, "%"), try compare("name", .contains, ""),
      try compare("name", .endsWith, "B"), try compare("name", .equal, "ANNA", .caseInsensitive),
      try compare("name", .like, "*nn?"), try compare("name", .like, "bo_b*"),
      try compare("name", .matches, "a.*"), try compare("word", .equal, "é"),
      try compare("word", .equal, "E", folded), try compare("word", .beginsWith, "e"),
      try compare("word", .greater, "e"), try compare("word", .equal, "SS", folded),
      try compare("mixed", .equal, 1), try compare("mixed", .equal, "1"),
      try compare("mixed", .greater, 1), try compare("mixed", .less, "b"),
      try compare("at.year", .equal, 2015), try compare("day.weekday", .equal, 1),
      try compare("name.length", .greater, 3), try compare("word.firstCharacter", .equal, "é"),
      .and([
        try compare("age", .less, 9),
        .or([try compare("ok", .equal, true), try compare("city", .equal, nil)]),
      ]),
      .not(.or([try compare("name", .equal, "anna"), try compare("age", .greater, 3)])),
    ]
  }

  @Test func predicatesHoldForTheSameRows() async throws {
    try await run { meaning in
      for predicate in try Self.predicates() { try await meaning.expectSame(predicate) }
    }
  }

  private static let orders: [(String, SortDescriptor.Comparison)] = [
    ("id", .compare), ("name", .compare), ("city", .compare), ("word", .compare), ("age", .compare),
    ("price", .compare), ("ratio", .compare), ("day", .compare), ("local", .compare),
    ("at", .compare), ("ok", .compare), ("mixed", .compare), ("rest", .compare),
    ("name.length", .compare), ("name.lowercased", .compare), ("word.uppercased", .compare),
    ("at.month", .compare), ("local.week", .compare), ("day.weekday", .compare),
    ("word", .caseInsensitive), ("word", .localizedStandard), ("name", .localizedStandard),
    ("name", .caseInsensitive), ("name", .numeric), ("word", .localizedCaseInsensitive),
  ]

  @Test func ordersAreTheSame() async throws {
    try await run { meaning in
      for (key, comparison) in Self.orders { try await meaning.expectSameOrder(key, comparison) }
      try await meaning.expectSameOrder("age", nulls: .first)
      try await meaning.expectSameOrder("age", nulls: .last)
    }
  }

  private static let modes: [(String, SectionMode)] =
    [
      "city", "age", "price", "ratio", "ok", "name", "rest", "name.firstCharacter", "name.folded",
      "word.firstCharacter", "word.uppercased", "word", "day.year",
    ]
    .map { ($0, .groups) } + [("at", .month), ("day", .week), ("local", .day), ("at", .year)]

  @Test func sectionsAreTheSame() async throws {
    try await run { meaning in
      for (key, mode) in Self.modes { try await meaning.expectSameSections(key, mode) }
    }
  }

  @Test func summariesAreTheSame() async throws {
    try await run { meaning in
      for key in [
        "id", "name", "city", "word", "age", "price", "ratio", "day", "local", "ok", "mixed",
        "name.length", "word.firstCharacter", "at.year",
      ] {
        try await meaning.expectSameSummary(key)
      }
    }
  }

  @Test func indexPathsAreTheSame() async throws {
    try await run { meaning in
      for key in ["name", "city", "age"] { try await meaning.expectSameIndexPaths(key) }
      try await meaning.expectSameIndexPaths("word", isPushed: false)
    }
  }

  /// SQLite orders texts that a file stores in UTF-16 by other bytes.
  @Test func textsInUTF16AreOrderedByTheShell() async throws {
    try await TestFile.run { file in
      try file.execute(
        """
        PRAGMA encoding = 'UTF-16le';
        CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT, age INT);
        INSERT INTO t VALUES (1, 'b', 3), (2, 'é', 1), (3, 'Ā', 2), (4, 'a', 9), (5, '😀', 5), (6, 'ﬀ', 5);
        """)
      let database = Database(try await file.connect(), driver: .sqlite)
      let meaning = try await Meaning(of: TableName("t"), in: database, seed: 0)
      try await meaning.expectSameOrder("age")
      try await meaning.expectSameOrder("x", isPushed: false)
      try await meaning.expectSameOrder("x.uppercased", isPushed: false)
      try await meaning.expectSame(try compare("x", .greater, "a"))
      try await meaning.expectSameSections("x")
      try await meaning.expectSameSummary("x")
    }
  }

  private func run(_ test: (Meaning) async throws -> Void) async throws {
    let seed = UInt64.random(in: .min ... .max)
    try await TestFile.run { file in
      try await Self.fill(file, seed: seed)
      let connection = try await file.connect()
      let database = Database(connection, driver: .sqlite)
      try await test(try await Meaning(of: TableName("t"), in: database, seed: seed))
    }
  }
}
