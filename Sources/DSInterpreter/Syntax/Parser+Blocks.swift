// Blocks: `edit`, `for`, `if` and `def`.
extension Parser {
  /// Parses a command with a block, at the verb.
  mutating func block(_ head: BlockHead, of verb: Verb) throws(Diagnostic) -> Stage {
    let token = try scanner.next(.arguments)
    switch head {
    case .source:
      let next = try scanner.peek(.arguments)
      let atoms = next.beginsAtom && !next.is("{") ? [try atom()] : []
      let lines = try blockLines(of: verb)
      return Stage(
        verb, atoms: atoms, lines: lines, span: scanner.span(token.start..<scanner.offset))
    case .loop:
      let name = try newName(after: "for", as: "for NAME in EXPRESSION { … }")
      let word = try scanner.next(.arguments)
      guard word.isWord("in", in: scanner.script) else {
        throw error(
          "expected `in` after the name: `for \(name.text) in EXPRESSION { … }`", at: word)
      }
      let value = try blockExpression(of: verb)
      let lines = try blockLines(of: verb)
      return Stage(
        verb, expression: value, lines: lines, name: name,
        span: scanner.span(token.start..<scanner.offset))
    case .condition:
      let condition = try blockExpression(of: verb)
      let lines = try blockLines(of: verb)
      return Stage(
        verb, expression: condition, lines: lines, alternative: try alternative(to: verb),
        span: scanner.span(token.start..<scanner.offset))
    case .definition:
      let definition = try definition(by: verb, at: token)
      return Stage(
        verb, definition: definition, span: scanner.span(token.start..<scanner.offset))
    }
  }

  /// Parses the expression before a block, which is not a command.
  private mutating func blockExpression(of verb: Verb) throws(Diagnostic) -> Expression {
    let first = try scanner.peek(.arguments)
    if first.endsCommand || first.is("{") && verb.command.form == .block(.condition) {
      throw error("expected an expression: `\(verb.command.synopsis)`", at: first)
    }
    let value = try expression()
    let next = try scanner.peek(.arguments)
    if next.beginsAtom, !next.is("{"), case .name = value.kind, try self.verb(at: first) != nil {
      throw error("put the command in parentheses: `(\(value.span.text) …)`", at: first)
    }
    return value
  }

  private mutating func newName(
    after keyword: String, as form: String
  ) throws(Diagnostic) -> Word {
    let token = try scanner.next(.expression)
    let name = span(token).text
    guard token.kind == .word, Name.isValid(name), !Name.reserved.contains(name.lowercased()) else {
      throw error("expected a name after `\(keyword)`: `\(form)`", at: token)
    }
    return Word(text: name, span: span(token))
  }

  /// Parses `else { … }` or `else if …` after the block of `if`; the `}` may be the end of its line.
  private mutating func alternative(to verb: Verb) throws(Diagnostic) -> [Line] {
    let end = scanner.offset
    scanner.offset = scanner.skippingTrivia(from: end, lineEnds: true)
    let token = try scanner.peek(.arguments)
    guard token.isWord("else", in: scanner.script) else {
      scanner.offset = end
      return []
    }
    scanner.skip(token)
    let next = try scanner.peek(.arguments)
    guard next.kind == .word, let inner = try self.verb(at: next),
      inner.command.form == .block(.condition)
    else {
      return try blockLines(of: verb)
    }
    let stage = try nested(at: next) { parser throws(Diagnostic) in
      try parser.block(.condition, of: inner)
    }
    return [Line(kind: .pipe(Pipe(head: nil, stages: [stage], span: stage.span)), span: stage.span)]
  }

  /// Parses the lines of a block, at its `{`.
  private mutating func blockLines(of verb: Verb) throws(Diagnostic) -> [Line] {
    let open = try scanner.next(.arguments)
    guard open.is("{") else {
      throw error(
        "`\(verb.word.text)` needs a block of lines: `\(verb.command.synopsis)`", at: open)
    }
    return try nested(at: open) { parser throws(Diagnostic) in
      // Inside a block, a line end separates lines again.
      let brackets = parser.scanner.openBrackets
      parser.scanner.openBrackets = 0
      parser.blockDepth += 1
      var lines: [Line] = []
      while true {
        guard parser.skipToLine() != nil else {
          throw parser.error("this block is not closed: `}` is missing", at: open)
        }
        if try parser.scanner.peek(.arguments).is("}") { break }
        lines.append(try parser.line())
      }
      _ = try parser.scanner.next(.arguments)
      parser.blockDepth -= 1
      parser.scanner.openBrackets = brackets
      return lines
    }
  }
}

// `def NAME ARGUMENT… LABEL: DEFAULT… { … }`
extension Parser {
  private mutating func definition(by verb: Verb, at token: Token) throws(Diagnostic) -> Definition
  {
    let name = try newName(after: verb.word.text, as: verb.command.synopsis)
    if commands[name.text] != nil || name.text == "let" {
      throw Diagnostic(
        .badArgument, "`\(name.text)` is a command of dsshell; choose another name", at: name.span)
    }
    var parameters: [String] = []
    while try scanner.peek(.arguments).kind == .word {
      let parameter = try newName(after: name.text, as: verb.command.synopsis)
      if parameters.contains(parameter.text) { throw isRepeated(parameter) }
      parameters.append(parameter.text)
    }
    var labels: [(name: String, value: Atom)] = []
    while try scanner.peek(.arguments).kind == .label {
      let token = try scanner.next(.arguments)
      let label = Word(text: try scanner.text(of: token), span: span(token))
      guard Name.isValid(label.text), label.text != "where" else {
        throw Diagnostic(.syntax, "`\(label.text)` cannot be a label of a command", at: label.span)
      }
      if parameters.contains(label.text) || labels.contains(where: { $0.name == label.text }) {
        throw isRepeated(label)
      }
      let next = try scanner.peek(.arguments)
      guard next.beginsAtom else {
        throw error("`\(label.text):` needs a default value", at: token)
      }
      labels.append((label.text, try literal()))
    }
    let signature = Signature(
      name: name.text, parameters: parameters,
      labels: labels.map { ($0.name, $0.value.span.text) }, place: name.span.place)
    // Known from here on, so that it can call itself.
    commands.declare(signature)
    return Definition(
      signature, defaults: labels.map(\.value), lines: try blockLines(of: verb))
  }

  private func isRepeated(_ word: Word) -> Diagnostic {
    Diagnostic(.syntax, "two parameters have the name `\(word.text)`", at: word.span)
  }
}
