import DataTables
import Databases

/// How PostgreSQL writes expressions. Its functions on strings count scalars and know the case of
/// some languages, so they have the meaning of the shell only for columns of plain ASCII.
struct PostgreSQLDialect: SQLDialect {
  let syntax = StatementSyntax(
    backslashes: .inEscapeStrings, hasDollarQuotes: true, nestsComments: true)

  func name(_ name: String) -> String { name.quotedName }

  func literal(_ value: Value) -> String {
    guard let text = value.serverText else { return "NULL" }
    return switch value {
    case .null: "NULL"
    case .bool, .integer: text
    case .real(let real): real.isFinite ? text : "\(text.quotedLiteral)::float8"
    case .string, .array, .record: text.quotedLiteral
    case .date(let date):
      (!date.hasTime ? "date " : date.offset == nil ? "timestamp " : "timestamptz ")
        + text.quotedLiteral
    case .data: "\(text.quotedLiteral)::bytea"
    }
  }

  func column(_ column: DatabaseColumn, _ facts: ColumnFacts) -> SQL {
    let name = SQL(column.name.quotedName)
    return switch column.kind {
    case .text: column.collation.isEmpty ? name : "\(name) COLLATE \"C\""
    // The same text as is read.
    case .other: "\(name)::text COLLATE \"C\""
    // The shell compares the decimal number, 0.1, and not the nearest number of 32 bits.
    case .real where column.declaredType == "real": "\(name)::text::float8"
    default: name
    }
  }

  func derived(
    _ steps: [ObjectKeyPath.Step], of column: ColumnExpression
  ) throws(Shortcoming) -> ColumnExpression {
    guard steps.count == 1, case .key(let key)? = steps.first, let types = column.facts.types else {
      throw Shortcoming("`\(ObjectKeyPath(steps))` is derived in several steps")
    }
    var result = column
    result.facts = .ordered(types, hasNulls: true)
    result.facts.variants = column.facts.variants
    switch key {
    case "year", "month", "day", "weekday", "week", "hour":
      let fields = ["weekday": "isodow"]
      let field = SQL(fields[key] ?? key)
      result.sql = "extract(\(field) FROM \(try civil(column)))::integer"
      result.kind = .integer
      result.facts.types = [.number]
    case "floor" where column.kind == .integer: break
    case "floor" where column.kind == .real: result.sql = "floor(\(column.sql))"
    default:
      try checkPlain(column, "`\(key)`")
      result.kind = .text
      switch key {
      case "firstCharacter": result.sql = "nullif(left(\(column.sql), 1), '')"
      case "uppercased": result.sql = "upper(\(column.sql))"
      case "lowercased", "folded": result.sql = "lower(\(column.sql))"
      case "length":
        result.sql = "char_length(\(column.sql))"
        result.kind = .integer
        result.facts.types = [.number]
      default: throw Shortcoming("PostgreSQL has no equal form of `\(key)`")
      }
    }
    return result
  }

  /// The date and time in GMT.
  private func civil(_ column: ColumnExpression) throws(Shortcoming) -> SQL {
    guard column.facts.types == [.date] else {
      throw Shortcoming("\(column.sql.text { _, _ in "?" }) has values that are not dates")
    }
    return column.kind == .instant
      ? "(\(column.sql) AT TIME ZONE 'GMT')" : "\(column.sql)::timestamp"
  }

  private func checkPlain(
    _ column: ColumnExpression, _ operation: String
  ) throws(Shortcoming) {
    guard column.facts.types == [.string], column.facts.isASCII else {
      throw Shortcoming("\(operation) has another meaning in PostgreSQL for text beyond ASCII")
    }
  }

  func orderKey(
    _ column: ColumnExpression, _ descriptor: SortDescriptor
  ) throws(Shortcoming) -> ColumnExpression {
    guard let types = column.facts.types else {
      throw Shortcoming("the types of the values of the sort key are not known")
    }
    guard types.contains(.string) else {
      guard column.facts.isOrdered else {
        throw Shortcoming("the values of \(descriptor.keyPath) have several types")
      }
      return column
    }
    guard types == [.string] else {
      throw Shortcoming("the values of \(descriptor.keyPath) have several types")
    }
    var key = column
    switch descriptor.comparison {
    case .compare where column.facts.isNormalized: break
    case .compare:
      throw Shortcoming("\(descriptor.keyPath) has text that is not in composed form")
    case .caseInsensitive where column.facts.isASCII: key.sql = "lower(\(column.sql))"
    default:
      throw Shortcoming(
        "PostgreSQL has no equal form of `\(descriptor.comparison)` for \(descriptor.keyPath)")
    }
    return key
  }

