import DataTables

/// One term of ORDER BY.
struct OrderTerm: Sendable {
  let expression: ColumnExpression
  let isDescending: Bool
  let nullsFirst: Bool

  init(_ expression: ColumnExpression, isDescending: Bool = false, nullsFirst: Bool = true) {
    self.expression = expression
    self.isDescending = isDescending
    self.nullsFirst = nullsFirst
  }

  init(_ expression: ColumnExpression, _ descriptor: SortDescriptor) {
    let isDescending = descriptor.direction == .descending
    self.init(
      expression, isDescending: isDescending,
      nullsFirst: (descriptor.nulls ?? (isDescending ? .last : .first)) == .first)
  }

  var sql: SQL { expression.sql }
  var hasNulls: Bool { expression.facts.hasNulls }

  func ordered(_ dialect: any SQLDialect) -> SQL {
    dialect.ordered(
      sql, descending: isDescending, nullsFirst: nullsFirst, hasNulls: hasNulls)
  }

  /// Rows whose term sorts before `value`; nil if none can.
  func before(_ value: Value) -> SQL? {
    if value.isNull { return nullsFirst ? nil : "\(sql) IS NOT NULL" }
    let less: SQL = "\(sql) \(SQL(isDescending ? ">" : "<")) \(expression.operand(own: value))"
    return hasNulls && nullsFirst ? "(\(less) OR \(sql) IS NULL)" : less
  }

  /// Rows whose term sorts before `value`, as ranges of an index without a row in common.
  fileprivate func rangesBefore(_ value: Value) -> [SQL] {
    guard !value.isNull else { return [before(value)].compactMap { $0 } }
    let less: SQL = "\(sql) \(SQL(isDescending ? ">" : "<")) \(expression.operand(own: value))"
    return hasNulls && nullsFirst ? ["\(sql) IS NULL", less] : [less]
  }

  /// Rows whose term sorts after `value`; nil if none can.
  func after(_ value: Value) -> SQL? {
    if value.isNull { return nullsFirst ? "\(sql) IS NOT NULL" : nil }
    let greater: SQL = "\(sql) \(SQL(isDescending ? "<" : ">")) \(expression.operand(own: value))"
    return hasNulls && !nullsFirst ? "(\(greater) OR \(sql) IS NULL)" : greater
  }

  /// Rows whose term does not sort before `value`; nil if all do not.
  func notBefore(_ value: Value) -> SQL? {
    if value.isNull { return nullsFirst ? nil : "\(sql) IS NULL" }
    let bound: SQL = "\(sql) \(SQL(isDescending ? "<=" : ">=")) \(expression.operand(own: value))"
    return hasNulls && !nullsFirst ? "(\(bound) OR \(sql) IS NULL)" : bound
  }

  /// The order of two values of a term that the engine orders as the shell does.
  func compare(_ left: Value, _ right: Value) -> Ordering {
    switch (left.isNull, right.isNull) {
    case (true, true): return .same
    case (true, false): return nullsFirst ? .before : .after
    case (false, true): return nullsFirst ? .after : .before
    case (false, false): return isDescending ? right.compare(left) : left.compare(right)
    }
  }

  /// Rows whose term equals `value`.
  func equal(_ value: Value) -> SQL {
    value.isNull ? "\(sql) IS NULL" : "\(sql) = \(expression.operand(own: value))"
  }

  /// Rows that do not sort after `value`, or not before it, as a bound that an index on the term can
  /// use; nil if the bound would need two ranges.
  fileprivate func bound(_ value: Value, isBefore: Bool) -> SQL? {
    guard hasBound(isBefore: isBefore), !value.isNull else { return nil }
    return "\(sql) \(SQL(isBefore != isDescending ? "<=" : ">=")) \(expression.operand(own: value))"
  }

  /// Whether the rows beside a value that is not null are one range.
  fileprivate func hasBound(isBefore: Bool) -> Bool { !hasNulls || nullsFirst != isBefore }
}

extension [OrderTerm] {
  /// The opposite order.
  var reversed: [OrderTerm] {
    map { OrderTerm($0.expression, isDescending: !$0.isDescending, nullsFirst: !$0.nullsFirst) }
  }

  /// Whether an engine can begin to read an index at the rows after given ones.
  func areBounded(after fixed: Int) -> Bool {
    deciding(after: fixed).first.map { self[$0].hasBound(isBefore: false) } ?? false
  }

  /// The positions of the terms that order rows whose first terms are equal: a term that repeats an
  /// earlier one is left out.
  private func deciding(after fixed: Int) -> [Int] {
    var seen = Set(prefix(fixed).map(\.sql.shown))
    return indices.dropFirst(fixed).filter { seen.insert(self[$0].sql.shown).inserted }
  }

