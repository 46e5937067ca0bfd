package import DataTables

/// Translates predicates to conditions of SQL that hold for the same rows.
struct PredicateTranslation {
  let table: DatabaseTable
  private var dialect: any SQLDialect { table.dialect }

  init(_ table: DatabaseTable) { self.table = table }

  /// The conjuncts that the engine computes, and the rest with the reasons.
  func parts(of predicate: Predicate) -> (conditions: [SQL], rest: Predicate?, reasons: [String]) {
    var conditions: [SQL] = []
    var rest: [Predicate] = []
    var reasons: [String] = []
    for conjunct in predicate.conjuncts {
      do throws(Shortcoming) {
        conditions.append(try condition(conjunct, isNegated: false))
      } catch {
        rest.append(conjunct)
        reasons.append(error.description)
      }
    }
    let all = rest.count > 1 ? Predicate.and(rest) : rest.first
    return (conditions, all, reasons)
  }

  /// - Parameter isNegated: whether NOT applies to the condition, so that it must not be null.
  func condition(_ predicate: Predicate, isNegated: Bool) throws(Shortcoming) -> SQL {
    if predicate.keyPaths.isEmpty, !predicate.readsObject, !predicate.hasBooleanOperand,
      let holds = try? predicate.holds(on: .null)
    {
      return holds ? "1 = 1" : "1 = 0"
    }
    do throws(Shortcoming) {
      return try own(predicate, isNegated: isNegated)
    } catch {
      return try evaluated(predicate, error)
    }
  }

  /// The predicate evaluated by this program for each row, if the engine can call it.
  private func evaluated(
    _ predicate: Predicate, _ reason: Shortcoming
  ) throws(Shortcoming) -> SQL {
    // A condition that is neither true nor false is an error, which a function cannot report.
    guard !predicate.readsObject, !predicate.hasBooleanOperand else { throw reason }
    var columns: [(path: ObjectKeyPath, column: ColumnExpression)] = []
    for path in predicate.keyPaths {
      guard let key = path.steps.first else { throw reason }
      let head = ObjectKeyPath([key])
      if !columns.contains(where: { $0.path == head }) {
        columns.append((head, try table.expression(of: head)))
      }
    }
    do throws(Shortcoming) {
      return try dialect.condition(predicate, over: columns)
    } catch {
      throw reason
    }
  }

  private func own(_ predicate: Predicate, isNegated: Bool) throws(Shortcoming) -> SQL {
    switch predicate {
    case .and(let all): return try joined(all, " AND ", isNegated)
    case .or(let all): return try joined(all, " OR ", isNegated)
    case .not(let inner): return "NOT \(try condition(inner, isNegated: true))"
    case .boolean(let operand):
      if case .bool(let holds)? = operand.constant { return holds ? "1 = 1" : "1 = 0" }
      guard case .key(let path) = operand else {
        throw Shortcoming("`\(operand)` is not a column")
      }
      let column = try table.expression(of: path)
      guard column.kind == .bool, column.facts.types?.isSubset(of: [.bool]) ?? false else {
        throw Shortcoming("`\(path)` is not declared as a truth value")
      }
      return known("\(column.sql) = \(value: true)", column, isNegated)
    case .comparison(let comparison): return try condition(comparison, isNegated)
    }
  }

  private func joined(
    _ predicates: [Predicate], _ word: String, _ isNegated: Bool
  ) throws(Shortcoming) -> SQL {
    var parts: [SQL] = []
    for predicate in predicates { parts.append(try condition(predicate, isNegated: isNegated)) }
    guard !parts.isEmpty else { return word == " AND " ? "1 = 1" : "1 = 0" }
    return "(\(parts.joined(separator: word)))"
  }

  /// A condition that is false where the column is null, as long as that matters.
  private func known(_ sql: SQL, _ column: ColumnExpression, _ isNegated: Bool) -> SQL {
    isNegated && column.facts.hasNulls ? dialect.known(sql, of: column.sql) : sql
  }

  private func condition(
    _ comparison: Predicate.Comparison, _ isNegated: Bool
  ) throws(Shortcoming) -> SQL {
    let operation = comparison.operator
    guard operation.quantifier == nil else {
      throw Shortcoming("`\(comparison)` compares the elements of arrays")
    }
    if case .key(let path) = comparison.left, let value = comparison.right.constant {
      return try condition(operation, try table.expression(of: path), value, isNegated)
    }
    if operation.kind == .in, case .key(let path) = comparison.right,
      let value = comparison.left.constant
    {
      let column = try table.expression(of: path)
      guard case .string = value, column.facts.types?.isSubset(of: [.string]) ?? false else {
        throw Shortcoming("`\(path)` is not declared as a text")
      }
      let contains = ComparisonOperator(.contains, options: operation.options)
      return try condition(contains, column, value, isNegated)
    }
    if case .key(let path) = comparison.right, let value = comparison.left.constant,
      let flipped = operation.flipped
    {
      return try condition(flipped, try table.expression(of: path), value, isNegated)
    }
    throw Shortcoming("`\(comparison)` does not compare a column with a constant")
  }

