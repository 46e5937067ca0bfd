import DataSources
import DataTables
import Databases
import TestSupport
import Testing

@testable import ClickHouseDatabase

@Suite(.requires(.clickhouse)) struct ValueTests {
  /// An expression, its kind, and the value that is read from it.
  @Test(arguments: [
    ("toInt8(-128)", "integer", "-128"),
    ("toUInt64(18446744073709551615)", "integer", "18446744073709551615"),
    ("toInt64(-9223372036854775808)", "integer", "-9223372036854775808"),
    ("toUInt8(1)", "integer", "1"),
    ("toFloat64(0.1) + 0.2", "real", "0.30000000000000004"),
    ("toFloat32(0.1)", "real", "0.1"),
    ("1e300", "real", "1e300"),
    ("nan", "real", "\"NaN\""),
    ("-inf", "real", "\"-Infinity\""),
    ("toDecimal64('1.50', 4)", "decimal", "1.5000"),
    ("toDecimal128('-12345678901234567890.5', 10)", "decimal", "-12345678901234567890.5000000000"),
    ("'a\\tb\\n\\\\N\\'\\0'", "text", "\"a\\tb\\n\\\\N'\\u0000\""),
    ("unhex('00FFC328')", "text", "data 00FFC328"),
    ("toFixedString('ab', 4)", "text", "\"ab\\u0000\\u0000\""),
    ("''", "text", "\"\""),
    ("toDate('2020-02-29')", "date", "date 2020-02-29 = 1582934400"),
    ("toDate(0)", "date", "date 1970-01-01 = 0"),
    ("toDateTime('2020-01-02 03:04:05')", "instant", "date 2020-01-02T03:04:05Z = 1577934245"),
    (
      "toDateTime(1577934245, 'Asia/Kolkata')", "instant",
      "date 2020-01-02T08:34:05+05:30 = 1577934245"
    ),
    (
      "toDateTime(1593651845, 'America/New_York')", "instant",
      "date 2020-07-01T21:04:05-04:00 = 1593651845"
    ),
    ("toDateTime(0, 'Europe/Paris')", "instant", "date 1970-01-01T01:00:00+01:00 = 0"),
    ("toDateTime(4291747199, 'UTC')", "instant", "date 2105-12-31T23:59:59Z = 4291747199"),
    ("NULL", "other", "null"),
    ("CAST(NULL AS Nullable(String))", "text", "null"),
    ("CAST('\\\\N' AS Nullable(String))", "text", "\"\\\\N\""),
    ("[1, 2]", "other", "[1,2]"),
    ("[[NULL, 'a\\'b\\t\\\\'], []]", "other", "[[null,\"a'b\\t\\\\\"],[]]"),
    ("[toDate('2020-02-29'), toDate(0)]", "other", "[\"2020-02-29\",\"1970-01-01\"]"),
    ("[toDecimal32('1.5', 3)]", "other", "[1.500]"),
    ("[]", "other", "[]"),
    ("(1, 'x,)', [NULL])", "other", "[1,\"x,)\",[null]]"),
    ("CAST('b' AS Enum8('a' = 1, 'b' = 2))", "other", "\"b\""),
    (
      "toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0')", "other",
      "\"61f0c404-5cb3-11e7-907b-a6006ad3dba0\""
    ),
    ("CAST('x' AS LowCardinality(String))", "text", "\"x\""),
    ("CAST(toNullable(5) AS Nullable(Int16))", "integer", "5"),
    ("toIntervalDay(3)", "other", "3"),
  ])
  func aValueOfEachTypeIsRead(expression: String, kind: String, value: String) async throws {
    let connection = try await TestCluster.open(TestCluster.address())
    let result = try await connection.rows(
      "SELECT \(SQL(expression)) AS x", cancellation: Cancellation())
    #expect(result.columns.first?.kind.rawValue == kind)
    #expect(result.columns.first?.name == "x")
    #expect(result.rows.map { $0.map(\.exact) } == [[value]])
  }

  @Test func namesOfColumnsAreUnescaped() async throws {
    let connection = try await TestCluster.open(TestCluster.address())
    let result = try await connection.rows(
      "SELECT 1 AS `a\\tb\\`c'd\\\\`, 2 AS `é`", cancellation: Cancellation())
    #expect(result.columns.map(\.name) == ["a\tb`c'd\\", "é"])
    #expect(result.columns.map(\.isNullable) == [false, false])
  }

  @Test func aStatementBindsValuesThatComeBackEqual() async throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix64(seed: seed)
    let connection = try await TestCluster.open(TestCluster.address())
    for _ in 0..<100 {
      let values = (0..<20).map { _ in Value.hostile(using: &random) }
      let list = values.enumerated().map { index, value -> SQL in
        "\(value: value) AS c\(SQL(String(index)))"
      }
      let statement = SQL("SELECT ") + list.joined(separator: ", ")
      let row = try await connection.rows(statement, cancellation: Cancellation()).rows.first
      for (value, read) in zip(values, row ?? []) {
        if case .real = value {
          #expect(value == read, "seed \(seed)")
        } else {
          #expect(value.expected == read.exact, "seed \(seed)")
        }
      }
      #expect(row?.count == values.count, "seed \(seed)")
    }
  }

  @Test(arguments: [
    .leastNonzeroMagnitude, -Double.leastNormalMagnitude / 3, .leastNormalMagnitude,
    .greatestFiniteMagnitude,
  ])
  func doublesOfAnySizeAreBound(number: Double) async throws {
    let connection = try await TestCluster.open(TestCluster.address())
    let row = try await connection.rows(
      "SELECT \(value: .real(Real(number)))", cancellation: Cancellation()
    ).rows.first
    #expect(row?.first == .real(Real(number)))
  }

  @Test func aLongStatementIsAccepted() async throws {
    let connection = try await TestCluster.open(TestCluster.address())
    let text = String(repeating: "é'\\", count: 200_000)
    let result = try await connection.rows(
      "SELECT length(\(value: .string(text)))", cancellation: Cancellation())
    #expect(result.rows.first?.first == .integer(text.utf8.count))
  }

  @Test(arguments: ["1969-12-31", "2106-01-01", "1900-01-01T00:00:00Z", "2020-01-01T00:00:00.5"])
  func aDateThatTheServerDoesNotHaveIsRejected(text: String) async throws {
    let literal = Literal(hasWideDates: false)
    #expect(throws: DatabaseError.self) { try literal.text(of: Value(literal: text)) }
    #expect(throws: Never.self) {
      try Literal(hasWideDates: true).text(of: Value(literal: text))
    }
  }
}

