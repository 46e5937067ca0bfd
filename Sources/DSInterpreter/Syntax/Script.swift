/// A parsed line of a script; a class, because it is passed on often.
package final class Line: Sendable {
  enum Kind: Sendable {
    case pipe(Pipe)
    /// `let NAME = …`.
    case binding(Word, Pipe)
  }
  let kind: Kind
  package let span: Span

  init(kind: Kind, span: Span) {
    self.kind = kind
    self.span = span
  }

  /// Whether the line is a `require`, whose failure always ends the script.
  package var isRequirement: Bool {
    guard case .pipe(let pipe) = kind, let stage = pipe.stages.first else { return false }
    return stage.command.form == .check(isRequired: true)
  }

  /// Whether the line is an `expect` or a `require`.
  package var isCheck: Bool {
    guard case .pipe(let pipe) = kind else { return false }
    return pipe.stages.first?.check != nil
  }

  /// Whether the line may run an `expect` or a `require`: itself, in its blocks, or in a verb that a
  /// script defines.
  package var mayCheck: Bool {
    if block?.definition != nil { return false }
    return stages.contains { $0.check != nil || $0.signature != nil }
  }

  /// The checks in its blocks, at any depth, which run under a condition or in a call.
  package var checksInBlocks: [Line] {
    guard let block else { return [] }
    return block.blockLines.flatMap { ($0.isCheck ? [$0] : []) + $0.checksInBlocks }
  }

  /// The name that `let` binds; nil for any other line.
  package var boundName: Word? { if case .binding(let name, _) = kind { name } else { nil } }

  /// Whether a command of the line has this verb.
  package func has(verb: String) -> Bool {
    stages.contains { $0.verb.text == verb }
  }

  /// The commands of the line, and those of the lines in its blocks.
  var stages: [Stage] {
    switch kind {
    case .pipe(let pipe), .binding(_, let pipe):
      pipe.stages + (block?.blockLines ?? []).flatMap(\.stages)
    }
  }

  /// Whether one of its commands is about the session itself.
  package func isAboutSession(_ commands: CommandTable) -> Bool {
    stages.contains { commands.effect(of: $0.command) == .session }
  }

  /// Whether the line is one command without a block.
  package var isOneCommand: Bool {
    switch kind {
    case .pipe(let pipe), .binding(_, let pipe):
      pipe.stages.count <= 1 && pipe.head == nil && block == nil
    }
  }

  /// The command whose blocks the line is, or the only command, if a script defines it; nil for all
  /// other lines.
  var block: Stage? {
    guard case .pipe(let pipe) = kind, pipe.head == nil, pipe.stages.count == 1 else { return nil }
    let stage = pipe.stages[0]
    return stage.command.form.isBlock || stage.signature != nil ? stage : nil
  }
}

/// Commands in sequence: each passes its result to the next as the first argument.
package struct Pipe: Sendable {
  /// The expression at its start; nil if it starts with a command.
  let head: Expression?
  /// At least one stage if ``head`` is nil.
  let stages: [Stage]
  let span: Span
}

/// A verb and its arguments.
package final class Stage: Sendable {
  package let verb: Word
  /// The command of the verb.
  let command: any CommandDeclaration.Type
  let atoms: [Atom]
  let labels: [LabeledValue]
  /// For verbs that accept an expression (`print`).
  let expression: Expression?
  /// For `expect` and `require`.
  let check: Check?
  /// For verbs with a block.
  let lines: [Line]
  /// For `if`: each `else if`, in order.
  let branches: [Branch]
  /// For `if`: the lines of `else`.
  let alternative: [Line]
  /// For `for`.
  let name: Word?
  /// For `def`.
  let definition: Definition?
  /// For a verb that a script defines.
  let signature: Signature?
  /// Whether strings among the arguments contain expressions, or words such as `$name` are among them.
  let hasInsertions: Bool
  let span: Span

  init(
    _ verb: Verb, atoms: [Atom] = [], labels: [LabeledValue] = [], expression: Expression? = nil,
    check: Check? = nil, lines: [Line] = [], branches: [Branch] = [], alternative: [Line] = [],
    name: Word? = nil, definition: Definition? = nil, hasInsertions: Bool = false, span: Span
  ) {
    self.hasInsertions = hasInsertions
    self.lines = lines
    self.branches = branches
    self.alternative = alternative
    self.name = name
    self.definition = definition
    signature = verb.signature
    self.verb = verb.word
    command = verb.command
    self.atoms = atoms
    self.labels = labels
    self.expression = expression
    self.check = check
    self.span = span
  }

  /// The stage with other arguments, which contain no expressions.
  func replacing(atoms: [Atom], labels: [LabeledValue]) -> Stage {
    Stage(
      Verb(word: verb, command: command, signature: signature), atoms: atoms, labels: labels,
      expression: expression, check: check, lines: lines, branches: branches,
      alternative: alternative, name: name, definition: definition, span: span)
  }

  /// The lines of all blocks.
  var blockLines: [Line] {
    lines + branches.flatMap(\.lines) + alternative + (definition?.lines ?? [])
  }
}