  private func condition(
    _ operation: ComparisonOperator, _ column: ColumnExpression, _ value: Value,
    _ isNegated: Bool
  ) throws(Shortcoming) -> SQL {
    let operation = try folding(operation)
    switch operation.kind {
    case .equal where value.isNull: return "\(column.sql) IS NULL"
    case .notEqual where value.isNull: return "\(column.sql) IS NOT NULL"
    case _ where value.isNull: return "1 = 0"
    case .equal:
      return known(try equal(column, value, operation), column, isNegated)
    case .notEqual:
      let equal = try equal(column, value, operation)
      // A missing value differs from every value.
      return column.facts.hasNulls
        ? "(NOT \(equal) OR \(column.sql) IS NULL)" : "NOT \(equal)"
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let condition = try ordered(column, operation, value)
      return known(condition, column, isNegated)
    case .between:
      guard case .array(let bounds) = value, bounds.count == 2 else {
        throw Shortcoming("BETWEEN expects two values")
      }
      guard !bounds.contains(where: \.isNull) else {
        throw Shortcoming("BETWEEN compares with null")
      }
      let low = try ordered(
        column, ComparisonOperator(.greaterOrEqual, options: operation.options), bounds[0])
      let high = try ordered(
        column, ComparisonOperator(.lessOrEqual, options: operation.options), bounds[1])
      return known("(\(low) AND \(high))", column, isNegated)
    case .in:
      guard case .array(let values) = value else {
        throw Shortcoming("`IN \(value.excerpt)` searches a text for the values of a column")
      }
      var parts: [SQL] = []
      for value in values where !value.isNull {
        parts.append(
          try equal(column, value, ComparisonOperator(.equal, options: operation.options)))
      }
      guard !parts.isEmpty else { return "1 = 0" }
      return known("(\(parts.joined(separator: " OR ")))", column, isNegated)
    case .contains, .beginsWith, .endsWith, .like, .matches:
      guard case .string = value else { return "1 = 0" }
      return known(try dialect.condition(operation, column, value), column, isNegated)
    }
  }

  /// The operator with the options that change its result. An order by language is refused.
  private func folding(
    _ operation: ComparisonOperator
  ) throws(Shortcoming) -> ComparisonOperator {
    if operation.options.contains(.localized), operation.kind.isOrdering {
      throw Shortcoming("`\(operation)` orders texts by language")
    }
    return ComparisonOperator(operation.kind, options: operation.options.folding)
  }

  /// Equality of values that are not null.
  private func equal(
    _ column: ColumnExpression, _ value: Value, _ operation: ComparisonOperator
  ) throws(Shortcoming) -> SQL {
    guard let types = column.facts.types else {
      throw Shortcoming("the types of the values of \(column.sql.shown) are not known")
    }
    guard types.contains(value.type) else {
      if value.type == .date, types.contains(.string) {
        throw Shortcoming("a string is compared with a date")
      }
      guard case .string(let text) = value, types.contains(.date) else { return "1 = 0" }
      // A string in ISO form that is compared with a date is read as a date.
      guard case .date = Value(literal: text) else { return "1 = 0" }
      return try equal(column, Value(literal: text), operation)
    }
    if case .string = value, !operation.options.isEmpty {
      return try dialect.condition(
        ComparisonOperator(.equal, options: operation.options), column, value)
    }
    try checkComparable(column, value)
    return "\(column.sql) = \(try column.operand(value.composed))"
  }

  private func ordered(
    _ column: ColumnExpression, _ operation: ComparisonOperator, _ value: Value
  ) throws(Shortcoming) -> SQL {
    guard column.facts.types == [value.type] else {
      if let types = column.facts.types, !types.contains(value.type),
        !(types.contains(.date) && value.type == .string),
        !(types.contains(.string) && value.type == .date)
      {
        return "1 = 0"
      }
      throw Shortcoming("\(column.sql.shown) has values of several types")
    }
    if case .string = value, !operation.options.isEmpty {
      return try dialect.condition(operation, column, value)
    }
    try checkComparable(column, value)
    return "\(column.sql) \(SQL(operation.kind.rawValue)) \(try column.operand(value.composed))"
  }

  private func checkComparable(
    _ column: ColumnExpression, _ value: Value
  ) throws(Shortcoming) {
    switch value {
    case .string where !column.facts.isNormalized:
      throw Shortcoming("\(column.sql.shown) has text that is not in composed form")
    case .bool, .integer, .real, .date:
      guard column.facts.isOrdered else {
        throw Shortcoming("the engine does not order the values of \(column.sql.shown) by value")
      }
    case .string, .data: break
    case .array, .record, .null:
      throw Shortcoming("\(column.sql.shown) is compared with \(value.excerpt)")
    }
    if case .date(let date) = value, let form = column.facts.dateForm,
      ColumnFacts.form(of: date.text) != form
    {
      throw Shortcoming("\(column.sql.shown) has dates in another form than \(date.text)")
    }
    if case .real(let real) = value, !real.isFinite {
      throw Shortcoming("a comparison with \(real.text)")
    }
  }
}

extension Value {
  /// The value with its text in canonical composition, in which texts that are compared are.
  package var composed: Value {
    if case .string(let text) = self { .string(text.composed) } else { self }
  }
}

extension SQL {
  /// The text for a message.
  var shown: String { text { value, _ in value.json } }
}

extension Predicate {
  /// Whether a part is a value that must be true or false.
  fileprivate var hasBooleanOperand: Bool {
    switch self {
    case .comparison: false
    case .boolean(let operand): operand.constant?.type != .bool
    case .not(let inner): inner.hasBooleanOperand
    case .and(let parts), .or(let parts): parts.contains(where: \.hasBooleanOperand)
    }
  }

  /// The parts of an AND; all of them must hold.
  fileprivate var conjuncts: [Predicate] {
    if case .and(let parts) = self { parts.flatMap(\.conjuncts) } else { [self] }
  }
}

extension ComparisonOperator {
  /// The operator with its sides exchanged; nil if it has none.
  fileprivate var flipped: ComparisonOperator? {
    let kind: Kind? =
      switch kind {
      case .equal, .notEqual: kind
      case .less: .greater
      case .lessOrEqual: .greaterOrEqual
      case .greater: .less
      case .greaterOrEqual: .lessOrEqual
      default: nil
      }
    return kind.map { ComparisonOperator($0, options: options) }
  }
}
