import Databases

/// A type of PostgreSQL: its name, the kind of its values, and how their text is read.
struct ServerType: Sendable {
  /// As `format_type` spells it.
  let name: String
  let kind: DatabaseColumn.Kind
  let reading: Reading

  /// The way from the text of a value to a `Value`.
  indirect enum Reading: Sendable {
    case string, bool, integer, number, date, dateTime, instant, data, json
    /// A string whose spaces at the end do not count.
    case padded
    case array(Reading)
  }

  /// Types of extensions, enums, ranges of users: strings.
  static let unknown = ServerType(name: "", kind: .other, reading: .string)

  /// The type with an object identifier of the server's catalog. The identifiers of built-in types
  /// are the same in all versions of the server.
  static func type(_ identifier: UInt32) -> ServerType { table[identifier] ?? unknown }

  /// The type of a new column.
  static func name(for kind: DatabaseColumn.Kind) -> String {
    switch kind {
    case .bool: "boolean"
    case .integer: "bigint"
    case .real: "double precision"
    case .decimal: "numeric"
    case .text, .other: "text"
    case .date: "date"
    case .dateTime: "timestamp"
    case .instant: "timestamptz"
    case .data: "bytea"
    case .json, .any: "jsonb"
    }
  }

  private typealias Row = (
    identifier: UInt32, array: UInt32, name: String, kind: DatabaseColumn.Kind, reading: Reading
  )

  /// The built-in types, with those of their arrays. The kind `text` is for types whose equality
  /// and order under `COLLATE "C"` are those of their strings: not for types without a collation.
  private static let rows: [Row] = [
    (16, 1000, "boolean", .bool, .bool),
    (17, 1001, "bytea", .data, .data),
    (18, 1002, "\"char\"", .other, .string),
    (19, 1003, "name", .text, .string),
    (20, 1016, "bigint", .integer, .integer),
    (21, 1005, "smallint", .integer, .integer),
    (23, 1007, "integer", .integer, .integer),
    (25, 1009, "text", .text, .string),
    (26, 1028, "oid", .integer, .integer),
    (27, 1010, "tid", .other, .string),
    (28, 1011, "xid", .other, .string),
    (114, 199, "json", .json, .json),
    (142, 143, "xml", .other, .string),
    (650, 651, "cidr", .other, .string),
    (700, 1021, "real", .real, .number),
    (701, 1022, "double precision", .real, .number),
    (790, 791, "money", .other, .string),
    (829, 1040, "macaddr", .other, .string),
    (869, 1041, "inet", .other, .string),
    (1042, 1014, "character", .text, .padded),
    (1043, 1015, "character varying", .text, .string),
    (1082, 1182, "date", .date, .date),
    (1083, 1183, "time without time zone", .other, .string),
    (1114, 1115, "timestamp without time zone", .dateTime, .dateTime),
    (1184, 1185, "timestamp with time zone", .instant, .instant),
    (1186, 1187, "interval", .other, .string),
    (1266, 1270, "time with time zone", .other, .string),
    (1560, 1561, "bit", .other, .string),
    (1562, 1563, "bit varying", .other, .string),
    (1700, 1231, "numeric", .decimal, .number),
    (2950, 2951, "uuid", .other, .string),
    (3614, 3643, "tsvector", .other, .string),
    (3802, 3807, "jsonb", .json, .json),
    (3904, 3905, "int4range", .other, .string),
    (3906, 3907, "numrange", .other, .string),
    (3908, 3909, "tsrange", .other, .string),
    (3910, 3911, "tstzrange", .other, .string),
    (3912, 3913, "daterange", .other, .string),
    (3926, 3927, "int8range", .other, .string),
  ]

  private static let table: [UInt32: ServerType] = {
    var table: [UInt32: ServerType] = [:]
    for row in rows {
      table[row.identifier] = ServerType(name: row.name, kind: row.kind, reading: row.reading)
      table[row.array] = ServerType(
        name: row.name + "[]", kind: .other, reading: .array(row.reading))
    }
    return table
  }()
}
