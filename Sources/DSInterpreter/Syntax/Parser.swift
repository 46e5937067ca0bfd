/// Parses scripts into lines; errors have a location and a fix.
struct Parser {
  /// The maximum nesting: far above that of real scripts, and small enough for a small stack.
  static let maxDepth = 128

  var scanner: Scanner
  let commands: CommandTable
  private var depth = 0
  /// The number of blocks around the line.
  private var blockDepth = 0
  /// The number of arithmetic operators in the operand outside of all brackets.
  var numberOfOperations = 0

  init(_ span: Span, commands: CommandTable) {
    scanner = Scanner(span)
    self.commands = commands
  }

  /// Returns all lines, and all mistakes.
  static func parse(
    _ span: Span, commands: CommandTable
  ) -> (lines: [Line], mistakes: [Diagnostic]) {
    var lines: [Line] = []
    var mistakes: [Diagnostic] = []
    for command in ParsedCommand.all(in: span, commands: commands) {
      switch command {
      case .line(let line): lines.append(line)
      case .mistake(let mistake, _, _): mistakes.append(mistake)
      }
    }
    return (lines, mistakes)
  }

  /// Returns the next command or mistake with its location; nil at the end.
  mutating func nextCommand() -> ParsedCommand? {
    guard let start = skipToLine() else { return nil }
    do throws(Diagnostic) {
      return .line(try line())
    } catch {
      let isComplete = skipLine(from: start)
      return .mistake(
        error, span: scanner.span(start..<scanner.offset), isComplete: isComplete)
    }
  }

  /// Skips to the start of the next line; returns nil at the end.
  private mutating func skipToLine() -> Int? {
    while true {
      scanner.offset = scanner.skippingTrivia(from: scanner.offset, lineEnds: true)
      guard let byte = scanner.byte(at: scanner.offset) else { return nil }
      guard byte == UInt8(ascii: ";"), scanner.isBreak(at: scanner.offset + 1) else {
        return scanner.offset
      }
      scanner.offset += 1
    }
  }

  /// Skips to the end of the line that begins at `start` and does not parse.
  /// - Returns: whether the line ends before the text does.
  private mutating func skipLine(from start: Int) -> Bool {
    scanner.openBrackets = 0
    depth = 0
    blockDepth = 0
    let (end, isComplete) = scanner.commandEnd(from: start)
    // After a bracket that is never closed, the rest of the text cannot be split into lines.
    scanner.offset = isComplete ? max(end, start + 1) : scanner.limit
    return isComplete
  }

  private mutating func line() throws(Diagnostic) -> Line {
    let first = try scanner.peek(.arguments)
    let start = first.start
    let kind: Line.Kind
    if first.isWord("let", in: scanner.script) {
      kind = try binding()
    } else {
      let verb = try verb(at: first)
      switch verb?.command.form {
      case .check?, .block?:
        let stage = try lineStage(of: verb)
        kind = .pipe(Pipe(head: nil, stages: [stage], span: stage.span))
      case .arguments?, .expression?, nil: kind = .pipe(try pipe(at: first, verb))
      }
    }
    let end = scanner.offset
    let next = try scanner.peek(.arguments)
    if !(blockDepth > 0 && next.is("}")) {
      scanner.skip(next)
      guard next.endsCommand else { throw unexpected(next, after: kind) }
    }
    return Line(kind: kind, span: scanner.span(start..<end))
  }

  /// Parses `let NAME = …`, at `let`.
  private mutating func binding() throws(Diagnostic) -> Line.Kind {
    _ = try scanner.next(.arguments)
    let token = try scanner.next(.expression)
    let name = span(token).text
    guard token.kind == .word, Name.isValid(name) else {
      throw error("expected a name after `let`: `let NAME = …`", at: token)
    }
    guard !Name.reserved.contains(name.lowercased()) else {
      throw error("`\(name)` cannot be a name: it is a keyword", at: token)
    }
    let sign = try scanner.next(.expression)
    guard sign.kind == .symbol(.assignment) else {
      throw error("expected `=` after the name: `let \(name) = …`", at: sign)
    }
    let next = try scanner.peek(.arguments)
    guard !next.endsCommand else {
      throw error("nothing to bind: `let \(name) = COMMAND`", at: next)
    }
    return .binding(Word(text: name, span: span(token)), try pipe())
  }