/// `else if EXPRESSION { … }`; not a block inside the one before it, so a chain may have any length.
struct Branch: Sendable {
  let condition: Expression
  let lines: [Line]
}

/// A word that names a command.
struct Verb {
  let word: Word
  let command: any CommandDeclaration.Type
  /// For a verb that a script defines.
  var signature: Signature?
}

/// A value among the arguments of a command, as written.
package struct Atom: Sendable {
  enum Kind: Sendable {
    case word(String)
    case quoted(String)
    /// `"\(count) foods"`; replaced by its text before a command reads its arguments.
    case interpolated(Interpolation)
    case list([Atom])
    case record([(key: Word, value: Atom)])
    /// A command or an expression in parentheses.
    indirect case parenthesized(Pipe)
    /// `env NAME`.
    case environment(String)
  }
  let kind: Kind
  let span: Span

  fileprivate var isNull: Bool { if case .word("null") = kind { true } else { false } }

  /// Whether a bare word contains `;`, which ends a command only before white space.
  var hasSemicolon: Bool { if case .word(let text) = kind { text.contains(";") } else { false } }

  /// The name in `$name`; nil for any other atom.
  var variable: String? {
    guard case .word(let text) = kind, text.utf8.first == UInt8(ascii: "$") else { return nil }
    let name = String(text.dropFirst())
    return Name.isValid(name) ? name : nil
  }
}

/// A label and its value.
package struct LabeledValue: Sendable {
  enum Content: Sendable {
    /// Parts between commas, each with its words.
    case groups([[Atom]])
    /// `where:`.
    case predicate(Expression)
  }
  let label: Word
  let content: Content
  /// Whether the label is quoted and the command's labels are keys.
  let isKey: Bool
  let span: Span

  /// The value with the elements of another list, or with the members of another record; nil if
  /// they are neither. A later value of a key replaces an earlier one.
  func adding(_ other: LabeledValue) -> LabeledValue? {
    guard case .groups(let left) = content, case .groups(let right) = other.content,
      let first = left.first?.first, let second = right.first?.first,
      !first.isNull, !second.isNull
    else { return nil }
    guard case .record(let members) = first.kind, case .record(let added) = second.kind else {
      return LabeledValue(
        label: label, content: .groups(left + right), isKey: isKey, span: span)
    }
    let kept = members.filter { member in !added.contains { $0.key.text == member.key.text } }
    let atom = Atom(kind: .record(kept + added), span: first.span)
    return LabeledValue(label: label, content: .groups([[atom]]), isKey: isKey, span: span)
  }
}

/// The check of `expect` or `require`.
enum Check: Sendable {
  case holds(Expression)
  /// `throws KIND: …`; the rest is parsed when it runs.
  case `throws`(ErrorKind, rest: Span)
  /// `all SOURCE where: PREDICATE` and its like.
  case objects(ObjectsCheck)
}

/// An expectation about all objects of a source.
struct ObjectsCheck: Sendable {
  enum Condition: Sendable {
    /// `all`, or `none` if it is negated.
    case predicate(Expression, isNegated: Bool)
    /// `unique SOURCE KEY`
    case unique(Atom)
    /// `sorted SOURCE by: DESCRIPTORS nulls: last`
    case sorted(LabeledValue, nulls: Atom?)
  }
  let source: Atom
  /// The section after the name of the source, `[0]`; nil for all objects.
  let place: Atom?
  let condition: Condition
  let span: Span
}
