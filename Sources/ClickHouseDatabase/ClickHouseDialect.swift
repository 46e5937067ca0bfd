import DataSources
import DataTables
import Databases

/// How ClickHouse writes expressions, in forms that servers from 18.16 on accept.
///
/// Strings are bytes to the server: operators and keys that depend on characters are pushed down
/// only for ASCII.
struct ClickHouseDialect: SQLDialect {
  /// Whether the server has dates before 1970 and fractions of seconds.
  let hasWideDates: Bool
  let syntax = StatementSyntax(backslashes: .everywhere)

  init(hasWideDates: Bool) { self.hasWideDates = hasWideDates }

  func name(_ name: String) -> String { Literal.name(name) }

  func literal(_ value: Value) -> String {
    (try? Literal(hasWideDates: hasWideDates).text(of: value)) ?? Literal.quoted(value.json)
  }

  /// The text of a type that is shown as text and that the server orders in another way.
  func column(_ column: DatabaseColumn, _ facts: ColumnFacts) -> SQL {
    let name = SQL(name(column.name))
    return ClickHouseConnection.isShownAsText(column) ? "toString(\(name))" : name
  }

  /// `IN` takes the stored form of a literal, which for these kinds may be that of another type.
  func hasLists(of kind: DatabaseColumn.Kind) -> Bool {
    switch kind {
    case .decimal, .real, .instant, .dateTime: false
    default: true
    }
  }

  func operand(_ value: Value, for column: DatabaseColumn) throws(Shortcoming) -> SQL {
    switch (column.kind, value) {
    case (.decimal, .real), (.decimal, .integer):
      guard let decimal = Literal.decimal(value, of: StoredType(column.declaredType)) else {
        throw Shortcoming("the engine has no decimal \(value.excerpt)")
      }
      return SQL(decimal)
    case (.real, .real), (.real, .integer):
      guard case .real(bytes: 4) = StoredType(column.declaredType).unwrapped else { break }
      return "toFloat32(\(value: value))"
    case (.date, .date(let date)):
      guard !date.hasTime else { throw Shortcoming("a date is compared with a time") }
    case (.instant, .date(let date)) where !date.hasTime:
      // The shell reads a date as its midnight in GMT.
      let midnight = Moment(seconds: date.seconds, nanoseconds: 0, offset: 0, hasTime: true)
      return try operand(.date(Timestamp(midnight, text: midnight.isoText)), for: column)
    default: break
    }
    do throws(DatabaseError) {
      _ = try Literal(hasWideDates: hasWideDates).text(of: value)
    } catch {
      throw Shortcoming(error.message)
    }
    return "\(value: value)"
  }

  /// To old servers, NULL AND 0 is null.
  func known(_ condition: SQL, of column: SQL) -> SQL { "ifNull(\(condition), 0)" }

  func derived(
    _ steps: [ObjectKeyPath.Step], of column: ColumnExpression
  ) throws(Shortcoming) -> ColumnExpression {
    guard steps.count == 1, case .key(let key)? = steps.first else {
      throw Shortcoming("`\(ObjectKeyPath(steps))` has no equal form in ClickHouse")
    }
    if column.kind == .date {
      let functions = ["year": "toYear", "month": "toMonth", "day": "toDayOfMonth"]
      guard let function = functions[key] else {
        throw Shortcoming("`\(key)` of a date has no equal form in ClickHouse")
      }
      return ColumnExpression(
        "\(SQL(function))(\(column.sql))", kind: .integer,
        facts: .ordered([.number], hasNulls: column.facts.hasNulls))
    }
    guard column.facts.types == [.string], column.facts.isASCII else {
      throw Shortcoming("`\(key)` needs characters, which the engine computes for ASCII only")
    }
    let text = column.sql
    let sql: SQL
    switch key {
    case "firstCharacter":
      // One grapheme, which is two bytes at the end of a line.
      sql = """
        if(empty(\(text)), NULL, if(startsWith(\(text), \(value: "\r\n")), \(value: "\r\n"), \
        substring(\(text), 1, 1)))
        """
    case "uppercased": sql = "upper(\(text))"
    case "lowercased": sql = "lower(\(text))"
    case "length": sql = "length(replaceAll(\(text), \(value: "\r\n"), \(value: "\n")))"
    default: throw Shortcoming("`\(key)` has no equal form in ClickHouse")
    }
    let hasNulls = column.facts.hasNulls || key == "firstCharacter"
    return ColumnExpression(
      sql, kind: key == "length" ? .integer : .text,
      facts: .ordered(key == "length" ? [.number] : [.string], hasNulls: hasNulls))
  }

