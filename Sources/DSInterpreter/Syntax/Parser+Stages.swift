extension Parser {
  /// A command or an expression, and the commands it is passed to.
  mutating func pipe() throws(Diagnostic) -> Pipe {
    let first = try scanner.peek(.arguments)
    guard case .word(let verb) = first.kind else { return try pipe(at: first, nil) }
    return try pipe(at: first, commands[verb])
  }

  /// - Parameters:
  ///   - first: the token that stands here.
  ///   - command: what it stands for when it is a verb.
  mutating func pipe(
    at first: Token, _ command: (any Command.Type)?
  ) throws(Diagnostic) -> Pipe {
    if first.is("|") {
      throw error("a command comes before `|`, which can end a line but not begin one", at: first)
    }
    var head: Expression?
    let stages: [Stage]
    if let command {
      let stage = try stage(of: command)
      let piped = try pipedStages()
      stages = piped.isEmpty ? [stage] : [stage] + piped
    } else {
      head = try headExpression()
      stages = try pipedStages()
    }
    return Pipe(head: head, stages: stages, span: scanner.span(first.start..<scanner.offset))
  }

  mutating func pipedStages() throws(Diagnostic) -> [Stage] {
    var stages: [Stage] = []
    while try scanner.peek(.arguments).is("|") {
      let bar = try scanner.next(.arguments)
      scanner.offset = scanner.skippingTrivia(from: scanner.offset, lineEnds: true)
      stages.append(try pipedStage(after: bar))
    }
    return stages
  }

  private mutating func pipedStage(after bar: Token) throws(Diagnostic) -> Stage {
    let token = try scanner.peek(.arguments)
    if token.is("|") { throw error("`||` is for expressions; `|` passes to a command", at: bar) }
    guard case .word(let verb) = token.kind else {
      throw error("a command comes after `|`", at: token.endsCommand ? bar : token)
    }
    guard let command = commands[verb] else { throw unknownVerb(verb, at: token) }
    return try stage(of: command)
  }

  /// An expression at the head of a line; a word with arguments was meant as a verb.
  private mutating func headExpression() throws(Diagnostic) -> Expression {
    let first = try scanner.peek(.arguments)
    guard case .word(let word) = first.kind else { return try expression() }
    let start = scanner.offset
    _ = try scanner.next(.expression)
    if try scanner.peek(.expression).kind == .symbol("="), Name.isValid(word) {
      _ = try scanner.next(.expression)
      if case .word(let verb) = try scanner.peek(.arguments).kind, commands[verb] != nil {
        throw error("to bind a name, begin with `let`: `let \(word) = \(verb) …`", at: first)
      }
    }
    scanner.offset = start
    let expression = try expression()
    let next = try scanner.peek(.arguments)
    if next.endsCommand || next.is("|") || next.is(")") { return expression }
    if case .name = expression.kind { throw unknownVerb(word, at: first) }
    throw unexpected(next)
  }

  func unknownVerb(_ verb: String, at token: Token) -> Diagnostic {
    let near = Suggestion.nearest(to: verb, among: commands.names)
    return Diagnostic(
      .unknownVerb, "no command named `\(verb)`\(near == nil ? " (help lists them)" : "")",
      suggestion: near, at: span(token))
  }

  /// A verb and its arguments, at the verb.
  private mutating func stage(of command: any Command.Type) throws(Diagnostic) -> Stage {
    let token = try scanner.next(.arguments)
    let text = if case .word(let word) = token.kind { word } else { span(token).text }
    let verb = Word(text: text, span: span(token))
    switch command.form {
    case .check:
      throw error("`\(text)` stands at the head of a line", at: token)
    case .expression:
      let next = try scanner.peek(.arguments)
      let isAlone = next.endsCommand || next.is("|") || next.is(")")
      let value = isAlone ? nil : try expression()
      return Stage(
        verb: verb, command: command, expression: value,
        span: scanner.span(token.start..<scanner.offset))
    case .arguments: break
    }
    let atoms = try positionals(of: text)
    let labels = try labels(of: text)
    return Stage(
      verb: verb, command: command, atoms: atoms, labels: labels,
      span: scanner.span(token.start..<scanner.offset))
  }

  private mutating func positionals(of verb: String) throws(Diagnostic) -> [Atom] {
    var atoms: [Atom] = []
    while true {
      let token = try scanner.peek(.arguments)
      if token.is(",") {
        _ = try scanner.next(.arguments)
        scanner.offset = scanner.skippingTrivia(from: scanner.offset, lineEnds: true)
        let next = try scanner.peek(.arguments)
        if case .label(let name) = next.kind { throw commaBefore(name, at: token) }
        throw error(
          "no comma here: the arguments of `\(verb)` have a space between them", at: token)
      }
      guard token.beginsAtom else { return atoms }
      try checkSpace(token)
      atoms.append(try atom())
    }
  }

  func commaBefore(_ label: String, at comma: Token) -> Diagnostic {
    error("no comma before a label: leave it out before `\(label):`", at: comma)
  }

  /// `key:city` is a word, and never what was meant where `key:` is a label: of `verb` inside of the
  /// value of a label, of any command before the first one.
  func checkSpace(_ token: Token, verb: String? = nil) throws(Diagnostic) {
    guard case .word(let word) = token.kind, let colon = word.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { return }
    let name = String(word[..<colon])
    let isLabel =
      if let verb {
        commands[verb]?.allLabels.contains { $0.name == name } == true
      } else {
        commands.labelNames.contains(name)
      }
    guard isLabel else { return }
    let rest = word[word.index(after: colon)...]
    throw error("a space comes after a label: `\(name): \(rest)`", at: token)
  }
}
