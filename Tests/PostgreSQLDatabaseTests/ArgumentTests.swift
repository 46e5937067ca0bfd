import DataSources
import DataTables
import Databases
import TestSupport
import Testing

/// Values bound to statements.
@Suite(.requires(.postgres)) struct ArgumentTests {
  struct Bound: Sendable {
    let type: String
    let value: Value
    let json: String

    init(_ type: String, _ value: Value, _ json: String) {
      self.type = type
      self.value = value
      self.json = json
    }
  }

  static let bound: [Bound] = [
    Bound("bool", true, "true"), Bound("int", 42, "42"),
    Bound("int8", .integer(.min), "-9223372036854775808"),
    Bound("numeric", Value(literal: "1.50"), "1.50"),
    Bound("float8", Value(literal: "1e300"), "1e+300"),
    Bound("float8", .real(Real(.nan)), #""NaN""#),
    Bound("numeric", .real(Real(-.infinity)), #""-Infinity""#),
    Bound("text", "Zoë", #""Zoë""#), Bound("text", "", #""""#), Bound("text", nil, "null"),
    Bound("text", "'; DROP TABLE people; --", #""'; DROP TABLE people; --""#),
    Bound("text", "$1 \\ \" %s", #""$1 \\ \" %s""#),
    Bound("date", Value(literal: "2024-01-31"), #""2024-01-31""#),
    Bound("timestamp", Value(literal: "2024-01-31T10:00:00.25"), #""2024-01-31T10:00:00.25""#),
    Bound("timestamptz", Value(literal: "2024-01-31T10:00:00+02:00"), #""2024-01-31T08:00:00Z""#),
    Bound("bytea", .data([0, 255, 39, 92]), #""AP8nXA==""#),
    Bound("jsonb", ["a": .array([1, "x", nil])], #"{"a":[1,"x",null]}"#),
    Bound("json", .array([1, .array([2])]), "[1,[2]]"),
  ]

  @Test(arguments: bound)
  func aBoundValueArrives(_ bound: Bound) async throws {
    try await Server.run { server in
      let value = try await server.value("SELECT \(value: bound.value)::\(SQL(bound.type))")
      #expect(value.json == bound.json)
    }
  }

  @Test func theServerInfersTheTypes() async throws {
    try await Server.run { server in
      try await server.execute("CREATE TABLE t (a int2, b numeric, c float8, d date, e bool)")
      let day = Value(literal: "2024-01-31")
      try await server.execute(
        """
        INSERT INTO t VALUES (\(value: 1), \(value: Value(literal: "2.5")), \(value: 3),
          \(value: day), \(value: true))
        """)
      let found = try await server.rows(
        """
        SELECT count(*) FROM t WHERE a = \(value: 1) AND b < \(value: 3) AND c >= \(value: 3)
          AND d = \(value: day) AND e = \(value: true) LIMIT \(value: 1)
        """)
      #expect(found[0][0].json == "1")
    }
  }

  @Test func numbersAndDatesAreComparedByValue() async throws {
    try await Server.run { server in
      try await server.execute(
        "CREATE TABLE t (i int2, f float4, d date, s timestamp, z timestamptz)")
      try await server.execute(
        "INSERT INTO t VALUES (18, 0.5, '2024-01-31', '2024-01-31 08:30', '2024-01-31 08:30Z')")
      let morning = Value(literal: "2024-01-31T08:00:00")
      let zoned = Value(literal: "2024-01-31T10:00:00+02:00")
      let row = try await server.rows(
        """
        SELECT i < \(value: Value(literal: "18.5")), i < \(value: 100_000),
          f = \(value: Value(literal: "0.5")), d < \(value: morning), d < \(value: zoned),
          s > \(value: zoned), z > \(value: morning), s >= \(value: Value(literal: "2024-01-31")),
          \(value: 5) + 1, \(value: true), to_jsonb(\(value: Value(literal: "1.50")))
        FROM t
        """)[0]
      #expect(row.dropLast(3).map(\.json) == Array(repeating: "true", count: 8))
      #expect(row.suffix(3).map(\.json) == ["6", "true", "1.50"])
    }
  }

  @Test func aStringWithNULIsRejected() async throws {
    try await Server.run { server in
      let error = try await server.failure("SELECT \(value: 1)::int, \(value: "a\0b")::text")
      #expect(
        error?.message == "argument 2 contains the character NUL, which PostgreSQL cannot store")
    }
  }

  @Test func aStatementWithNULIsRejected() async throws {
    try await Server.run { server in
      let error = try await server.failure("SELECT 1\0; DROP TABLE t")
      #expect(error?.message == "a statement cannot contain the character NUL")
    }
  }

  @Test func aLargeValueArrives() async throws {
    try await Server.run { server in
      let text = String(repeating: "é", count: 5_000_000)
      let count = try await server.value("SELECT length(\(value: .string(text)))")
      #expect(count.json == "5000000")
    }
  }
}
