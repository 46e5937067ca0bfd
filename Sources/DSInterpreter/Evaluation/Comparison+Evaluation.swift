import DataTables

extension Comparison {
  /// Whether the claim is true of two values.
  ///
  /// - Throws: ``Diagnostic`` of kind `badArgument` when values of unlike types are put in order;
  ///   in a predicate that is false.
  func holds(_ left: Value, _ right: Value, isPredicate: Bool, at span: Span) throws -> Bool {
    let claim = { (left: Value) throws -> Bool in
      if isPredicate, left.isNull || right.isNull, `operator` != .equal, `operator` != .notEqual {
        return false
      }
      return try compare(left, right, isPredicate: isPredicate, at: span)
    }
    guard let quantifier else { return try claim(left) }
    let elements: [Value]
    switch left {
    case .array(let values): elements = values
    case .null: elements = []
    default: elements = [left]
    }
    switch quantifier {
    case .any, .some: return try elements.contains(where: claim)
    case .all: return try elements.allSatisfy(claim)
    case .none: return try !elements.contains(where: claim)
    }
  }

  private func compare(
    _ left: Value, _ right: Value, isPredicate: Bool, at span: Span
  ) throws -> Bool {
    switch `operator` {
    case .equal: return areEqual(left, right)
    case .notEqual: return !areEqual(left, right)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return try isOrdered(left, right, isPredicate: isPredicate, at: span)
    case .in: return try elements(right, isPredicate, span).contains { areEqual(left, $0) }
    case .between:
      let bounds = try elements(right, isPredicate, span)
      guard bounds.count == 2 else {
        throw Diagnostic(.badArgument, "BETWEEN takes two values: `BETWEEN {1, 10}`", at: span)
      }
      let low = try order(bounds[0], left, isPredicate, span)
      let high = try order(left, bounds[1], isPredicate, span)
      return [.before, .same].contains(low) && [.before, .same].contains(high)
    case .contains where left.type == .array:
      return try elements(left, isPredicate, span).contains { areEqual($0, right) }
    case .contains, .beginsWith, .endsWith, .like, .matches:
      return try matchText(left, right, isPredicate: isPredicate, at: span)
    }
  }

  private func areEqual(_ left: Value, _ right: Value) -> Bool {
    let (left, right) = Self.asDates(left, right)
    guard !options.isEmpty, case .string(let first) = left, case .string(let second) = right else {
      return left == right
    }
    return options.fold(first) == options.fold(second)
  }

  private func isOrdered(
    _ left: Value, _ right: Value, isPredicate: Bool, at span: Span
  ) throws -> Bool {
    guard let order = try order(left, right, isPredicate, span) else { return false }
    switch `operator` {
    case .less: return order == .before
    case .lessOrEqual: return order != .after
    case .greater: return order == .after
    default: return order != .before
    }
  }

  /// How two values stand to each other; nil when they do not, which is only told in a predicate.
  private func order(
    _ left: Value, _ right: Value, _ isPredicate: Bool, _ span: Span
  ) throws -> Ordering? {
    var (left, right) = Self.asDates(left, right)
    guard left.type == right.type else {
      if isPredicate { return nil }
      throw Diagnostic(
        .badArgument,
        "\(left.excerpt) and \(right.excerpt) have no order: one is \(left.type.phrase), the other "
          + right.type.phrase, at: span)
    }
    if !options.isEmpty, case .string(let first) = left, case .string(let second) = right {
      (left, right) = (.string(options.fold(first)), .string(options.fold(second)))
    }
    return left.compare(right)
  }

  private func elements(_ value: Value, _ isPredicate: Bool, _ span: Span) throws -> [Value] {
    if case .array(let values) = value { return values }
    if case .record(let record) = value, record.count == 0 { return [] }
    if isPredicate { return [] }
    throw Diagnostic(
      .badArgument, "\(`operator`.rawValue) takes a list: `{1, 2}`, not \(value.excerpt)",
      at: span)
  }

  /// An ISO string meets a date as a date.
  private static func asDates(_ left: Value, _ right: Value) -> (Value, Value) {
    switch (left, right) {
    case (.date, .string(let text)): (left, date(text) ?? right)
    case (.string(let text), .date): (date(text) ?? left, right)
    default: (left, right)
    }
  }

  private static func date(_ text: String) -> Value? {
    if case .date(let date) = Value(literal: text) { .date(date) } else { nil }
  }
}

extension ValueType {
  /// With its article, for messages.
  var phrase: String {
    switch self {
    case .null: "null"
    case .bool: "a bool"
    case .number: "a number"
    case .string: "a string"
    case .date: "a date"
    case .data: "data"
    case .array: "an array"
    case .record: "a record"
    }
  }
}
