import DataSources
import DataTables

// Warnings about comparisons whose result does not depend on the values of their key.
extension Session {
  /// The warnings about a predicate that `source` applies to `rows` of a table.
  func warnings(
    about predicate: Predicate, in table: any Table, _ rows: RowOrder, of source: any DataSource
  ) throws -> [String] {
    let findings = try table.comparisonFindings(
      of: predicate, in: rows, cancellation: cancellation)
    var warnings: [String] = []
    for finding in findings {
      let warning =
        switch finding.cause {
        case .quotedKey(let meant):
          "`\(finding.comparison)` compares two constants, so it is "
            + "\(finding.comparison.result(for: .null) ?? false) for every object; "
            + "write `\(meant)` to compare the key"
        case .types(let key): try warning(about: finding.comparison, key, in: table, of: source)
        }
      if !warnings.contains(warning) { warnings.append(warning) }
    }
    return warnings
  }

  private func warning(
    about comparison: Predicate.Comparison, _ key: IncomparableKey, in table: any Table,
    of source: any DataSource
  ) throws -> String {
    let result = comparison.result(for: key.example) ?? false
    let types = key.types.map { "\($0)s" }.joined(separator: " and ")
    let such = "such as \(key.example.excerpt)"
    let text =
      key.isPartial
      ? "`\(comparison)` is \(result) where \(key.path) has \(types), \(such)"
      : "`\(comparison)` is \(result) for every object, because \(key.path) has \(types), \(such)"
    return try text + (fix(for: comparison, key, in: table, of: source).map { "; \($0)" } ?? "")
  }

  /// A comparison or a label that works.
  private func fix(
    for comparison: Predicate.Comparison, _ key: IncomparableKey, in table: any Table,
    of source: any DataSource
  ) throws -> String? {
    let isLeft = if case .key = comparison.left { true } else { false }
    let other = isLeft ? comparison.right : comparison.left
    func write(_ operand: Predicate.Operand) -> String? {
      let meant =
        isLeft ? comparison.replacing(right: operand) : comparison.replacing(left: operand)
      return meant.map { "write `\($0)`" }
    }
    guard let constant = other.constant else { return nil }
    if let path = table.keyPath(spelledBy: other) {
      return write(.key(path)).map { $0 + " to compare two keys" }
    }
    if key.types == [.array], comparison.operator.quantifier == nil {
      var any = comparison.operator
      any.quantifier = .any
      return comparison.replacing(operator: any).map { "write `\($0)` to compare the elements" }
    }
    guard key.types.count == 1, let type = key.types.first else { return nil }
    switch type {
    case .string:
      return try fix(forStrings: comparison, key, constant, write, of: source)
    case .number:
      if let numbers = constant.mapped({
        if case .string(let text) = $0 { text.numeral } else { $0 }
      }),
        !comparison.operator.kind.comparesStrings
      {
        return write(.value(numbers))
      }
      return typesLabel(.string, for: key.path, of: source)
    case .bool: return constant.mapped(\.asBool).flatMap { write(.value($0)) }
    case .date where comparison.operator.kind.comparesStrings:
      return typesLabel(.string, for: key.path, of: source)
    default: return nil
    }
  }

  /// A fix for strings that are compared with a constant of another type.
  private func fix(
    forStrings comparison: Predicate.Comparison, _ key: IncomparableKey, _ constant: Value,
    _ write: (Predicate.Operand) -> String?, of source: any DataSource
  ) throws -> String? {
    let isOrdered =
      switch comparison.operator.kind {
      case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: true
      default: false
      }
    let strings = constant.mapped { value in
      switch value {
      case .integer, .real, .bool: .string(value.json)
      case .date(let date): .string(date.text)
      case .string: value
      default: nil
      }
    }
    guard let element = constant.firstElement else { return nil }
    switch element {
    case .integer, .real:
      if let labels = try suggestedLabels(.number, for: key.path, of: source) { return labels }
      guard isOrdered, key.numerals > 0.5 else { break }
      return typesLabel(.real, for: key.path, of: source)
        ?? numberKey(for: comparison, key.path).map { "write `\($0)`" }
    case .date:
      if let labels = try suggestedLabels(.date, for: key.path, of: source) { return labels }
      if isOrdered { return typesLabel(.date, for: key.path, of: source) }
    case .bool: if let label = typesLabel(.bool, for: key.path, of: source) { return label }
    default: break
    }
    // Some values are compared as they should be.
    if key.isPartial { return nil }
    return strings.flatMap { write(.value($0)) }.map { $0 + " to compare strings" }
  }

