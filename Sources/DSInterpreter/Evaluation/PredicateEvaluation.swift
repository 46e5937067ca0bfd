import DataTables

// Expressions of `where:`, in which names are keys of the object.
extension Session {
  /// Converts an expression to a predicate; the commands in it run now, once for all objects.
  ///
  /// - Throws: ``Diagnostic`` at the part of the predicate that is wrong.
  mutating func predicate(_ expression: Expression) async throws -> Predicate {
    switch expression.kind {
    case .not(let operand): return .not(try await predicate(operand))
    case .and(let operands): return .and(try await predicates(operands))
    case .or(let operands): return .or(try await predicates(operands))
    case .comparison(let comparison):
      let left = try await predicateOperand(comparison.left)
      let right = try await predicateOperand(comparison.right)
      do {
        return .comparison(try Predicate.Comparison(left, comparison.operator, right))
      } catch {
        throw Diagnostic(error.kind, error.message, at: comparison.right.span)
      }
    default:
      let operand = try await predicateOperand(expression)
      if let value = operand.constant, value.type != .bool {
        throw Diagnostic(
          .badArgument, "`\(expression.span.text)` is \(value.excerpt), neither true nor false",
          at: expression.span)
      }
      return .boolean(operand)
    }
  }

  private mutating func predicates(_ expressions: [Expression]) async throws -> [Predicate] {
    var predicates: [Predicate] = []
    for expression in expressions { predicates.append(try await predicate(expression)) }
    return predicates
  }

  mutating func predicateOperand(
    _ expression: Expression
  ) async throws -> Predicate.Operand {
    switch expression.kind {
    case .literal(let value): return .value(value)
    case .name(let name) where name.lowercased() == "self": return .object
    case .name(let name):
      let path = ObjectKeyPath([ObjectKeyPath.Step(word: name)])
      return Predicate.Operand.object.following(path)
    case .list(let elements), .set(let elements):
      var operands: [Predicate.Operand] = []
      for element in elements { operands.append(try await predicateOperand(element)) }
      return Predicate.Operand.array(operands).simplified
    case .record(let pairs):
      var operands: [(key: String, value: Predicate.Operand)] = []
      for (key, value) in pairs { operands.append((key.text, try await predicateOperand(value))) }
      return Predicate.Operand.record(operands).simplified
    case .command(let pipe):
      let operand = try await evaluateInParentheses(pipe)
      return .value(try await value(of: operand, at: expression.span))
    case .path(let base, let steps):
      let path = ObjectKeyPath(steps.flatMap(\.keySteps))
      return try await predicateOperand(base).following(path)
    case .not, .and, .or, .comparison: return .predicate(try await predicate(expression))
    case .variable(let name):
      return try await predicateOperand(ofVariable: name, at: expression.span)
    case .call(let call): return try await predicateOperand(call, at: expression.span)
    case .conditional(let condition, let first, let second):
      return .conditional(
        try await predicate(condition), try await predicateOperand(first),
        try await predicateOperand(second))
    case .subquery(let subquery): return try await predicateOperand(subquery)
    // Its expressions are evaluated now, in the session.
    case .interpolated(let interpolation):
      return .value(.string(try await text(of: interpolation)))
    }
  }
}

extension Predicate.Operand {
  fileprivate var simplified: Predicate.Operand { constant.map { .value($0) } ?? self }

  fileprivate func following(_ path: ObjectKeyPath) -> Predicate.Operand {
    switch self {
    case .key(let start): .key(ObjectKeyPath(start.steps + path.steps))
    case .object:
      // Only a path that begins with a key is a column of the table.
      if case .key = path.steps.first { .key(path) } else { .path(self, path) }
    case .value(let value): .value(path.evaluate(on: value))
    default: .path(self, path)
    }
  }
}
