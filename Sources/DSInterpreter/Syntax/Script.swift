/// A line of a script, parsed.
package struct Line: Sendable {
  enum Kind: Sendable {
    case pipe(Pipe)
    /// `let NAME = …`.
    case binding(Word, Pipe)
  }
  let kind: Kind
  let span: Span
}

/// Commands of which each passes its result to the next as its first argument.
package struct Pipe: Sendable {
  /// What begins it when that is not a command.
  let head: Expression?
  /// At least one when there is no head.
  let stages: [Stage]
  let span: Span
}

/// A verb and its arguments.
package struct Stage: Sendable {
  let verb: Word
  var atoms: [Atom] = []
  var labels: [LabelledValue] = []
  /// For verbs that take an expression (`print`).
  var expression: Expression?
  /// For `expect` and `require`.
  var check: Check?
  let span: Span
}

/// A value as it is written among the arguments of a command.
package struct Atom: Sendable {
  indirect enum Kind: Sendable {
    case word(String)
    case quoted(String)
    case list([Atom])
    case record([(key: Word, value: Atom)])
    /// A command or an expression in parentheses.
    case parenthesised(Pipe)
    /// `env NAME`.
    case environment(String)
  }
  let kind: Kind
  let span: Span
}

/// A label and what follows it.
package struct LabelledValue: Sendable {
  enum Content: Sendable {
    /// Parts between commas, each with its words.
    case groups([[Atom]])
    /// `where:`.
    case predicate(Expression)
  }
  let label: Word
  let content: Content
  let span: Span
}

/// What `expect` and `require` check.
enum Check: Sendable {
  case holds(Expression)
  /// `throws KIND: …`; the rest is parsed when it is run.
  case `throws`(ErrorKind, rest: Span)
}
