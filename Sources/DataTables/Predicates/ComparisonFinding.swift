/// A comparison of a predicate whose result does not depend on the values that it should compare.
package struct ComparisonFinding: Sendable {
  package enum Cause: Sendable {
    /// Both sides are constants, and a string among them is spelled like a key path.
    /// - Parameter meant: the comparison with the key path in place of the string.
    case quotedKey(meant: Predicate.Comparison)
    /// The operator does not compare the values of a key with the other side.
    case types(IncomparableKey)
  }
  package let comparison: Predicate.Comparison
  package let cause: Cause
}

/// A key with values that an operator does not compare with its other side.
package struct IncomparableKey: Sendable {
  package let path: ObjectKeyPath
  /// The types of these values, in the order in which they sort.
  package let types: [ValueType]
  /// One of these values; an element of it if the comparison has a quantifier.
  package let example: Value
  /// Whether the operator compares other values of the key.
  package let isPartial: Bool
  /// The share of strings that spell a number among these values, from 0 to 1, in a sample.
  package let numerals: Double
}

extension Predicate {
  /// The comparisons that `and`, `or` and `not` combine.
  fileprivate var comparisons: [Comparison] {
    switch self {
    case .comparison(let comparison): [comparison]
    case .boolean: []
    case .not(let predicate): predicate.comparisons
    case .and(let predicates), .or(let predicates): predicates.flatMap(\.comparisons)
    }
  }
}

extension Predicate.Comparison {
  /// The comparison with an operand in place of one of its sides; nil if the operator does not
  /// accept it.
  package func replacing(
    left: Predicate.Operand? = nil, operator: ComparisonOperator? = nil,
    right: Predicate.Operand? = nil
  ) -> Predicate.Comparison? {
    try? Predicate.Comparison(
      left ?? self.left, `operator` ?? self.operator, right ?? self.right)
  }

  /// The result of the comparison for an object with `value` under its only key.
  package func result(for value: Value) -> Bool? {
    try? Predicate.comparison(self).holds { _ in value }
  }
}

extension Table {
  /// The comparisons of a predicate that probably do not mean what they say, for the rows in
  /// `order`.
  ///
  /// - Complexity: O(distinct values) for each comparison; O(rows) for one with a finding.
  /// - Throws: the errors of ``column(_:cancellation:)``.
  package func comparisonFindings(
    of predicate: Predicate, in order: RowOrder, cancellation: Cancellation
  ) throws -> [ComparisonFinding] {
    try predicate.comparisons.compactMap { comparison in
      try cancellation.check()
      switch (comparison.left, comparison.right) {
      case (.key(let path), let right):
        guard let constant = right.constant else { return nil }
        return try finding(
          about: comparison, path, in: order, cancellation: cancellation
        ) { comparison.operator.accepts($0, constant) }
      case (let left, .key(let path)):
        guard let constant = left.constant else { return nil }
        return try finding(
          about: comparison, path, in: order, cancellation: cancellation
        ) { comparison.operator.accepts(constant, $0) }
      case (let left, let right):
        guard left.constant != nil, right.constant != nil else { return nil }
        return quotedKey(in: comparison)
      }
    }
  }

  private func quotedKey(in comparison: Predicate.Comparison) -> ComparisonFinding? {
    let meant =
      keyPath(spelledBy: comparison.left).flatMap { comparison.replacing(left: .key($0)) }
      ?? keyPath(spelledBy: comparison.right).flatMap { comparison.replacing(right: .key($0)) }
    return meant.map { ComparisonFinding(comparison: comparison, cause: .quotedKey(meant: $0)) }
  }

  /// The key path that a constant string spells: the name of a key, or a path that begins with one.
  package func keyPath(spelledBy operand: Predicate.Operand) -> ObjectKeyPath? {
    guard case .value(.string(let text)) = operand else { return nil }
    if keys.contains(text) { return ObjectKeyPath(key: text) }
    guard let path = try? ObjectKeyPath(parsing: text), case .key(let key)? = path.steps.first,
      keys.contains(key)
    else { return nil }
    return path
  }