  func orderKey(
    _ column: ColumnExpression, _ descriptor: SortDescriptor
  ) throws(Shortcoming) -> ColumnExpression {
    guard let types = column.facts.types, types.count == 1 else {
      throw Shortcoming("the values of \(descriptor.keyPath) have types that are not known")
    }
    guard types == [.string] else {
      guard column.facts.isOrdered else {
        throw Shortcoming("the engine orders the values of \(descriptor.keyPath) in another way")
      }
      return column
    }
    guard descriptor.comparison == .compare else {
      throw Shortcoming("\(descriptor.comparison.rawValue) has another order in ClickHouse")
    }
    guard column.facts.isNormalized else {
      throw Shortcoming("\(descriptor.keyPath) has text that is not in composed form")
    }
    return column
  }

  func span(
    _ mode: SectionMode, _ settings: SectionSettings, of column: ColumnExpression
  ) throws(Shortcoming) -> ColumnExpression {
    let zone: SQL
    switch column.kind {
    case .date: zone = ""
    case .instant where settings.zone == .gmt: zone = ", \(value: "UTC")"
    default: throw Shortcoming("the spans of \(mode.name) are computed in GMT only")
    }
    let functions = [
      "year": "toYear", "month": "toYYYYMM", "day": "toYYYYMMDD", "week": "toMonday",
    ]
    guard let function = functions[mode.name] else {
      throw Shortcoming("`mode: \(mode.name)` has no equal form in ClickHouse")
    }
    let span: SQL = "\(SQL(function))(\(column.sql)\(zone))"
    return ColumnExpression(
      mode.name == "week" ? "toYYYYMMDD(\(span))" : span, kind: .integer,
      facts: .ordered([.number], hasNulls: column.facts.hasNulls))
  }

  func condition(
    _ operation: ComparisonOperator, _ column: ColumnExpression, _ pattern: Value
  ) throws(Shortcoming) -> SQL {
    // A line end is one character of two bytes.
    guard column.facts.types == [.string], column.facts.isASCII, case .string(let text) = pattern,
      !text.isEmpty, text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x0A && $0 != 0x0D })
    else {
      throw Shortcoming("\(operation) needs characters, which the engine compares for ASCII only")
    }
    let folds = operation.options.contains(.caseInsensitive)
    let subject: SQL = folds ? "lower(\(column.sql))" : column.sql
    let object = Value.string(folds ? text.lowercased() : text)
    switch operation.kind {
    case .equal: return "\(subject) = \(value: object)"
    case .contains: return "position(\(subject), \(value: object)) > 0"
    case .beginsWith: return "startsWith(\(subject), \(value: object)) = 1"
    case .endsWith: return "endsWith(\(subject), \(value: object)) = 1"
    default: throw Shortcoming("\(operation) has another meaning in ClickHouse")
    }
  }

  func condition(
    _ predicate: Predicate, over columns: [(path: ObjectKeyPath, column: ColumnExpression)]
  ) throws(Shortcoming) -> SQL {
    throw Shortcoming("`\(predicate)` has no equal form in ClickHouse")
  }

  /// The server has window functions only in new versions; it numbers the rows of an ordered query.
  func numbering(_ columns: [SQL], from query: SQL, orderedBy order: SQL, as name: String) -> SQL {
    """
    SELECT *, rowNumberInAllBlocks() AS \(SQL(self.name(name))) \
    FROM (SELECT \(columns.joined(separator: ", "))\(query) ORDER BY \(order))
    """
  }

  var firstNumber: Int { 0 }

  func firstRows(
    _ key: SQL, _ other: SQL, from query: SQL, orderedBy order: SQL
  ) -> SQL {
    """
    SELECT dsshell_key, dsshell_other, dsshell_number FROM \
    (SELECT dsshell_key, dsshell_other, rowNumberInAllBlocks() AS dsshell_number FROM \
    (SELECT \(key) AS dsshell_key, \(other) AS dsshell_other\(query) ORDER BY \(order))) \
    ORDER BY dsshell_number LIMIT 1 BY dsshell_key
    """
  }

  func limit(_ count: Int?, offset: Int) -> SQL {
    if count == nil, offset == 0 { return "" }
    // The sum of both must fit.
    let limit: SQL = "LIMIT \(SQL(String(count ?? Int.max - offset)))"
    return offset > 0 ? "\(limit) OFFSET \(SQL(String(offset)))" : limit
  }

  func ordered(_ expression: SQL, descending: Bool, nullsFirst: Bool, hasNulls: Bool) -> SQL {
    let nulls: SQL = !hasNulls ? "" : nullsFirst ? " NULLS FIRST" : " NULLS LAST"
    return "\(expression)\(descending ? " DESC" : " ASC")\(nulls)"
  }
}
