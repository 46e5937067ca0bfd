import DataSources
import DataTables
import DatabaseTestSupport
import Databases
import TestSupport
import Testing

@testable import ClickHouseDatabase

/// Requests that ClickHouse answers, compared with the answers of the shell over the same rows:
/// 10,000 seeded rows with nulls, ties, accents, mixed case and text that is not composed.
@Suite(.requires(.clickhouse)) struct MeaningTests {
  private static let columns = [
    "id", "name", "city", "word", "age", "price", "ratio", "day", "at", "kind", "code",
  ]

  private static func rows(seed: UInt64) -> [[Value]] {
    var random = SplitMix64(seed: seed)
    let names = ["anna", "Anna", "ANNA", "bob%", "Bo_b", "", " z", "a\\b", "Zoe", "zoe", "10", "9"]
    let words = ["é", "e\u{301}", "E", "ß", "ä", "Z", "z", "日本", "👍🏽", "o\u{308}", "a\r\nb"]
    let cities = ["Oslo", "Rome", "Paris", "Bergen", "oslo"]
    return (0..<3_000).map { id in
      func maybe(_ value: @autoclosure () -> Value) -> Value {
        random.below(9) == 0 ? nil : value()
      }
      let day =
        "20\(10 + random.below(20))-\(["01", "06", "12"][random.below(3)])-\(10 + random.below(19))"
      return [
        .integer(id), maybe(.string(random.one(of: names))), maybe(.string(random.one(of: cities))),
        .string(random.one(of: words)), maybe(.integer(random.below(40) - 5)),
        maybe(Value(literal: "\(random.below(50)).\(random.one(of: ["5", "50", "25"]))")),
        .real(Real(Double(random.below(20)) + 0.5)), maybe(Value(literal: day)),
        Value(literal: "\(day)T\(10 + random.below(13)):30:00Z"),
        .string(random.one(of: ["a", "b", "Z"])),
        .string("0000000\(random.below(10))-0000-4000-8000-00000000000\(random.below(10))"),
      ]
    }
  }

  private func run(_ test: (Meaning) async throws -> Void) async throws {
    let seed = UInt64.random(in: .min ... .max)
    try await TestCluster.run { cluster in
      try await cluster.distribute(
        "t",
        """
        id UInt64, name Nullable(String), city Nullable(String), word String, \
        age Nullable(Int16), price Nullable(Decimal(9, 2)), ratio Float64, day Nullable(Date), \
        at DateTime('UTC'), kind Enum8('b' = 1, 'a' = 2, 'Z' = 3), code UUID
        """, order: "id")
      let columns = Self.columns.map { DatabaseColumn(name: $0, declaredType: "", kind: .any) }
      let batches = Batches([Self.rows(seed: seed)])
      try await cluster.connection.insert(
        into: TableName("t"), columns: columns, cancellation: Cancellation()
      ) { await batches.next() }
      let database = Database(
        cluster.connection, driver: .clickHouse(over: TestCluster.transport))
      try await test(try await Meaning(of: TableName("t"), in: database, seed: seed))
    }
  }

  @Test func predicatesHoldForTheSameRows() async throws {
    let day = Value(literal: "2015-06-15")
    let time = Value(literal: "2015-06-15T12:00:00+02:00")
    let pushed = [
      try compare("age", .greaterOrEqual, 18),
      try compare("age", .less, Value(literal: "7.5")),
      try compare("age", .equal, Value(literal: "7.0")), try compare("age", .notEqual, 7),
      .not(try compare("age", .less, 7)), try compare("age", .equal, nil),
      try compare("age", .notEqual, nil), try compare("age", .equal, 100_000),
      try compare("price", .equal, Value(literal: "7.50")),
      try compare("price", .lessOrEqual, Value(literal: "7.255")),
      try compare("ratio", .equal, Value(literal: "7.5")),
      try compare("day", .greater, day), try compare("at", .greaterOrEqual, day),
      try compare("at", .less, time), try compare("city", .equal, "Oslo"),
      try compare("city", .greater, "P"),
      try compare("city", .in, .array(["Oslo", "Rome", nil])),
      try compare("age", .between, .array([3, 9])),
      try compare("name", .beginsWith, "a"),
      try compare("name", .beginsWith, "A", .caseInsensitive),
      try compare("name", .contains, "nn"), try compare("name", .contains, "%"),
      try compare("name", .endsWith, "B"),
      try compare("name", .equal, "ANNA", .caseInsensitive),
      try compare("kind", .greater, "Z"), try compare("code", .greater, "00000004"),
      .and([
        try compare("age", .less, 9),
        .or([try compare("ratio", .less, 4), try compare("city", .equal, nil)]),
      ]),
      .not(.or([try compare("name", .equal, "anna"), try compare("age", .greater, 3)])),
    ]
    let left = [
      try compare("name", .contains, ""), try compare("name", .like, "*nn?"),
      try compare("name", .matches, "a.*"), try compare("word", .equal, "é"),
      try compare("word", .beginsWith, "e"),
      try compare("word", .equal, "E", [.caseInsensitive, .diacriticInsensitive]),
    ]
    try await run { meaning in
      for predicate in pushed { try await meaning.expectSame(predicate) }
      for predicate in left { try await meaning.expectSame(predicate, isPushed: false) }
    }
  }

  @Test func ordersAreTheSame() async throws {
    try await run { meaning in
      for key in ["id", "name", "city", "age", "price", "ratio", "day", "at", "kind", "code"] {
        try await meaning.expectSameOrder(key)
      }
      try await meaning.expectSameOrder("age", nulls: .first)
      try await meaning.expectSameOrder("age", nulls: .last)
      try await meaning.expectSameOrder("name.length")
      try await meaning.expectSameOrder("name.lowercased")
      try await meaning.expectSameOrder("word", isPushed: false)
      try await meaning.expectSameOrder("name", .localizedStandard, isPushed: false)
    }
  }

  @Test func sectionsAreTheSame() async throws {
    try await run { meaning in
      for key in [
        "city", "age", "price", "ratio", "kind", "code", "name", "name.firstCharacter",
        "name.folded", "word.firstCharacter", "word", "day.year",
      ] {
        try await meaning.expectSameSections(key)
      }
      try await meaning.expectSameSections("at", .month)
      try await meaning.expectSameSections("day", .week)
      try await meaning.expectSameSections("at", .day)
      try await meaning.expectSameSections("at", .year)
    }
  }

  @Test func summariesAreTheSame() async throws {
    try await run { meaning in
      for key in Self.columns + ["name.length"] {
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
}
