import DataTables
import Databases

extension PostgreSQLConnection {
  func facts(
    of columns: [DatabaseColumn], in table: TableSchema, on snapshot: any DatabaseSnapshot,
    cancellation: Cancellation
  ) async throws -> [ColumnFacts] {
    try await knownFacts.facts(of: columns, in: table, at: snapshot.token) { columns in
      let rows = SQL(table.name.quotedName)
      var scans: [FactsExpressions] = []
      for column in columns {
        scans.append(
          try await FactsQuestion(column: column, rows: rows).scan(on: snapshot, cancellation))
      }
      return try await FactsExpressions.facts(
        of: scans, from: rows, on: snapshot, cancellation: cancellation)
    }
  }
}

/// Asks what is true of the values of a column.
private struct FactsQuestion {
  let column: DatabaseColumn
  /// The table as it follows FROM.
  let rows: SQL

  private var name: SQL { SQL(column.name.quotedName) }

  func scan(
    on snapshot: any DatabaseSnapshot, _ cancellation: Cancellation
  ) async throws -> FactsExpressions {
    switch column.kind {
    case .bool: return declared(.bool)
    case .integer: return declared(.number)
    case .real: return declared(.number, .zeros)
    case .decimal: return column.declaredType.contains("(") ? declared(.number) : scales
    case .data: return declared(.data)
    case .date, .dateTime, .instant: return dates
    case .text: return texts
    case .other where column.declaredType == "uuid": return declared(.string)
    case .other:
      return try await hasText(on: snapshot, cancellation) ? texts : FactsExpressions(ColumnFacts())
    case .json, .any: return FactsExpressions(ColumnFacts())
    }
  }

  /// Types without a collation whose text in a comparison is the text that is read.
  private static let textTypes: Set = [
    "\"char\"", "xid", "money", "macaddr", "interval", "bit", "bit varying",
    "time without time zone", "time with time zone", "int4range", "numrange", "tsrange",
    "tstzrange", "daterange", "int8range",
  ]

  /// Whether the column has an enum, or a type with the same text everywhere.
  private func hasText(
    on snapshot: any DatabaseSnapshot, _ cancellation: Cancellation
  ) async throws -> Bool {
    let type = column.declaredType.prefix { $0 != "(" }
    if Self.textTypes.contains(String(type)) { return true }
    let found = try await snapshot.rows(
      """
      SELECT typtype = 'e' FROM pg_catalog.pg_type \
      WHERE oid = pg_catalog.to_regtype(\(value: .string(column.declaredType)))
      """, cancellation: cancellation)
    return found.rows.first?.first == true
  }

  /// Finds a null by an index if the column has one.
  private var hasNulls: SQL {
    column.isNullable ? "EXISTS (SELECT FROM \(rows) WHERE \(name) IS NULL)" : "false"
  }

  private func declared(
    _ type: ValueType, _ variants: ColumnFacts.Variants = .none
  ) -> FactsExpressions {
    var facts = ColumnFacts.ordered([type], hasNulls: false)
    facts.variants = variants
    guard column.isNullable else { return FactsExpressions(facts) }
    return FactsExpressions([hasNulls], areAggregates: false) { [facts] values in
      var facts = facts
      facts.hasNulls = values[0] == true
      return facts
    }
  }

  /// 1.0 and 1.00 are equal numbers of a type without a scale.
  private var scales: FactsExpressions {
    let differ: SQL = "(SELECT min(scale(\(name))) < max(scale(\(name))) FROM \(rows))"
    return FactsExpressions([hasNulls, differ], areAggregates: false) { values in
      var facts = ColumnFacts.ordered([.number], hasNulls: values[0] == true)
      facts.variants = values[1] == true ? .all : .none
      return facts
    }
  }

  /// Infinite dates and those outside of the years 1 to 9999 are read as strings.
  private var dates: FactsExpressions {
    let areShown: SQL = """
      (SELECT min(\(name)) >= '0001-01-01' AND max(\(name)) < '10000-01-01' FROM \(rows))
      """
    return FactsExpressions([hasNulls, areShown], areAggregates: false) { values in
      var facts = ColumnFacts.ordered([.date], hasNulls: values[0] == true)
      if values[1] == false {
        facts.types = [.date, .string]
        facts.isOrdered = false
      }
      return facts
    }
  }

  private var texts: FactsExpressions {
    FactsExpressions(["count(*) > count(\(name))", "max(\(form))"], areAggregates: true) { values in
      // Null without rows.
      let form = if case .integer(let form) = values[1] { form } else { 0 }
      var facts = ColumnFacts()
      facts.types = [.string]
      facts.hasNulls = values[0] == true
      facts.isASCII = form == 0
      facts.isNormalized = form < 3
      if !facts.isNormalized { facts.variants = .all }
      return facts
    }
  }

  /// 0 for a text of ASCII, 1 if it has CR (CR LF is one character of the shell), 2 for another text
  /// in canonical composition, 3 for one that is not, or may not be.
  private var form: SQL {
    // The text of `character` has no spaces at its end.
    let text: SQL = "\(name)::text"
    // A query of its own is evaluated once, not for each row.
    let isUTF8: SQL = "(SELECT current_setting('server_encoding') = 'UTF8')"
    // In UTF-8, only ASCII has as many bytes as characters.
    return """
      CASE WHEN \(name) IS NULL THEN 0 \
      WHEN CASE WHEN \(isUTF8) THEN octet_length(\(text)) \
      ELSE octet_length(convert_to(\(text), 'UTF8')) END = char_length(\(text)) \
      THEN CASE WHEN strpos(\(text), chr(13)) > 0 THEN 1 ELSE 0 END \
      WHEN NOT \(isUTF8) THEN 3 WHEN \(text) IS NFC NORMALIZED THEN 2 ELSE 3 END
      """
  }
}
