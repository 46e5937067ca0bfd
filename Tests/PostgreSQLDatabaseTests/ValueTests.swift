import DataSources
import DataTables
import Databases
import TestSupport
import Testing

/// The values of each type, as they are read.
@Suite(.requires(.postgres)) struct ValueTests {
  @Test(arguments: [
    ("true", "true"), ("false", "false"), ("NULL::bool", "null"),
    ("32767::int2", "32767"), ("(-2147483648)::int4", "-2147483648"),
    ("(-9223372036854775808)::int8", "-9223372036854775808"), ("4294967295::oid", "4294967295"),
    ("0.1::float4", "0.1"), ("0.1::float8 + 0.2::float8", "0.30000000000000004"),
    ("1e300::float8", "1e+300"), ("100::float8", "100"), ("'NaN'::float8", #""NaN""#),
    ("'-Infinity'::float4", #""-Infinity""#),
    ("1.50::numeric", "1.50"), ("12345678901234567890::numeric", "12345678901234567890"),
    ("42::numeric", "42"), ("'NaN'::numeric", #""NaN""#),
    ("1e-30::numeric(40,30)", "0.000000000000000000000000000001"),
    ("'Zoë \"x\"'::text", #""Zoë \"x\"""#), ("''::text", #""""#), ("'ab'::char(4)", #""ab""#),
    ("'ab'::varchar(4)", #""ab""#), ("'n'::name", #""n""#),
    ("'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid", #""a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11""#),
    ("'2024-01-31'::date", #""2024-01-31""#), ("'infinity'::date", #""infinity""#),
    ("'0044-03-15 BC'::date", #""0044-03-15 BC""#), ("'12024-01-31'::date", #""12024-01-31""#),
    ("'2024-01-31 12:00'::timestamp", #""2024-01-31T12:00:00""#),
    ("'2024-01-31 12:00:00.123456'::timestamp", #""2024-01-31T12:00:00.123456""#),
    ("'-infinity'::timestamp", #""-infinity""#),
    ("'2024-01-31 12:00:00.5+05:30'::timestamptz", #""2024-01-31T06:30:00.5Z""#),
    ("'0001-01-01 00:00+00 BC'::timestamptz", #""0001-01-01 00:00:00+00 BC""#),
    ("'13:00'::time", #""13:00:00""#),
    (#"'\x00ff68'::bytea"#, #""AP9o""#), ("''::bytea", #""""#),
    (#"'{"b": [1, 2.50, null], "a": {}}'::json"#, #"{"b":[1,2.50,null],"a":{}}"#),
    (#"'[true, "x"]'::jsonb"#, #"[true,"x"]"#), ("'null'::jsonb", "null"),
    ("ARRAY[1,NULL,3]", "[1,null,3]"), ("ARRAY[[1,2],[3,4]]", "[[1,2],[3,4]]"),
    ("'[0:1]={5,6}'::int[]", "[5,6]"), ("'{}'::text[]", "[]"),
    (
      #"ARRAY['a,b', 'q"\', 'NULL', NULL, '', '{}', ' ']"#,
      #"["a,b","q\"\\","NULL",null,"","{}"," "]"#
    ),
    ("ARRAY[true,false]", "[true,false]"), ("ARRAY[1.50, 2]::numeric[]", "[1.50,2]"),
    ("ARRAY['2024-01-31 12:00+00'::timestamptz]", #"["2024-01-31T12:00:00Z"]"#),
    (#"ARRAY['{"a": "b,c"}'::jsonb]"#, #"[{"a":"b,c"}]"#),
    (#"ARRAY['\xff'::bytea]"#, #"["/w=="]"#),
    ("'1 year 2 days 03:04:05'::interval", #""1 year 2 days 03:04:05""#),
    ("int4range(1, 5)", #""[1,5)""#), ("'10.0.0.1'::inet", #""10.0.0.1""#),
    ("'<a/>'::xml", #""<a/>""#), ("point(1, 2)", #""(1,2)""#), ("B'101'", #""101""#),
    ("ROW(1, 'x')", #""(1,x)""#),
  ])
  func aValueIsRead(expression: String, json: String) async throws {
    try await Server.run { server in
      let value = try await server.value(SQL("SELECT " + expression))
      #expect(value.json == json)
    }
  }

  @Test func valuesHaveTheirTypes() async throws {
    try await Server.run { server in
      let row = try await server.rows(
        """
        SELECT 1.5::float8, '2024-01-31'::date, now()::timestamptz, now()::timestamp,
          '\\x00'::bytea, 1::numeric, 'infinity'::date
        """)[0]
      #expect(row.map(\.type) == [.number, .date, .date, .date, .data, .number, .string])
      guard case .date(let instant) = row[2], case .date(let local) = row[3] else { return }
      #expect(instant.offset == 0)
      #expect(local.offset == nil)
    }
  }

  @Test func enumsDomainsAndCompositesAreRead() async throws {
    try await Server.run { server in
      try await server.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')")
      try await server.execute("CREATE DOMAIN age AS int CHECK (VALUE >= 0)")
      let row = try await server.rows("SELECT 'ok'::mood, 7::age, ARRAY['sad'::mood]")[0]
      #expect(row.map(\.json) == [#""ok""#, "7", #""{sad}""#])
    }
  }

  @Test func columnsOfAResultHaveNamesAndKinds() async throws {
    try await Server.run { server in
      let columns = try await server.snapshot().rows(
        "SELECT 1 AS a, 'x'::text AS \"b c\", 1.5 AS d, now() AS e, ARRAY[1] AS f WHERE false",
        cancellation: Cancellation()
      ).columns
      #expect(columns.map(\.name) == ["a", "b c", "d", "e", "f"])
      #expect(columns.map(\.kind) == [.integer, .text, .decimal, .instant, .other])
      #expect(columns.last?.declaredType == "integer[]")
    }
  }
}