  private func finding(
    about comparison: Predicate.Comparison, _ path: ObjectKeyPath, in order: RowOrder,
    cancellation: Cancellation, _ accepts: @escaping (Value) -> Bool
  ) throws -> ComparisonFinding? {
    let column = try column(path, cancellation: cancellation)
    let scan = ComparisonScan(flattens: comparison.operator.quantifier != nil, accepts: accepts)
    guard let found = scan.rejected(in: column, order),
      // Equality of mixed values is often intended, their order is not.
      !found.isPartial || comparison.operator.kind.isOrdering
    else { return nil }
    return ComparisonFinding(
      comparison: comparison,
      cause: .types(
        IncomparableKey(
          path: path, types: found.types, example: found.example, isPartial: found.isPartial,
          numerals: found.numerals)))
  }
}

extension ComparisonOperator.Kind {
  /// Whether the operator depends on the order of values.
  package var isOrdering: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: true
    default: false
    }
  }
}

/// Looks for values in a column that a comparison does not accept.
private struct ComparisonScan {
  /// Whether the elements of arrays are compared, not the arrays.
  let flattens: Bool
  let accepts: (Value) -> Bool

  struct Rejected {
    var types: [ValueType]
    var example: Value
    var isPartial: Bool
    var numerals: Double
  }

  /// The classes of distinct values; other classes are 2 plus the type of a rejected value.
  private static let ignored: UInt8 = 0
  private static let accepted: UInt8 = 1
  /// The number of rejected strings that are examined for numbers.
  private static let maxExamined = 1_000

  /// nil if every value is accepted.
  func rejected(in column: KeyColumn, _ order: RowOrder) -> Rejected? {
    switch column {
    case .keyed(let column):
      let row = (0..<order.count).first { column.keys[order[$0]] != NumericColumn.null }
      guard let row else { return nil }
      let value = column.value(of: column.keys[order[row]])
      if accepts(value) { return nil }
      return Rejected(types: [value.type], example: value, isPartial: false, numerals: 0)
    case .coded(let codes, let values):
      let classes = classes(of: values)
      guard classes.contains(where: { $0 > Self.accepted }) else { return nil }
      return rejected(codes, values, classes, order)
    }
  }

  private func classes(of values: DistinctValues) -> [UInt8] {
    // An empty string is not a date: if it is accepted, all strings are.
    let acceptsStrings = accepts("")
    if values.areStrings, acceptsStrings {
      return values.nulls().map { $0 ? Self.ignored : Self.accepted }
    }
    var isAccepted = [Bool](repeating: false, count: ValueType.allCases.count)
    isAccepted[ValueType.string.rawValue] = acceptsStrings
    return values.map { value in
      guard let value = compared(value) else { return Self.ignored }
      let type = value.type.rawValue
      if isAccepted[type] { return Self.accepted }
      guard accepts(value) else { return UInt8(2 + type) }
      if value.type != .string { isAccepted[type] = true }
      return Self.accepted
    }
  }

  /// The value that is compared: an element of an array that is accepted, else its first; nil if
  /// the result for null is the same.
  private func compared(_ value: Value) -> Value? {
    // `Value` has a nil literal of its own.
    if value.isNull { return Value?.none }
    guard flattens, case .array(let elements) = value else { return value }
    let present = elements.filter { !$0.isNull }
    return present.first(where: accepts) ?? present.first
  }

  /// The rejected values that some row has.
  private func rejected(
    _ codes: RowCodes, _ values: DistinctValues, _ classes: [UInt8], _ order: RowOrder
  ) -> Rejected? {
    var isPresent = [Bool](repeating: false, count: 2 + ValueType.allCases.count)
    var example: Value?
    var (examined, numerals) = (0, 0)
    order.forEachRow(at: 0..<order.count) { _, row in
      let code = codes[Int(row)]
      let found = classes[code]
      isPresent[Int(found)] = true
      guard found > Self.accepted, examined < Self.maxExamined else { return }
      examined += 1
      guard let value = compared(values[code]) else { return }
      if example == nil { example = value }
      if case .string(let text) = value, text.numeral != nil { numerals += 1 }
    }
    let types = ValueType.allCases.filter { isPresent[2 + $0.rawValue] }
    guard let example else { return nil }
    return Rejected(
      types: types, example: example, isPartial: isPresent[Int(Self.accepted)],
      numerals: Double(numerals) / Double(examined))
  }
}
