extension ComparisonOperator {
  /// Whether the claim is true of two values.
  ///
  /// Values of unlike types are unequal. An ISO string meets a date as a date.
  /// - Throws: ``TableError/badArgument(_:)`` when values of unlike types are put in order, when
  ///   there is no text or list where the operator takes one, or no regular expression.
  public func holds(_ left: Value, _ right: Value) throws(TableError) -> Bool {
    do throws(ComparisonError) {
      return try isTrue(of: left) { left throws(ComparisonError) in
        try compare(left, right, pattern: nil)
      }
    } catch {
      throw error.tableError
    }
  }

  /// Whether the claim is true of two values in a predicate, where what cannot be compared is
  /// false, and so is every comparison with null but == and !=.
  func holdsLeniently(_ left: Value, _ right: Value, pattern: TextPattern? = nil) -> Bool {
    isTrue(of: left) { left in
      if left.isNull || right.isNull, kind != .equal, kind != .notEqual { return false }
      return (try? compare(left, right, pattern: pattern)) ?? false
    }
  }

  private func isTrue<Failure: Error>(
    of left: Value, _ compare: (Value) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    guard let quantifier else { return try compare(left) }
    let elements: [Value]
    switch left {
    case .array(let values): elements = values
    case .null: elements = []
    default: elements = [left]
    }
    for element in elements {
      switch (quantifier, try compare(element)) {
      case (.any, true), (.some, true): return true
      case (.all, false), (.none, true): return false
      default: continue
      }
    }
    return quantifier == .all || quantifier == .none
  }

  private func compare(
    _ left: Value, _ right: Value, pattern: TextPattern?
  ) throws(ComparisonError) -> Bool {
    switch kind {
    case .equal: return areEqual(left, right)
    case .notEqual: return !areEqual(left, right)
    case .less: return try order(left, right) == .before
    case .lessOrEqual: return try order(left, right) != .after
    case .greater: return try order(left, right) == .after
    case .greaterOrEqual: return try order(left, right) != .before
    case .in: return try elements(right).contains { areEqual(left, $0) }
    case .between:
      let bounds = try elements(right)
      guard bounds.count == 2 else { throw .noBounds }
      let low = try order(bounds[0], left)
      return try order(left, bounds[1]) != .after && low != .after
    case .contains where left.type == .array:
      return try elements(left).contains { areEqual($0, right) }
    case .contains, .beginsWith, .endsWith, .like, .matches:
      guard case .string(let text) = left else { throw .noText(left, kind) }
      if let pattern { return pattern.matches(text) }
      guard case .string(let part) = right else { throw .noText(right, kind) }
      return try TextPattern(part, kind, options).matches(text)
    }
  }

  private func areEqual(_ left: Value, _ right: Value) -> Bool {
    let (left, right) = Self.asDates(left, right)
    guard !options.isEmpty, case .string(let first) = left, case .string(let second) = right else {
      return left == right
    }
    return options.fold(first) == options.fold(second)
  }

  /// How two values stand to each other.
  private func order(_ left: Value, _ right: Value) throws(ComparisonError) -> Ordering {
    var (left, right) = Self.asDates(left, right)
    guard left.type == right.type else { throw .noOrder(left, right) }
    if !options.isEmpty, case .string(let first) = left, case .string(let second) = right {
      (left, right) = (.string(options.fold(first)), .string(options.fold(second)))
    }
    return left.compare(right)
  }

  func elements(_ value: Value) throws(ComparisonError) -> [Value] {
    if case .array(let values) = value { return values }
    // `{}` is written like a record.
    if case .record(let record) = value, record.count == 0 { return [] }
    throw .noList(value, kind)
  }

  private static func asDates(_ left: Value, _ right: Value) -> (Value, Value) {
    switch (left, right) {
    case (.date, .string(let text)): (left, Timestamp(iso: text).map(Value.date) ?? right)
    case (.string(let text), .date): (Timestamp(iso: text).map(Value.date) ?? left, right)
    default: (left, right)
    }
  }
}

extension Timestamp {
  /// The date that a text is; nil when it is none.
  init?(iso text: String) {
    var text = text
    guard let date = text.withUTF8({ Scalar.date(UnsafeRawBufferPointer($0)) }) else { return nil }
    self = date
  }
}
