import DataSources
import DataTables
import DatabaseTestSupport
import Databases
import PostgreSQLDatabase
import TestSupport
import Testing

/// Requests that PostgreSQL answers, compared with the answers of the shell over the same rows:
/// 10,000 seeded rows with nulls, ties, accents, mixed case and text that is not composed.
@Suite(.requires(.postgres)) struct MeaningTests {
  private static func fill(_ server: Server, seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    try await server.execute(
      """
      CREATE TABLE t (id int PRIMARY KEY, name text, city varchar(20), word text, age int2,
        price numeric, ratio float8, share float4, day date, local timestamp, at timestamptz,
        ok bool, code uuid, mood text COLLATE "C", pad char(6))
      """)
    let names = ["anna", "Anna", "ANNA", "bob%", "Bo_b", "", " z", "a\\b", "Zoe", "zoe", "10", "9"]
    let cities = ["Oslo", "Rome", "Paris", "Bergen", "oslo"]
    let words = [
      "é", "e\u{301}", "E", "ß", "ä", "Z", "z", "日本", "👍🏽", "o\u{308}", "a\r\nb", "q\u{308}",
    ]
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
        maybe(Value(literal: "\(random.below(50)).\(random.one(of: ["5", "50", "25"]))")),
        maybe(Value(literal: "\(random.below(20)).1")),
        maybe(Value(literal: "0.\(1 + random.below(9))")), maybe(Value(literal: day)),
        maybe(Value(literal: "\(day)T\(hour):30:00")),
        maybe(Value(literal: "\(day)T\(hour):00:00Z")),
        maybe(.bool(random.below(2) == 0)),
        maybe(.string("0000000\(random.below(10))-0000-4000-8000-00000000000\(random.below(10))")),
        .string(random.one(of: names)), maybe(.string(random.one(of: names))),
      ])
    }
    let schema = try await server.connection.schema(
      of: TableName("t"), cancellation: Cancellation())
    let batches = Batches([rows])
    try await server.connection.insert(
      into: TableName("t"), columns: schema.columns, cancellation: Cancellation()
    ) { await batches.next() }
  }

  private static func predicates() throws -> [(Predicate, isPushed: Bool)] {
    let day = Value(literal: "2015-06-15")
    let time = Value(literal: "2015-06-15T12:00:00+02:00")
    return [
      (try compare("age", .greaterOrEqual, 18), true),
      (try compare("age", .less, Value(literal: "7.5")), true),
      (try compare("age", .equal, Value(literal: "7.0")), true),
      (try compare("age", .notEqual, 7), true),
      (.not(try compare("age", .less, 7)), true),
      (try compare("age", .equal, nil), true), (try compare("age", .notEqual, nil), true),
      (try compare("age", .equal, 100_000), true), (try compare("age", .equal, "7"), true),
      (try compare("price", .equal, Value(literal: "7.50")), true),
      (try compare("ratio", .equal, Value(literal: "7.1")), true),
      (try compare("share", .equal, Value(literal: "0.3")), true),
      (try compare("share", .lessOrEqual, Value(literal: "0.3")), true),
      (try compare("day", .greater, day), true), (try compare("day", .greater, time), true),
      (try compare("local", .less, time), true), (try compare("at", .greaterOrEqual, day), true),
      (try compare("ok", .equal, true), true), (try compare("city", .equal, "Oslo"), true),
      (try compare("city", .greater, "P"), true),
      (try compare("city", .in, .array(["Oslo", "Rome", nil])), true),
      (try compare("age", .between, .array([3, 9])), true),
      (try compare("name", .beginsWith, "a"), true),
      (try compare("name", .beginsWith, "A", .caseInsensitive), true),
      (try compare("name", .contains, "nn"), true), (try compare("name", .contains, "%"), true),
      (try compare("name", .contains, ""), true), (try compare("name", .endsWith, "B"), true),
      (try compare("name", .endsWith, "", [.caseInsensitive, .diacriticInsensitive]), true),
      (try compare("name", .equal, "ANNA", .caseInsensitive), true),
      (try compare("name", .like, "*nn?"), true), (try compare("name", .like, "bo_b*"), true),
      (try compare("name", .like, "a\\\\b"), true),
      (try compare("name", .like, "*%", .caseInsensitive), true),
      (try compare("name", .matches, "a.*"), false), (try compare("word", .equal, "é"), false),
      (try compare("word", .beginsWith, "e"), false), (try compare("mood", .greater, "Z"), true),
      (try compare("pad", .equal, "anna"), true), (try compare("pad", .beginsWith, "a"), true),
      (try compare("code", .greater, "00000004"), true),
      (try compare("at.year", .equal, 2015), true), (try compare("day.weekday", .equal, 1), true),
      (
        .and([
          try compare("age", .less, 9),
          .or([try compare("ok", .equal, true), try compare("city", .equal, nil)]),
        ]), true
      ),
      (.not(.or([try compare("name", .equal, "anna"), try compare("age", .greater, 3)])), true),
    ]
  }

  @Test func predicatesHoldForTheSameRows() async throws {
    try await run { meaning in
      for (predicate, isPushed) in try Self.predicates() {
        try await meaning.expectSame(predicate, isPushed: isPushed)
      }
    }
  }

  @Test func ordersAreTheSame() async throws {
    try await run { meaning in
      for key in [
        "id", "name", "city", "age", "price", "ratio", "share", "day", "local", "at", "ok", "code",
        "mood", "pad", "name.length", "name.lowercased", "at.month", "local.week", "day.hour",
        "ratio.floor",
      ] {
        try await meaning.expectSameOrder(key)
      }
      try await meaning.expectSameOrder("age", nulls: .first)
      try await meaning.expectSameOrder("age", nulls: .last)
      try await meaning.expectSameOrder("word", isPushed: false)
      try await meaning.expectSameOrder("name", .localizedStandard, isPushed: false)
    }
  }

  @Test func sectionsAreTheSame() async throws {
    try await run { meaning in
      for key in [
        "city", "age", "price", "share", "ok", "code", "name.firstCharacter", "name.folded",
        "day.year", "word.firstCharacter", "word",
      ] {
        try await meaning.expectSameSections(key)
      }
      for (key, mode) in [
        ("at", SectionMode.month), ("day", .week), ("local", .day), ("at", .year),
      ] {
        try await meaning.expectSameSections(key, mode)
      }
    }
  }

  @Test func summariesAreTheSame() async throws {
    try await run { meaning in
      for key in [
        "id", "name", "city", "word", "age", "price", "ratio", "share", "day", "local", "ok",
        "name.length", "at.year",
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

  private func run(_ test: (Meaning) async throws -> Void) async throws {
    let seed = UInt64.random(in: .min ... .max)
    try await Server.run { server in
      try await Self.fill(server, seed: seed)
      let database = Database(server.connection, driver: .postgres)
      try await test(try await Meaning(of: TableName("t"), in: database, seed: seed))
    }
  }
}
