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
  }
  let kind: Kind
  let span: Span
}

/// A step of a path in an expression.
struct PathStep: Sendable {
  enum Kind: Sendable {
    case key(String)
    /// One or two numbers.
    case index([Int])
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

extension Expression {
  /// The names that the expression reads, without those inside commands.
  ///
  /// - Complexity: O(parts); recursion is as deep as the brackets, which the parser bounds.
  var names: [Word] {
    switch kind {
    case .literal, .command: []
    case .name(let name): [Word(text: name, span: span)]
    case .list(let parts), .set(let parts), .and(let parts), .or(let parts):
      parts.flatMap(\.names)
    case .record(let pairs): pairs.flatMap(\.value.names)
    case .path(let base, let steps): base.names(before: steps)
    case .not(let operand): operand.names
    case .comparison(let comparison): comparison.left.names + comparison.right.names
    }
  }

  /// Treats the key after `SELF.` as a name.
  private func names(before steps: [PathStep]) -> [Word] {
    guard case .name(let name) = kind, name.lowercased() == "self" else { return names }
    guard let step = steps.first, case .key(let key) = step.kind else { return [] }
    return [Word(text: key, span: step.span)]
  }
}
