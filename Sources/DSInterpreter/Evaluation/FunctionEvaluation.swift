import DataSources
import DataTables

// Functions, arithmetic and subqueries. A value that cannot be computed is an error here, and null in
// a predicate.
extension Session {
  /// The value of a function or of an arithmetic operator.
  ///
  /// - Throws: ``Diagnostic`` of kind `badArgument` at the call.
  mutating func value(of call: Call, at span: Span) async throws -> Value {
    guard case .value(let function) = call.function else { return now }
    var values: [Value] = []
    for argument in call.arguments { values.append(try await value(of: argument)) }
    do {
      return try function.apply(values)
    } catch {
      throw Diagnostic(.badArgument, error.message, at: span)
    }
  }

  /// The time of the session's clock, in GMT.
  var now: Value { .date(Timestamp(secondsFromGMT: clock.date, nanoseconds: 0)) }

  /// The elements of a list for which a condition holds.
  mutating func value(of subquery: Subquery) async throws -> Value {
    let list = try await value(of: subquery.list)
    var found: [Value] = []
    for element in list.listed {
      try cancellation.check()
      subqueryElements.append(SubqueryElement(name: subquery.variable, value: element))
      defer { subqueryElements.removeLast() }
      if try await holds(subquery.predicate) { found.append(element) }
    }
    return .array(found)
  }

  /// The element of a subquery, or what a name is bound to.
  func variable(_ name: String, at span: Span) throws -> Operand {
    guard let element = subqueryElements.last(where: { $0.name == name }) else {
      return try operand(named: name, at: span)
    }
    guard let value = element.value else {
      throw Diagnostic(
        .badArgument, "`$\(name)` differs for each element; a command runs once for all objects",
        at: span)
    }
    return .value(value)
  }
}

// The same in predicates.
extension Session {
  mutating func predicateOperand(_ call: Call, at span: Span) async throws -> Predicate.Operand {
    guard case .value(let function) = call.function else { return .value(now) }
    var operands: [Predicate.Operand] = []
    for argument in call.arguments { operands.append(try await predicateOperand(argument)) }
    // A computation of constants fails for each object, or for none.
    let constants = operands.compactMap(\.constant)
    if constants.count == operands.count {
      do { _ = try function.apply(constants) } catch {
        throw Diagnostic(.badArgument, error.message, at: span)
      }
    }
    return .call(function, operands)
  }

  mutating func predicateOperand(_ subquery: Subquery) async throws -> Predicate.Operand {
    let list = try await predicateOperand(subquery.list)
    subqueryElements.append(SubqueryElement(name: subquery.variable, value: nil))
    defer { subqueryElements.removeLast() }
    return .subquery(
      Predicate.Subquery(list, subquery.variable, try await predicate(subquery.predicate)))
  }

  /// The element of a subquery, or the value of a bound name.
  mutating func predicateOperand(
    ofVariable name: String, at span: Span
  ) async throws -> Predicate.Operand {
    if let element = subqueryElements.last(where: { $0.name == name }), element.value == nil {
      return .variable(name)
    }
    return .value(try await value(of: try variable(name, at: span), at: span))
  }
}
