import DataTables

/// An expression of `expect`, `require`, `print`, `where:` or parentheses.
package struct Expression: Sendable {
  // Literals, names and lists are the most frequent kinds, so they are not indirect.
  enum Kind: Sendable {
    case literal(Value)
    /// A bound name, or in a predicate a key of the object.
    case name(String)
    case list([Expression])
    case record([(key: Word, value: Expression)])
    /// `{1, 2}`.
    case set([Expression])
    indirect case command(Pipe)
    /// A base with at least one property, key or index after it.
    indirect case path(Expression, [PathStep])
    indirect case not(Expression)
    /// At least two.
    case and([Expression])
    case or([Expression])
    indirect case comparison(Comparison)
    /// `$name`: a bound name, or the element of a subquery.
    case variable(String)
    indirect case call(Call)
    /// `TERNARY(a > 1, b, c)`.
    indirect case conditional(Expression, Expression, Expression)
    indirect case subquery(Subquery)
    /// `"\(count) foods"`
    case interpolated(Interpolation)
  }
  let kind: Kind
  let span: Span
}

/// A step of a path in an expression.
struct PathStep: Sendable {
  enum Kind: Sendable {
    case key(String)
    /// One or two numbers; negative ones count from the end.
    case index([Int])
    /// `[0:3]`.
    case range(Int?, Int?)
  }
  let kind: Kind
  let span: Span
}

/// A comparison of two values.
struct Comparison: Sendable {
  let left: Expression
  let `operator`: ComparisonOperator
  let right: Expression
}

/// A function, or an arithmetic operator, with its arguments.
struct Call: Sendable {
  enum Function: Sendable {
    case value(ValueFunction)
    /// The current time. A predicate has the time at which it is given.
    case now
  }
  let function: Function
  let arguments: [Expression]
}

/// `SUBQUERY(list, $variable, predicate)`.
struct Subquery: Sendable {
  let list: Expression
  let variable: String
  let predicate: Expression
}

extension Expression {
  /// The expressions that this one consists of, as written, without those inside commands.
  var parts: [Expression] {
    switch kind {
    case .literal, .name, .variable, .command: []
    case .interpolated(let interpolation): interpolation.expressions
    case .list(let parts), .set(let parts), .and(let parts), .or(let parts): parts
    case .record(let pairs): pairs.map(\.value)
    case .path(let base, _): [base]
    case .not(let operand): [operand]
    case .comparison(let comparison): [comparison.left, comparison.right]
    case .call(let call): call.arguments
    case .conditional(let condition, let first, let second): [condition, first, second]
    case .subquery(let subquery): [subquery.list, subquery.predicate]
    }
  }

  /// The commands in parentheses, at any depth of the expression.
  var commands: [Pipe] {
    if case .command(let pipe) = kind { [pipe] } else { parts.flatMap(\.commands) }
  }

  /// The names that the expression reads, without those inside commands.
  ///
  /// - Complexity: O(parts); recursion is as deep as the brackets, which the parser bounds.
  var names: [Word] {
    switch kind {
    case .name(let name): [Word(text: name, span: span)]
    case .path(let base, let steps): base.names(before: steps)
    // Its names are those of the session.
    case .interpolated: []
    default: parts.flatMap(\.names)
    }
  }

  /// Treats the key after `SELF.` as a name.
  private func names(before steps: [PathStep]) -> [Word] {
    guard case .name(let name) = kind, name.lowercased() == "self" else { return names }
    guard let step = steps.first, case .key(let key) = step.kind else { return [] }
    return [Word(text: key, span: step.span)]
  }
}
