import DataTables

/// What `expect`, `require`, `print`, `where:` and parentheses take.
package struct Expression: Sendable {
  indirect enum Kind: Sendable {
    case literal(Value)
    /// A name that is bound, or in a predicate a key of the object.
    case name(String)
    case list([Expression])
    case record([(key: Word, value: Expression)])
    /// `{1, 2}`.
    case set([Expression])
    case command(Pipe)
    /// Properties, keys and indexes of what stands before them; at least one.
    case path(Expression, [PathStep])
    case not(Expression)
    /// At least two.
    case and([Expression])
    case or([Expression])
    case comparison(Comparison)
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
  /// Of which elements of the left side it is claimed.
  enum Quantifier: String, Sendable, CaseIterable { case any, all, none, some }

  enum Operator: String, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case `in` = "IN"
    case between = "BETWEEN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"

    /// Operators that are words are known in any case.
    init?(word: String) {
      guard word.first?.isLetter == true else { return nil }
      self.init(rawValue: word.uppercased())
    }
    init?(symbol: String) { self.init(rawValue: symbol == "=" ? "==" : symbol) }
  }

  /// What `[cd]` after an operator leaves out of account.
  struct Options: OptionSet, Sendable {
    let rawValue: Int
    static let caseInsensitive = Options(rawValue: 1)
    static let diacriticInsensitive = Options(rawValue: 2)
  }

  let quantifier: Quantifier?
  let left: Expression
  let `operator`: Operator
  let options: Options
  let right: Expression
}
