import DataSources
import DataTables

// Expressions of `print`, `expect`, `require` and parentheses.
extension Session {
  mutating func evaluate(_ expression: Expression) async throws -> Operand {
    switch expression.kind {
    case .literal(let value): return .value(value)
    case .name(let name): return try operand(named: name, use: .value, at: expression.span)
    case .list(let elements), .set(let elements):
      var values: [Value] = []
      values.reserveCapacity(elements.count)
      for element in elements { values.append(try await value(of: element)) }
      return .value(.array(values))
    case .record(let pairs):
      var values: [(String, Value)] = []
      for (key, element) in pairs {
        values.append((key.text, try await value(of: element)))
      }
      return .value(.record(Record(values)))
    case .command(let pipe): return try await evaluateInParentheses(pipe)
    case .path(let base, let steps):
      return try await follow(steps, from: base)
    case .not(let operand):
      return .value(.bool(!(try await holds(operand))))
    case .and(let operands):
      for operand in operands where !(try await holds(operand)) {
        return .value(false)
      }
      return .value(true)
    case .or(let operands):
      for operand in operands where try await holds(operand) {
        return .value(true)
      }
      return .value(false)
    case .comparison(let comparison):
      let left = try await value(of: comparison.left)
      let right = try await value(of: comparison.right)
      do {
        return .value(.bool(try comparison.operator.holds(left, right)))
      } catch {
        throw Diagnostic(error.kind, error.message, at: expression.span)
      }
    case .variable(let name): return try variable(name, at: expression.span)
    case .call(let call): return .value(try await value(of: call, at: expression.span))
    case .conditional(let condition, let first, let second):
      return try await evaluate(try await holds(condition) ? first : second)
    case .subquery(let subquery): return .value(try await value(of: subquery))
    case .interpolated(let interpolation):
      return .value(.string(try await text(of: interpolation)))
    }
  }

  mutating func value(of expression: Expression) async throws -> Value {
    if case .literal(let value) = expression.kind { return value }
    let operand = try await evaluate(expression)
    if case .value(let value) = operand { return value }
    return try await value(of: operand, at: expression.span)
  }

  /// Whether an expression is true.
  /// - Throws: ``Diagnostic`` of kind `badArgument` for a value that is not a Boolean.
  mutating func holds(_ expression: Expression) async throws -> Bool {
    let value = try await value(of: expression)
    if case .bool(let bool) = value { return bool }
    throw Diagnostic(
      .badArgument, "`\(expression.span.text)` is \(value.excerpt), neither true nor false",
      at: expression.span)
  }

  /// The value of an operand; reads all objects of a listing.
  /// - Throws: ``Diagnostic`` for a source, which has properties but is not a value.
  mutating func value(of operand: Operand, at span: Span) async throws -> Value {
    switch operand {
    case .none: return .null
    case .value(let value): return value
    case .objects(let listing): return try await objects(of: listing)
    case .database(let database):
      throw Diagnostic(
        .badArgument,
        "`\(span.text)` is a database, not a value; name a table, such as "
          + "`\(name(of: database)).people` (tables \(name(of: database)))", at: span)
    case .source(let source):
      let name = boundName(of: source) ?? "it"
      throw Diagnostic(
        .badArgument,
        "`\(span.text)` is a source, not a value; name a property, such as "
          + "`\(name).numberOfObjects`", at: span)
    }
  }

  /// All objects of a listing, as an array.
  func objects(of listing: ObjectListing) async throws -> Value {
    contentReads?.add(listing, in: self)
    var objects: [Value] = []
    if listing.isOfWholeSections {
      for try await batch in listing.snapshot.batches(in: listing.sections) {
        try cancellation.check()
        objects += batch.objects
      }
      return .array(objects)
    }
    let excerpt = listing.excerpt(limit: nil)
    for index in 0..<excerpt.numberOfParts {
      let part = excerpt.part(index)
      for start in stride(from: part.rows.lowerBound, to: part.rows.upperBound, by: 1_024) {
        try cancellation.check()
        let rows = start..<min(start + 1_024, part.rows.upperBound)
        objects += try await listing.snapshot.store.objects(in: part.section, rows: rows)
      }
    }
    return .array(objects)
  }
}

// Paths: `letters.numberOfSections`, `letters[5, 1].name`.
extension Session {
  /// Follows a path into a value; the first step from a source leads to a property or to objects.
  mutating func follow(_ steps: [PathStep], from base: Expression) async throws -> Operand {
    var operand = try await evaluate(base)
    var rest = steps[...]
    if case .database(let database) = operand {
      let path = rest.prefix(2).compactMap { if case .key(let key) = $0.kind { key } else { nil } }
      let (source, words) = try await table(path, of: database, at: base.span)
      operand = .source(source)
      rest = rest.dropFirst(words)
    }
    var owner: (any DataSource)?
    if case .source(let source) = operand, let step = rest.first {
      lastSource = source
      owner = source
      do {
        try await showTransaction(in: source)
        if let value = try await aggregate(steps, of: source) { return .value(value) }
        operand = try await follow(step, of: source)
      } catch {
        throw diagnostic(of: error, of: source, at: base.span)
      }
      rest = rest.dropFirst()
      try check(rest.first, isKeyOf: source, after: step)
    }
    guard !rest.isEmpty else { return operand }
    let value = try await value(of: operand, at: base.span)
    let path = ObjectKeyPath(rest.flatMap(\.keySteps))
    for use in path.operatorFindings(on: value) { try warn(about: use, of: owner) }
    let found = path.evaluate(on: value)
    if case .command = base.kind { try check(rest, areKeysOfRecordsIn: value, found) }
    return .value(found)
  }