  func span(
    _ mode: SectionMode, _ settings: SectionSettings, of column: ColumnExpression
  ) throws(Shortcoming) -> ColumnExpression {
    let unit: SQL
    switch mode.name {
    case SectionMode.day.name: unit = "day"
    case SectionMode.week.name: unit = "week"
    case SectionMode.month.name, SectionMode.organizedMonths.name: unit = "month"
    case SectionMode.year.name: unit = "year"
    default: throw Shortcoming("the mode \(mode.name) is not one by dates")
    }
    guard column.kind != .instant || settings.zone == .gmt else {
      throw Shortcoming("the rules of the time zone may differ")
    }
    return ColumnExpression(
      "(date_trunc('\(unit)', \(try civil(column)))::date - date '1970-01-01')", kind: .integer,
      facts: .ordered([.number], hasNulls: true))
  }

  func condition(
    _ operation: ComparisonOperator, _ column: ColumnExpression, _ pattern: Value
  ) throws(Shortcoming) -> SQL {
    guard case .string(var text) = pattern else {
      throw Shortcoming("`\(operation.kind.rawValue)` expects a string")
    }
    try checkPlain(column, "`\(operation.kind.rawValue)`")
    guard text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) else {
      throw Shortcoming("the string \(pattern.excerpt) has characters beyond ASCII")
    }
    var subject = column.sql
    if operation.options.contains(.caseInsensitive) {
      subject = "lower(\(subject))"
      text = text.lowercased()
    }
    let value = Value.string(text)
    switch operation.kind {
    case .contains: return "strpos(\(subject), \(value: value)) > 0"
    case .beginsWith: return "starts_with(\(subject), \(value: value))"
    case .endsWith:
      return "right(\(subject), \(value: .integer(text.utf8.count))) = \(value: value)"
    case .like: return "\(subject) LIKE \(value: .string(Self.likePattern(text)))"
    case .equal: return "\(subject) = \(value: value)"
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return "\(subject) \(SQL(operation.kind.rawValue)) \(value: value)"
    case .matches, .between, .in, .notEqual:
      throw Shortcoming("`\(operation.kind.rawValue)` has another meaning in PostgreSQL")
    }
  }

  /// The pattern in SQL's wildcards.
  private static func likePattern(_ pattern: String) -> String {
    var result = ""
    var isEscaped = false
    for character in pattern {
      switch character {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "*" where !isEscaped: result += "%"
      case "?" where !isEscaped: result += "_"
      case "%", "_", "\\": result += "\\\(character)"
      default: result.append(character)
      }
      isEscaped = false
    }
    return isEscaped ? result + "\\\\" : result
  }

  func condition(
    _ predicate: Predicate, over columns: [(path: ObjectKeyPath, column: ColumnExpression)]
  ) throws(Shortcoming) -> SQL {
    throw Shortcoming("PostgreSQL cannot evaluate `\(predicate)`")
  }

  func numbering(_ columns: [SQL], from query: SQL, orderedBy order: SQL, as name: String) -> SQL {
    """
    SELECT \(columns.joined(separator: ", ")), row_number() OVER (ORDER BY \(order)) \
    AS \(SQL(name.quotedName))\(query)
    """
  }

  /// Some types have an order and no `min`.
  func least(_ identity: SQL, of table: TableSchema) -> SQL {
    let text = identity.text { _, _ in "" }
    let column = table.columns.first { $0.name.quotedName == text }
    return switch column?.kind {
    case .bool: "bool_and(\(identity))"
    case .other where column?.declaredType == "uuid": "min(\(identity)::text)::uuid"
    case .other, .data, .json: "(array_agg(\(identity) ORDER BY \(identity)))[1]"
    default: "min(\(identity))"
    }
  }

  func rowHash(of schema: TableSchema, from table: SQL) -> (expression: SQL, source: SQL)? {
    ("hashtextextended(dsshell_row::text, 0)", "\(table) AS dsshell_row")
  }

  var planPrefix: String? { "EXPLAIN " }

  /// An incremental sort goes on from an order that an index has.
  func sortsAll(plan lines: [String]) -> Bool {
    lines.contains { line in
      let node = line.drop { $0 == " " || $0 == "-" || $0 == ">" }
      return node.hasPrefix("Sort  (")
    }
  }

  func limit(_ count: Int?, offset: Int) -> SQL {
    let limit = count.map { "LIMIT \($0)" }
    let skip = offset > 0 ? "OFFSET \(offset)" : nil
    return SQL([limit, skip].compactMap(\.self).joined(separator: " "))
  }

  func ordered(_ expression: SQL, descending: Bool, nullsFirst: Bool, hasNulls: Bool) -> SQL {
    let direction: SQL = descending ? " DESC" : ""
    let nulls: SQL = !hasNulls ? "" : nullsFirst ? " NULLS FIRST" : " NULLS LAST"
    return "\(expression)\(direction)\(nulls)"
  }
}
