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
      var branches: [Branch] = []
      while let branch = try branch(after: verb) { branches.append(branch) }
      let alternative = try takeElse() ? try blockLines(of: verb) : []
      return Stage(
        verb, expression: condition, lines: lines, branches: branches, alternative: alternative,
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
    var isMissing = first.endsCommand
    if first.is("{") {
      // A loop can be over a set.
      let beginsBlock = try beginsBlock(first)
      isMissing = beginsBlock || verb.command.form == .block(.condition)
    }
    if isMissing {
      let expected = verb.command.form == .block(.loop) ? "a list or a source" : "an expression"
      throw error(
        "expected \(expected) before the block: `\(verb.command.synopsis)`", at: first)
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

  /// Parses `else if EXPRESSION { … }`; nil if something else follows.
  private mutating func branch(after verb: Verb) throws(Diagnostic) -> Branch? {
    let end = scanner.offset
    guard try takeElse() else { return nil }
    let next = try scanner.peek(.arguments)
    guard next.kind == .word, let inner = try self.verb(at: next),
      inner.command.form == .block(.condition)
    else {
      guard next.is("{") || next.endsCommand else {
        throw error(
          "expected `{` or `if` after `else`; write `else if CONDITION { … }` for another condition",
          at: next)
      }
      scanner.offset = end
      return nil
    }
    scanner.skip(next)
    let condition = try blockExpression(of: verb)
    return Branch(condition: condition, lines: try blockLines(of: verb))
  }

  /// Takes `else` after the block of `if`; the `}` may be the end of its line.
  private mutating func takeElse() throws(Diagnostic) -> Bool {
    let end = scanner.offset
    scanner.offset = scanner.skippingTrivia(from: end, lineEnds: true)
    let token = try scanner.peek(.arguments)
    guard token.isWord("else", in: scanner.script) else {
      scanner.offset = end
      return false
    }
    scanner.skip(token)
    return true
  }

  /// Whether a word is one that other languages have for `else if`.
  func isElseIf(_ token: Token) -> Bool {
    token.isWord("elif", in: scanner.script) || token.isWord("elsif", in: scanner.script)
      || token.isWord("elseif", in: scanner.script)
  }

  func elseIfMistake(at token: Token) -> Diagnostic {
    error(
      "write `else if` for another condition, not `\(span(token).text)`, after the `}` of the block",
      at: token)
  }

  /// Parses the lines of a block, at its `{`.
  private mutating func blockLines(of verb: Verb) throws(Diagnostic) -> [Line] {
    let open = try scanner.next(.arguments)
    if open.endsCommand { try checkNextLine(at: open, of: verb) }
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

// Mistakes in the heads of blocks.
extension Parser {
  /// - Throws: ``Diagnostic`` if the line after a head without a block begins with `{`. The next line is
  ///   the one after that block.
  private mutating func checkNextLine(at end: Token, of verb: Verb) throws(Diagnostic) {
    let brace = scanner.skippingTrivia(from: end.end, lineEnds: true)
    guard scanner.byte(at: brace) == UInt8(ascii: "{") else { return }
    resumption = brace
    throw error(
      "the `{` of `\(verb.word.text)` must be on the same line: `\(verb.command.synopsis)`",
      at: Token(kind: .punctuation(UInt8(ascii: "{")), start: brace, end: brace + 1))
  }

  /// Whether a `{` begins a block rather than a record or a set: a command with arguments is after it.
  private mutating func beginsBlock(_ brace: Token) throws(Diagnostic) -> Bool {
    let start = scanner.offset
    defer { scanner.offset = start }
    scanner.offset = scanner.skippingTrivia(from: brace.end, lineEnds: true)
    return try beginsCommand()
  }

  /// The error of parameters in parentheses: `def f(x, y) {`.
  private func parametersInParentheses(of name: Word, at opening: Token) -> Diagnostic {
    let line = opening.end..<scanner.lineEnd(from: opening.end)
    let words = scanner.script.string(line).prefix { $0 != ")" && $0 != "{" }
      .split { $0 == "," || $0.isWhitespace }
    let head = ([name.text] + words.map(String.init)).joined(separator: " ")
    return error("parameters have no parentheses: `def \(head) { … }`", at: opening)
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
    let opening = try scanner.peek(.arguments)
    if opening.is("(") { throw parametersInParentheses(of: name, at: opening) }
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
