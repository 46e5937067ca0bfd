import DataSources
import DataTables

/// The check of an `expect` or `require` command.
struct ExpectationCheck {
  let verb: Word
  let check: Check

  init(parsing arguments: inout Arguments) throws {
    verb = arguments.stage.verb
    guard let check = arguments.stage.check else { throw arguments.missing("an expression") }
    self.check = check
  }

  /// - Throws: ``Diagnostic`` of kind `expectation`, with the actual values.
  func check(in session: inout Session) async throws {
    switch check {
    case .holds(let expression):
      if try await session.holds(expression) { return }
      let details = try await session.explain(expression, was: false)
      throw Diagnostic(
        .expectation, "the expectation does not hold", details: details, at: expression.span)
    case .objects(let check): try await check.check(in: &session)
    case .throws(let kind, let rest):
      try await expectFailure(kind, of: rest, in: &session)
    }
  }

  private func expectFailure(
    _ kind: ErrorKind, of rest: Span, in session: inout Session
  ) async throws {
    var mistakes: [Diagnostic] = []
    let parsed = Parser.parse(rest, commands: session.commands)
    if parsed.mistakes.isEmpty, parsed.lines.isEmpty {
      throw Diagnostic(
        .syntax, "expected a command after `throws \(kind.rawValue):`", at: verb.span)
    }
    mistakes = parsed.mistakes
    for line in parsed.lines where mistakes.isEmpty {
      if let mistake = await session.execution.failure(of: line, in: &session) {
        mistakes.append(mistake)
      }
    }
    guard let mistake = mistakes.first else {
      throw Diagnostic(
        .expectation, "the command did not fail", details: ["expected \(kind.rawValue)"], at: rest)
    }
    // Cancellation ends the script, unless a command of the script canceled something as expected.
    if mistake.kind == .cancelled, kind != .cancelled || session.cancellation.isCancelled {
      throw mistake
    }
    if mistake.kind == kind { return }
    throw Diagnostic(
      .expectation, "the command failed with another error",
      details: [
        "got \(mistake.kind.rawValue): \(mistake.message)", "expected \(kind.rawValue)",
      ], at: mistake.place ?? rest.place)
  }
}

extension Session {
  /// Explains why an expression has its `result`, in lines with the values of the parts that cause
  /// it.
  mutating func explain(_ expression: Expression, was result: Bool) async throws -> [String] {
    switch expression.kind {
    case .comparison(let comparison):
      return try await explain(comparison, was: result)
    case .not(let operand):
      return try await explain(operand, was: !result)
    case .and(let operands), .or(let operands):
      var lines: [String] = []
      for operand in operands {
        if try await holds(operand) == result { lines += try await explain(operand, was: result) }
        // An `and` ends at its first false part; the rest was not evaluated.
        if !result, case .and = expression.kind, !lines.isEmpty { break }
      }
      return lines
    default:
      return ["\(expression.span.text.redactingSecrets) is \(result)"]
    }
  }

  private mutating func explain(
    _ comparison: Comparison, was result: Bool
  ) async throws -> [String] {
    let left = try await value(of: comparison.left)
    let right = try await value(of: comparison.right)
    let relation = (result ? "not " : "") + comparison.operator.phrase
    var lines = ["\(comparison.left.span.text.redactingSecrets) is \(json(left))"]
    if comparison.operator.kind == .equal, !result, comparison.operator.quantifier == nil {
      lines.append("expected \(json(right))")
      if let difference = difference(left, right) { lines.append(difference) }
    } else {
      lines.append("expected \(relation) \(json(right))")
    }
    return lines
  }

  /// JSON for people: a head and a count of an array that is longer than tables.
  private func json(_ value: Value) -> String {
    guard case .array(let elements) = value, let limit = options.rows, elements.count > limit else {
      return value.json
    }
    let head = elements.prefix(limit).map(json).joined(separator: ",")
    return "[\(head),… \((elements.count - limit).grouped) more]"
  }

  /// The number of elements from which on a difference is hard to find in an array that is shown in full.
  private static let longArray = 50

  /// The first difference of two long arrays.
  private func difference(_ left: Value, _ right: Value) -> String? {
    guard case .array(let left) = left, case .array(let right) = right,
      max(left.count, right.count) > options.rows ?? Self.longArray
    else { return nil }
    let index = zip(left, right).enumerated().first { $1.0 != $1.1 }?.offset
    guard let index else {
      return "the first \(min(left.count, right.count).counted("element")) are equal; there are "
        + "\(left.count.grouped), expected \(right.count.grouped)"
    }
    return "the first difference is at [\(index)]: \(json(left[index])), "
      + "expected \(json(right[index]))"
  }
}

extension ComparisonOperator {
  /// `ANY ==`, `BEGINSWITH`.
  fileprivate var phrase: String {
    (quantifier.map { $0.rawValue.uppercased() + " " } ?? "") + kind.rawValue
  }
}
