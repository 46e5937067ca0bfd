import DataTables
import Databases

/// How SQLite writes expressions. Whatever it has no equal form for, it computes by calling
/// functions of this program.
struct SQLiteDialect: SQLDialect {
  let functions: SQLiteFunctions
  let syntax = StatementSyntax(hasBracketNames: true)

  func name(_ name: String) -> String { Self.name(name) }

  static func name(_ name: String) -> String { name.enclosed(in: "\"") }

  /// The numbers of functions depend on the order of their first use in a session.
  func portable(_ statement: String) -> String {
    let name = SQLiteFunctions.name + "("
    guard statement.contains(name) else { return statement }
    let keys = functions.keys
    return statement.split(separator: name, omittingEmptySubsequences: false).enumerated().map {
      index, part in
      let digits = part.prefix { $0.isNumber }
      guard index > 0, let number = Int(digits), keys.indices.contains(number) else {
        return String(part)
      }
      return keys[number] + part.dropFirst(digits.count)
    }.joined(separator: name)
  }

  func literal(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .bool(let bool): bool ? "1" : "0"
    case .integer, .real: value.json
    case .string(let text): quoted(text)
    case .date(let date): quoted(date.text)
    case .data(let bytes): "X'" + bytes.map(\.hexadecimal).joined() + "'"
    case .array, .record: quoted(value.json)
    }
  }

  private func quoted(_ text: String) -> String { text.enclosed(in: "'") }

  func column(_ column: DatabaseColumn, _ facts: ColumnFacts) -> SQL {
    let name = SQL(self.name(column.name))
    // A unary plus removes the affinity, by which a text would be compared as the number it spells.
    if let types = facts.types, types.contains(.string), types.contains(.number) {
      return "+\(name)"
    }
    return column.collation.isEmpty ? name : "\(name) COLLATE BINARY"
  }

  func operand(_ value: Value, for column: DatabaseColumn) throws(Shortcoming) -> SQL {
    try Self.operand(value)
  }

  private static func operand(_ value: Value) throws(Shortcoming) -> SQL {
    if case .real(let real) = value, !real.isSQLiteNumber {
      throw Shortcoming("SQLite has no number with all digits of \(value.excerpt)")
    }
    return "\(value: value)"
  }

  func derived(
    _ steps: [ObjectKeyPath.Step], of column: ColumnExpression
  ) throws(Shortcoming) -> ColumnExpression {
    let path = ObjectKeyPath(steps)
    guard let last = steps.last, case .key(let key) = last,
      steps.allSatisfy({ if case .collection = $0 { false } else { true } })
    else { throw Shortcoming("`\(path)` reduces an array") }
    guard column.kind != .text || column.facts.types != nil else {
      throw Shortcoming("the engine orders the values of `\(path)` in another way")
    }
    let sql = functions.call("key \(column.kind) \(path)", "the key `\(path)`", [column]) {
      values in
      path.evaluate(on: values[0]).composed
    }
    let isText = [
      "firstCharacter", "uppercased", "lowercased", "capitalized", "folded", "initials", "trimmed",
    ]
    .contains(key)
    var result = ColumnExpression(
      sql, kind: .any, facts: .ordered(isText ? [.string] : [.number], hasNulls: true))
    if column.facts.variants != .none { result.facts.variants = .all }
    result.operand = Self.operand
    return result
  }

  func orderKey(
    _ column: ColumnExpression, _ descriptor: SortDescriptor
  ) throws(Shortcoming) -> ColumnExpression {
    guard let types = column.facts.types else {
      throw Shortcoming("the types of the values of the sort key are not known")
    }
    guard column.facts.isOrdered || types.isSubset(of: [.string, .data]) else {
      throw Shortcoming("the values of \(descriptor.keyPath) have several types")
    }
    guard types.contains(.string) else { return column }
    guard descriptor.comparison == .compare || !types.contains(.data) else {
      throw Shortcoming("the values of \(descriptor.keyPath) are texts and data")
    }
    switch descriptor.comparison {
    case .compare where column.facts.isNormalized: return column
    case .compare:
      let sql = functions.call("composed \(column.kind)", "the canonical composition", [column]) {
        $0[0].composed
      }
      return ColumnExpression(sql, kind: .any, facts: column.facts)
    default:
      let key: TextOrderKey
      do {
        key = try TextOrderKey(descriptor.comparison, locale: descriptor.locale)
      } catch {
        throw Shortcoming("\(error)")
      }
      let sql = functions.call(
        "order \(column.kind) \(descriptor.comparison) \(descriptor.locale ?? "")",
        "the order of `\(descriptor.comparison)`"
          + (descriptor.locale.map { " in the locale \($0)" } ?? ""), [column]
      ) { values in
        if case .string(let text) = values[0] { .data(key.bytes(of: text)) } else { values[0] }
      }
      return ColumnExpression(
        sql, kind: .any, facts: .ordered([.data], hasNulls: column.facts.hasNulls))
    }
  }

  func span(
    _ mode: SectionMode, _ settings: SectionSettings, of column: ColumnExpression
  ) throws(Shortcoming) -> ColumnExpression {
    let sql = functions.call(
      "span \(column.kind) \(mode.name) \(settings.zone)",
      "the \(mode.name) in \(settings.zone)", [column]
    ) {
      mode.span(of: $0[0], settings).map(Value.integer) ?? .null
    }
    return ColumnExpression(sql, kind: .integer, facts: .ordered([.number], hasNulls: true))
  }

  func condition(
    _ operation: ComparisonOperator, _ column: ColumnExpression, _ pattern: Value
  ) throws(Shortcoming) -> SQL {
    let comparison: Predicate.Comparison
    do {
      comparison = try Predicate.Comparison(
        .key(ObjectKeyPath(key: "value")), operation, .value(pattern))
    } catch {
      throw Shortcoming(error.message)
    }
    return functions.call(
      "test \(column.kind) \(comparison)", "the predicate `\(comparison)`", [column]
    ) {
      $0[0].isNull ? .null : .bool(comparison.result(for: $0[0]) ?? false)
    }
  }

  func condition(
    _ predicate: Predicate, over columns: [(path: ObjectKeyPath, column: ColumnExpression)]
  ) throws(Shortcoming) -> SQL {
    let shape = Record.Shape(
      columns.map { if case .key(let key)? = $0.path.steps.first { key } else { "" } })
    let kinds = columns.map { "\($0.column.kind)" }.joined(separator: " ")
    return functions.call(
      "where \(kinds) \(predicate)", "the predicate `\(predicate)`", columns.map(\.column)
    ) { values in
      .bool((try? predicate.holds(on: .record(Record(shape: shape, values: values)))) ?? false)
    }
  }

  func numbering(_ columns: [SQL], from query: SQL, orderedBy order: SQL, as name: String) -> SQL {
    """
    SELECT \(columns.joined(separator: ", ")), row_number() OVER (ORDER BY \(order)) \
    AS \(SQL(self.name(name)))\(query)
    """
  }

  /// Other orders are those of data that functions make.
  var ordersTextsByBytes: Bool { true }

  var planPrefix: String? { "EXPLAIN QUERY PLAN " }

  /// An index may have the order up to its last terms, by which few rows are sorted.
  func sortsAll(plan lines: [String]) -> Bool { lines.contains("USE TEMP B-TREE FOR ORDER BY") }

  func notes(about statements: [String]) -> [String] { functions.notes(about: statements) }

  func limit(_ count: Int?, offset: Int) -> SQL {
    let limit: SQL = "LIMIT \(SQL(count.map(String.init) ?? "-1"))"
    return offset > 0 ? "\(limit) OFFSET \(SQL(String(offset)))" : limit
  }

  /// SQLite puts nulls first in ascending order, as the shell does.
  func ordered(_ expression: SQL, descending: Bool, nullsFirst: Bool, hasNulls: Bool) -> SQL {
    let direction: SQL = descending ? " DESC" : ""
    let nulls: SQL =
      !hasNulls || nullsFirst != descending ? "" : nullsFirst ? " NULLS FIRST" : " NULLS LAST"
    return "\(expression)\(direction)\(nulls)"
  }
}

extension String {
  /// The text between quotes, each quote in it doubled. A quote with a combining mark is one
  /// character, but a quote to SQLite.
  fileprivate func enclosed(in quote: Unicode.Scalar) -> String {
    var enclosed = String.UnicodeScalarView([quote])
    for scalar in unicodeScalars {
      if scalar == quote { enclosed.append(quote) }
      enclosed.append(scalar)
    }
    enclosed.append(quote)
    return String(enclosed)
  }
}
