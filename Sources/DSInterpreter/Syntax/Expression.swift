import DataTables

/// What `expect`, `require`, `print`, `where:` and parentheses take.
package struct Expression: Sendable {
  // Most are literals, names and lists of them, which need no place of their own.
  enum Kind: Sendable {
    case literal(Value)
    /// A name that is bound, or in a predicate a key of the object.
    case name(String)
    case list([Expression])
    case record([(key: Word, value: Expression)])
    /// `{1, 2}`.
    case set([Expression])
    indirect case command(Pipe)
    /// Properties, keys and indexes of what stands before them; at least one.
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

/// Two values and what is claimed of them.
struct Comparison: Sendable {
  let left: Expression
  let `operator`: ComparisonOperator
  let right: Expression
}
