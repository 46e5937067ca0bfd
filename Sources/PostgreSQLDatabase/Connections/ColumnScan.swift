import DataTables
import Databases

/// Determines what is true of the values of a column.
struct ColumnScan {
  let column: DatabaseColumn
  let table: TableName
  let snapshot: any DatabaseSnapshot
  let cancellation: Cancellation

  private var name: SQL { SQL(column.name.quotedName) }
  private var rows: SQL { SQL(table.quotedName) }

  /// Types without a collation whose text in a comparison is the text that is read.
  private static let textTypes: Set = [
    "\"char\"", "xid", "money", "macaddr", "interval", "bit", "bit varying",
    "time without time zone", "time with time zone", "int4range", "numrange", "tsrange",
    "tstzrange", "daterange", "int8range",
  ]

  func facts() async throws -> ColumnFacts {
    switch column.kind {
    case .bool: return .ordered([.bool], hasNulls: try await hasNulls())
    case .integer, .real, .decimal:
      var facts = ColumnFacts.ordered([.number], hasNulls: try await hasNulls())
      facts.variants = try await variants()
      return facts
    case .data: return .ordered([.data], hasNulls: try await hasNulls())
    case .date, .dateTime, .instant: return try await dates()
    case .text: return try await texts()
    case .other:
      if column.declaredType == "uuid" {
        return .ordered([.string], hasNulls: try await hasNulls())
      }
      return try await hasText() ? try await texts() : ColumnFacts()
    case .json, .any: return ColumnFacts()
    }
  }

  /// Finds a null by an index if the column has one.
  private func hasNulls() async throws -> Bool {
    guard column.isNullable else { return false }
    return try await row("SELECT EXISTS (SELECT FROM \(rows) WHERE \(name) IS NULL)").first ?? true
  }

  /// 1.0 and 1.00 are equal numbers of a type without a scale.
  private func variants() async throws -> ColumnFacts.Variants {
    switch column.kind {
    case .real: return .zeros
    case .decimal where !column.declaredType.contains("("):
      let found = try await row("SELECT min(scale(\(name))) < max(scale(\(name))) FROM \(rows)")
      return found == [true] ? .all : .none
    default: return .none
    }
  }

  /// Infinite dates and those outside of the years 1 to 9999 are read as strings.
  private func dates() async throws -> ColumnFacts {
    let found = try await row(
      """
      SELECT min(\(name)) >= '0001-01-01' AND max(\(name)) < '10000-01-01' FROM \(rows)
      """)
    var facts = ColumnFacts.ordered([.date], hasNulls: try await hasNulls())
    if found == [false] {
      facts.types = [.date, .string]
      facts.isOrdered = false
    }
    return facts
  }

  private func texts() async throws -> ColumnFacts {
    // The text of `character` has no spaces at its end.
    let text: SQL = "\(name)::text"
    // In UTF-8, only ASCII has as many bytes as characters. CR LF is one character of the shell.
    let found = try await row(
      """
      SELECT bool_or(\(name) IS NULL),
        bool_and(CASE WHEN current_setting('server_encoding') = 'UTF8'
          THEN octet_length(\(text)) = char_length(\(text))
          ELSE octet_length(convert_to(\(text), 'UTF8')) = char_length(\(text)) END),
        bool_and(CASE WHEN current_setting('server_encoding') <> 'UTF8'
          THEN octet_length(convert_to(\(text), 'UTF8')) = char_length(\(text))
          WHEN octet_length(\(text)) = char_length(\(text)) THEN true
          ELSE \(text) IS NFC NORMALIZED END),
        bool_or(strpos(\(text), chr(13)) > 0)
      FROM \(rows)
      """)
    guard found.count == 4 else { return ColumnFacts() }
    var facts = ColumnFacts()
    facts.types = [.string]
    facts.hasNulls = found[0] ?? false
    facts.isASCII = (found[1] ?? true) && found[3] != true
    facts.isNormalized = found[2] ?? true
    if !facts.isNormalized { facts.variants = .all }
    return facts
  }

  /// Whether the column has an enum, or a type with the same text everywhere.
  private func hasText() async throws -> Bool {
    let type = column.declaredType.prefix { $0 != "(" }
    if Self.textTypes.contains(String(type)) { return true }
    let found = try await row(
      """
      SELECT typtype = 'e' FROM pg_catalog.pg_type
      WHERE oid = pg_catalog.to_regtype(\(value: .string(column.declaredType)))
      """)
    return found == [true]
  }

  /// The truth values of the first row; nil for null.
  private func row(_ statement: SQL) async throws -> [Bool?] {
    let found = try await snapshot.rows(statement, cancellation: cancellation)
    return (found.rows.first ?? []).map { if case .bool(let bool) = $0 { bool } else { nil } }
  }
}

extension [Bool?] {
  /// The first element; nil for none and for null.
  fileprivate var first: Bool? { isEmpty ? nil : self[0] }
}