  /// The terms as they follow ORDER BY.
  ///
  /// - Parameter fixed: the number of leading terms that are equal in all rows.
  func clause(_ dialect: any SQLDialect, fixed: Int = 0) -> SQL {
    deciding(after: fixed).map { self[$0].ordered(dialect) }.joined(separator: ", ")
  }

  /// The order of two rows with these values of the terms; nil if the engine's order of the values is
  /// not known here.
  func compare(_ left: [Value], _ right: [Value]) -> Ordering? {
    for (term, (left, right)) in zip(self, zip(left, right)) {
      let order: Ordering
      switch (left, right) {
      case (.null, .null): continue
      case (.null, _): order = term.nullsFirst ? .before : .after
      case (_, .null): order = term.nullsFirst ? .after : .before
      case (.string(let left), .string(let right)):
        guard !left.utf8.elementsEqual(right.utf8) else { continue }
        let isBefore = left.utf8.lexicographicallyPrecedes(right.utf8)
        order = isBefore == term.isDescending ? .after : .before
      case (.data(let left), .data(let right)):
        guard left != right else { continue }
        let isBefore = left.lexicographicallyPrecedes(right)
        order = isBefore == term.isDescending ? .after : .before
      case (.integer(let left), .integer(let right)):
        guard left != right else { continue }
        order = (left < right) == term.isDescending ? .after : .before
      default: return nil
      }
      return order
    }
    return .same
  }

  /// The rows that sort before a row with these values of the terms: `a < 1 OR (a = 1 AND b < 2)`.
  func before(_ values: [Value], fixed: Int = 0) -> SQL {
    beside(values, fixed: fixed, isBefore: true)
  }

  /// The rows that sort before a row with these values of the terms, as conditions that no two rows
  /// satisfy together and that an index of the terms answers without looking at other rows.
  ///
  /// - Parameter fixed: the number of leading terms that are equal in all rows.
  func rangesBefore(_ values: [Value], fixed: Int = 0) -> [SQL] {
    var ranges: [SQL] = []
    var tied: [SQL] = []
    for index in deciding(after: fixed) where values.indices.contains(index) {
      let (term, value) = (self[index], values[index])
      ranges += term.rangesBefore(value).map { (tied + [$0]).joined(separator: " AND ") }
      tied.append(term.equal(value))
    }
    return ranges
  }

  /// Whether one of the indexes orders the first term that decides among rows that are equal in
  /// some expressions.
  func areOrdered(by indexes: [[SQL]], fixed: Int, equal: [SQL]) -> Bool {
    guard let first = deciding(after: fixed).first else { return false }
    let equal = Set((prefix(fixed).map(\.sql) + equal).map(\.shown))
    return indexes.contains { index in
      index.count > equal.count && Set(index.prefix(equal.count).map(\.shown)) == equal
        && index[equal.count].shown == self[first].sql.shown
    }
  }

  /// The rows that sort after a row with these values of the terms.
  func after(_ values: [Value], fixed: Int = 0) -> SQL {
    beside(values, fixed: fixed, isBefore: false)
  }

  /// The rows that do not sort before a row with these values of the terms.
  func notBefore(_ values: [Value]) -> SQL {
    guard let term = first, let value = values.first else { return "1 = 1" }
    let equal = zip(self, values).map { $0.equal($1) }.joined(separator: " AND ")
    let rows: SQL = "(\(after(values)) OR (\(equal)))"
    return term.bound(value, isBefore: false).map { "(\($0) AND \(rows))" } ?? rows
  }

  private func beside(_ values: [Value], fixed: Int, isBefore: Bool) -> SQL {
    let terms = deciding(after: fixed).filter(values.indices.contains).map {
      (self[$0], values[$0])
    }
    var result: SQL?
    for (number, (term, value)) in terms.enumerated().reversed() {
      let strictly = isBefore ? term.before(value) : term.after(value)
      if number == 0, terms.count > 1, let bound = term.bound(value, isBefore: isBefore) {
        // Within the bound, a row that is not strictly beside is tied.
        let rest = [strictly, result].compactMap { $0 }.joined(separator: " OR ")
        return strictly == nil && result == nil ? "1 = 0" : "(\(bound) AND (\(rest)))"
      }
      let tied = result.map { rest -> SQL in "(\(term.equal(value)) AND \(rest))" }
      switch (strictly, tied) {
      case (let strictly?, let tied?): result = "(\(strictly) OR \(tied))"
      case (let strictly?, nil): result = strictly
      case (nil, let tied?): result = tied
      case (nil, nil): break
      }
    }
    return result ?? "1 = 0"
  }
}
