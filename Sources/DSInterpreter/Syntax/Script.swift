/// A line of a script, parsed; shared by all that run it or look at it.
package final class Line: Sendable {
  enum Kind: Sendable {
    case pipe(Pipe)
    /// `let NAME = …`.
    case binding(Word, Pipe)
  }
  let kind: Kind
  let span: Span

  init(kind: Kind, span: Span) {
    self.kind = kind
    self.span = span
  }
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
package final class Stage: Sendable {
  let verb: Word
  /// What the verb stands for.
  let command: any CommandDeclaration.Type
  let atoms: [Atom]
  let labels: [LabelledValue]
  /// For verbs that take an expression (`print`).
  let expression: Expression?
  /// For `expect` and `require`.
  let check: Check?
  let span: Span

  init(
    _ verb: Verb, atoms: [Atom] = [], labels: [LabelledValue] = [], expression: Expression? = nil,
    check: Check? = nil, span: Span
  ) {
    self.verb = verb.word
    command = verb.command
    self.atoms = atoms
    self.labels = labels
    self.expression = expression
    self.check = check
    self.span = span
  }
}

/// A word that stands for a command.
struct Verb {
  let word: Word
  let command: any CommandDeclaration.Type
}

/// A value as it is written among the arguments of a command.
package struct Atom: Sendable {
  enum Kind: Sendable {
    case word(String)
    case quoted(String)
    case list([Atom])
    case record([(key: Word, value: Atom)])
    /// A command or an expression in parentheses.
    indirect case parenthesised(Pipe)
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