  /// Rejects a key that no record of the result of a command has, such as a misspelled one.
  /// - Parameter found: the value of the path.
  private func check(
    _ steps: ArraySlice<PathStep>, areKeysOfRecordsIn result: Value, _ found: Value
  ) throws {
    guard case .array(let values) = result, found.hasOnlyNulls,
      let step = steps.first(where: { if case .key = $0.kind { true } else { false } }),
      case .key(let key) = step.kind
    else { return }
    let records = values.compactMap { if case .record(let record) = $0 { record } else { nil } }
    guard !records.isEmpty, records.allSatisfy({ $0[key] == nil }) else { return }
    let known = records.reduce(into: [String]()) { known, record in
      known += record.keys.filter { !known.contains($0) }
    }
    throw Diagnostic(
      .unknownKey, "no object of the result has the key `\(key)`",
      suggestion: Suggestion.nearest(to: key, among: known), at: step.span)
  }

  /// The value of a collection operator directly after `allObjects`, which a local content computes
  /// from a column; nil for other paths.
  /// - Throws: ``Diagnostic`` of kind `unknownKey` if no object has the key after the operator.
  private mutating func aggregate(
    _ steps: [PathStep], of source: any DataSource
  ) async throws -> Value? {
    guard steps.count > 1, case .key("allObjects") = steps[0].kind,
      let snapshot = source.state.snapshot
    else { return nil }
    let path = ObjectKeyPath(steps.dropFirst().flatMap(\.keySteps))
    guard case .collection(let kind)? = path.steps.first else { return nil }
    let rest = ObjectKeyPath(Array(path.steps.dropFirst()))
    do {
      let aggregates = try await snapshot.aggregates(
        of: path, asOne: true, requestContext)
      try warn(
        about: OperatorUse(kind: kind, rest: rest, findings: aggregates.findings), of: source)
      return aggregates.values.first
    } catch {
      guard case .data(.unknownKey(let key, let known)) = SourceError(error) else { throw error }
      let step = steps.first { if case .key(key) = $0.kind { true } else { false } }
      throw Diagnostic(
        .unknownKey, "\(displayName(of: source)) has no key \(UnknownKey(key))",
        suggestion: Suggestion.nearest(to: key, among: known), at: (step ?? steps[1]).span)
    }
  }

  private func follow(_ step: PathStep, of source: any DataSource) async throws -> Operand {
    switch step.kind {
    case .key(let name):
      guard let property = SourceProperty.all.first(where: { $0.name == name }) else {
        throw Diagnostic(
          .unknownKey, "\(displayName(of: source)) has no property `\(name)`",
          suggestion: Suggestion.nearest(to: name, among: SourceProperty.all.map(\.name)),
          at: step.span)
      }
      return .value(try await property.read(source, self))
    case .range(let lower, let upper):
      let snapshot = try content(of: source, at: step.span)
      let sections = ObjectKeyPath.range(lower, upper, of: snapshot.store.numberOfSections)
      return .objects(
        ObjectListing(snapshot: snapshot, sections: sections, showsIndexPaths: false))
    case .index(let numbers):
      let snapshot = try content(of: source, at: step.span)
      let section = fromEnd(numbers[0], of: snapshot.store.numberOfSections)
      try check(section: section, of: source, snapshot, at: step.span)
      guard numbers.count > 1 else {
        return .objects(
          ObjectListing(snapshot: snapshot, sections: section..<section + 1, showsIndexPaths: false)
        )
      }
      let row = fromEnd(numbers[1], of: snapshot.store.numberOfObjects(in: section))
      let path = IndexPath(section: section, row: row)
      return .value(
        try await object(
          at: LocatedIndexPath(path: path, sectionSpan: step.span, rowSpan: step.span), of: source))
    }
  }

  /// The index that a negative one, counted from the end, stands for; one before the start is
  /// returned unchanged.
  private func fromEnd(_ index: Int, of count: Int) -> Int {
    index < 0 && index >= -count ? count + index : index
  }

  /// Rejects a key that no object has. A key that only some objects have is null in the others.
  private func check(
    _ step: PathStep?, isKeyOf source: any DataSource, after first: PathStep
  ) throws {
    guard let step, case .key(let key) = step.kind, first.returnsObjects,
      let snapshot = source.state.snapshot, CollectionOperator(rawValue: key) == nil
    else { return }
    try check(Word(text: key, span: step.span), isKeyOf: source, snapshot)
  }
}

extension Value {
  fileprivate var hasOnlyNulls: Bool {
    if case .array(let values) = self { values.allSatisfy(\.isNull) } else { isNull }
  }
}

extension PathStep {
  /// Whether the step leads from a source to its objects, not to another property.
  fileprivate var returnsObjects: Bool {
    switch kind {
    case .index, .range: true
    case .key(let name):
      SourceProperty.all.contains { $0.name == name && $0.returnsObjects }
    }
  }

  var keySteps: [ObjectKeyPath.Step] {
    switch kind {
    case .key(let key):
      let isQuoted = span.text.hasPrefix("\"") || span.text.hasPrefix("'")
      return [isQuoted ? .key(key) : ObjectKeyPath.Step(word: key)]
    case .index(let numbers): return numbers.map { .index($0) }
    case .range(let lower, let upper): return [.range(lower, upper)]
    }
  }
}