  /// Parses one level deeper in brackets or operators.
  mutating func nested<Result>(
    at token: Token, _ body: (inout Parser) throws(Diagnostic) -> Result
  ) throws(Diagnostic) -> Result {
    depth += 1
    guard depth <= Self.maxDepth else {
      throw Diagnostic(
        .limit, "nested deeper than \(Self.maxDepth) levels; load such data from a file",
        at: span(token))
    }
    let result = try body(&self)
    depth -= 1
    return result
  }

  /// Parses the lines of a block, at its `{`.
  mutating func blockLines(of verb: Verb) throws(Diagnostic) -> [Line] {
    let open = try scanner.next(.arguments)
    guard open.is("{") else {
      throw error(
        "`\(verb.word.text)` needs a block of lines: `\(verb.command.synopsis)`", at: open)
    }
    return try nested(at: open) { parser throws(Diagnostic) in
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
      return lines
    }
  }

  func span(_ token: Token) -> Span { scanner.span(token.start..<token.end) }

  func error(_ message: String, at token: Token) -> Diagnostic {
    Diagnostic(.syntax, message, at: span(token))
  }

  func unexpected(_ token: Token) -> Diagnostic {
    switch token.kind {
    case .end, .separator: error("unexpected end of the line", at: token)
    case .punctuation(UInt8(ascii: ",")):
      error("a comma is only allowed between the parts of a value", at: token)
    default: error("unexpected `\(span(token).text)`", at: token)
    }
  }
}

// Verbs that begin a line.
extension Parser {
  /// Parses a check or a command with a block, at the verb.
  private mutating func lineStage(of verb: Verb?) throws(Diagnostic) -> Stage {
    guard let verb else { throw unexpected(try scanner.peek(.arguments)) }
    if verb.command.form.isCheck { return try check(verb) }
    let token = try scanner.next(.arguments)
    let next = try scanner.peek(.arguments)
    let atoms = next.beginsAtom && !next.is("{") ? [try atom()] : []
    let lines = try blockLines(of: verb)
    return Stage(
      verb, atoms: atoms, lines: lines, span: scanner.span(token.start..<scanner.offset))
  }
}

// `expect` and `require`.
extension Parser {
  /// Parses `expect` and `require`, at the verb.
  mutating func check(_ verb: Verb) throws(Diagnostic) -> Stage {
    let token = try scanner.next(.arguments)
    let text = verb.word.text
    let next = try scanner.peek(.arguments)
    guard !next.endsCommand else {
      throw error(
        "`\(text)` checks an expression: `\(text) foods.numberOfObjects == 12`", at: token)
    }
    guard next.isWord("throws", in: scanner.script), let kind = try errorKind() else {
      let check = Check.holds(try expression())
      return Stage(
        verb, check: check, span: scanner.span(token.start..<scanner.offset))
    }
    let start = scanner.offset
    // A line that is expected not to parse must not include the lines after it.
    let end =
      kind == .syntax
      ? scanner.lineEnd(from: start)
      : scanner.commandEnd(from: start, inBlock: blockDepth > 0).end
    scanner.offset = end
    return Stage(
      verb, check: .throws(kind, rest: scanner.span(start..<end)),
      span: scanner.span(token.start..<end))
  }

  /// Parses `throws KIND:`; returns nil when `throws` is a name in an expression.
  private mutating func errorKind() throws(Diagnostic) -> ErrorKind? {
    let start = scanner.offset
    _ = try scanner.next(.arguments)
    let token = try scanner.next(.arguments)
    switch token.kind {
    case .label:
      let name = try scanner.text(of: token)
      if let kind = ErrorKind(rawValue: name) { return kind }
      throw Diagnostic(
        .syntax, "unknown error kind `\(name)`",
        suggestion: Suggestion.nearest(to: name, among: ErrorKind.allCases.map(\.rawValue)),
        at: span(token))
    case .word where ErrorKind(rawValue: try scanner.text(of: token)) != nil:
      let name = try scanner.text(of: token)
      throw error("expected a colon after the kind of error: `throws \(name): COMMAND`", at: token)
    default:
      scanner.offset = start
      return nil
    }
  }

  /// Whether the line is `expect throws syntax: …`, which is complete whatever follows.
  static func expectsSyntaxError(_ scanner: Scanner) -> Bool {
    var scanner = scanner
    guard let verb = try? scanner.next(.arguments), verb.isWord("expect", in: scanner.script),
      let word = try? scanner.next(.arguments), word.isWord("throws", in: scanner.script),
      let label = try? scanner.next(.arguments), label.kind == .label
    else { return false }
    return (try? scanner.text(of: label)) == ErrorKind.syntax.rawValue
  }
}