extension Value {
  /// A value with what breaks statements.
  static func hostile(using random: inout SplitMix64) -> Value {
    switch random.next() % 10 {
    case 0: return .null
    case 1: return .bool(random.next() % 2 == 0)
    case 2: return .integer(Int(truncatingIfNeeded: random.next() >> (random.next() % 64)))
    case 3: return .integer(-Int(random.next() >> (1 + random.next() % 63)))
    case 4: return .real(Real(Double(bitPattern: random.next())))
    case 5:
      return .data((0..<random.next() % 9).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    case 6:
      return Value(
        literal: "20\(10 + random.next() % 80)-0\(1 + random.next() % 9)-1\(random.next() % 10)")
    case 7:
      let zone = ["Z", "+05:30", "-08:00", ""][Int(random.next() % 4)]
      return Value(literal: "2024-02-29T1\(random.next() % 10):00:01" + zone)
    case 8: return .array([.string(hostileText(using: &random)), .string("")])
    default: return .string(hostileText(using: &random))
    }
  }

  static func hostileText(using random: inout SplitMix64) -> String {
    let parts = [
      "'", "\\", "\\'", "\"", "`", "\0", "\n", "\t", "\r", "\\N", "NULL", "--", "/*", ";", "é",
      "e\u{301}", "👩‍👩‍👧", "%", "{x:Int8}", "\u{8}", "\u{c}", "\u{1b}", " ", "a", "$$", "?", "\u{feff}",
    ]
    return (0..<random.next() % 8).map { _ in parts[Int(random.next() % UInt64(parts.count))] }
      .joined()
  }

  /// ``exact`` of what the server returns for this value.
  var expected: String {
    switch self {
    case .bool(let bool): return bool ? "1" : "0"
    case .date(let date) where date.hasTime:
      let utc = TabSeparated.wallTime(of: date, offset: 0).replacing(" ", with: "T") + "Z"
      return "date \(utc) = \(date.secondsFromGMT)"
    // Bytes that are UTF-8 are a string.
    case .data(let bytes):
      return bytes.withUnsafeBytes { CellReader.string($0) }.exact
    default: return exact
    }
  }
}
