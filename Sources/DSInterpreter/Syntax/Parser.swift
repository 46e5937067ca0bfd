/// Parses scripts into lines; errors have a location and a fix.
struct Parser {
  /// The maximum nesting: far above that of real scripts, and small enough for a small stack.
  static let maxDepth = 128

  var scanner: Scanner
  /// The commands, with those that the parsed lines define.
  var commands: CommandTable
  var depth = 0
  /// The number of blocks around the line.
  var blockDepth = 0
  /// The number of predicates around the expression.
  var predicateDepth = 0
  /// The scripts that `source` has named so far.
  var included: Set<String> = []
  /// The number of strings with expressions, and of words such as `$name`, so far.
  var numberOfInsertions = 0
  /// After a mistake: the start of text that belongs to the line that does not parse, beyond its end.
  var resumption: Int?
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
  mutating func skipToLine() -> Int? {
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
    predicateDepth = 0
    var (end, isComplete) = scanner.commandEnd(from: start)
    if let next = resumption, isComplete, next > end {
      (end, isComplete) = scanner.commandEnd(from: next)
    }
    resumption = nil
    // After a bracket that is never closed, the rest of the text cannot be split into lines.
    scanner.offset = isComplete ? max(end, start + 1) : scanner.limit
    return isComplete
  }

  mutating func line() throws(Diagnostic) -> Line {
    let first = try scanner.peek(.arguments)
    let start = first.start
    if first.kind == .label {
      throw error(
        "a line cannot begin with a label; end the line above with `\\` to continue it", at: first)
    }
    let kind: Line.Kind
    if first.isWord("let", in: scanner.script) {
      kind = try binding()
    } else {
      let verb = try verb(at: first)
      switch verb?.command.form {
      case .check?:
        guard let verb else { throw unexpected(first) }
        let stage = try check(verb)
        kind = .pipe(Pipe(head: nil, stages: [stage], span: stage.span))
      case .block(let head)?:
        guard let verb else { throw unexpected(first) }
        let stage = try block(head, of: verb)
        kind = .pipe(Pipe(head: nil, stages: [stage], span: stage.span))
      case .arguments?, .expression?, nil: kind = .pipe(try pipe(at: first, verb))
      }
    }
    let end = scanner.offset
    let next = try scanner.peek(.arguments)
    if !(blockDepth > 0 && next.is("}")) {
      scanner.skip(next)
      if isElseIf(next) { throw elseIfMistake(at: next) }
      guard next.endsCommand else { throw unexpected(next, after: kind) }
    }
    declareVerbs(ofScriptsIn: kind)
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
