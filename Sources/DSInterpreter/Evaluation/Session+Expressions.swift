import DataSources
import DataTables

extension Session {
  /// What an expression gives.
  mutating func evaluate(_ expression: Expression) async throws -> Operand {
    switch expression.kind {
    case .literal(let value): return .value(value)
    case .name(let name): return try operand(of: name, at: expression.span)
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
    case .command(let pipe): return try await evaluate(pipe).operand
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
        return .value(.bool(try comparison.claim.holds(left, right)))
      } catch {
        throw Diagnostic(error.kind, error.message, at: expression.span)
      }
    }
  }

  mutating func value(of expression: Expression) async throws -> Value {
    if case .literal(let value) = expression.kind { return value }
    let operand = try await evaluate(expression)
    if case .value(let value) = operand { return value }
    return try await value(of: operand, at: expression.span)
  }

  /// Whether an expression is true.
  /// - Throws: ``Diagnostic`` of kind `badArgument` when it is neither true nor false.
  mutating func holds(_ expression: Expression) async throws -> Bool {
    let value = try await value(of: expression)
    if case .bool(let bool) = value { return bool }
    throw Diagnostic(
      .badArgument, "`\(expression.span.text)` is \(value.excerpt), neither true nor false",
      at: expression.span)
  }

  private func operand(of name: String, at span: Span) throws -> Operand {
    do {
      return try operand(named: name, at: span)
    } catch var mistake as Diagnostic where mistake.suggestion == nil && name != "_" {
      mistake.message += "; a text is quoted: \(Value.string(name).json)"
      throw mistake
    }
  }

  /// A value of what a command or a name gave.
  /// - Throws: ``Diagnostic`` for a source, which has properties but is no value.
  mutating func value(of operand: Operand, at span: Span) async throws -> Value {
    switch operand {
    case .none: return .null
    case .value(let value): return value
    case .objects(let listing): return try await objects(of: listing)
    case .source(let source):
      let name = boundName(of: source) ?? "it"
      throw Diagnostic(
        .badArgument,
        "`\(span.text)` is a source, not a value; name a property, such as "
          + "`\(name).numberOfObjects`", at: span)
    }
  }
}

extension Session {
  /// All objects of a listing at once.
  func objects(of listing: ObjectListing) async throws -> Value {
    var objects: [Value] = []
    for try await batch in listing.snapshot.batches(in: listing.sections) {
      try cancellation.check()
      objects += batch.objects
    }
    return .array(objects)
  }
}