  /// The comparison with the numbers that the strings of its key spell.
  private func numberKey(
    for comparison: Predicate.Comparison, _ path: ObjectKeyPath
  ) -> Predicate.Comparison? {
    let number = Predicate.Operand.key(ObjectKeyPath(path.steps + [.key("number")]))
    if case .key = comparison.left { return comparison.replacing(left: number) }
    return comparison.replacing(right: number)
  }

  /// Advice to read a column with the labels that its report suggests; nil if the report suggests
  /// none, or labels for values of another type.
  /// - Throws: `TableError.cancelled`.
  func suggestedLabels(
    _ type: ValueType, for path: ObjectKeyPath, of source: any DataSource
  ) throws(TableError) -> String? {
    guard path.steps.count == 1, case .key(let key)? = path.steps.first,
      let read = source.typedSource(of: key),
      let suggestion = try read.suggestion(for: key, cancellation: cancellation),
      suggestion.type.valueType == type
    else { return nil }
    let labels = suggestion.labels.map(\.description).joined(separator: " or ")
    return "read \(displayName(of: read)) with \(labels)"
  }

  /// Advice to read a key as another type; nil if the source was not read from a format whose
  /// columns have types.
  func typesLabel(
    _ type: ColumnType, for path: ObjectKeyPath, of source: any DataSource
  ) -> String? {
    guard path.steps.count == 1, case .key(let key)? = path.steps.first,
      let read = source.typedSource(of: key)
    else { return nil }
    return "read \(displayName(of: read)) with `types: {\(ObjectKeyPath(key: key)): \(type)}`"
  }
}

extension ComparisonOperator.Kind {
  fileprivate var comparesStrings: Bool {
    switch self {
    case .contains, .beginsWith, .endsWith, .like, .matches: true
    default: false
    }
  }
}

extension Value {
  /// The value, or the list with all of its elements, changed by `transform`; nil if it returns
  /// nil for one of them.
  fileprivate func mapped(_ transform: (Value) -> Value?) -> Value? {
    guard case .array(let elements) = self else { return transform(self) }
    let mapped = elements.compactMap(transform)
    return mapped.count == elements.count ? .array(mapped) : nil
  }

  fileprivate var firstElement: Value? {
    if case .array(let elements) = self { elements.first } else { self }
  }

  /// The Boolean that a value of another type usually stands for.
  fileprivate var asBool: Value? {
    switch self {
    case .bool: self
    case .integer(0): false
    case .integer(1): true
    case .string(let text): text.boolWord.map(Value.bool)
    default: nil
    }
  }
}

extension DataSource {
  /// The source below, or this one, that was read from a format whose columns have types, and that
  /// has the key.
  fileprivate func typedSource(of key: String) -> (any ReadSource)? {
    var open: [any DataSource] = [self]
    var seen: Set<ObjectIdentifier> = []
    while let source = open.popLast() {
      guard seen.insert(ObjectIdentifier(source)).inserted else { continue }
      if let read = source as? any ReadSource, let report = read.report,
        report.supportsTypes, read.table.keys.contains(key)
      {
        return read
      }
      open += source.children.reversed()
    }
    return nil
  }
}

extension ReadSource {
  /// The suggestion for a column, from all of its values if the table can report on these, or as
  /// the report of the load has it.
  /// - Throws: `TableError.cancelled`.
  fileprivate func suggestion(
    for key: String, cancellation: Cancellation
  ) throws(TableError) -> SuggestedType? {
    let listed = report?.columns.first { $0.key == key }
    if let listed, listed.isExact { return listed.suggestion }
    return try cancellation.attempt {
      try table.report(on: key, cancellation: cancellation).suggestion
    } ?? nil
  }
}

extension ColumnType {
  /// The type of the values of a column; nil for columns of several types.
  fileprivate var valueType: ValueType? {
    switch self {
    case .integer, .real: .number
    case .bool: .bool
    case .date: .date
    case .string: .string
    default: nil
    }
  }
}
