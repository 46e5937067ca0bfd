/// Reads a script as lines; what is wrong is told with its place and how to mend it.
struct Parser {
  /// More levels than anybody writes, and few enough for a small stack.
  static let deepest = 128

  var scanner: Scanner
  let commands: CommandTable
  private var depth = 0

  init(_ span: Span, commands: CommandTable) {
    scanner = Scanner(span)
    self.commands = commands
  }

  /// All lines, or all mistakes.
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

  /// The next command with its place, whether it can be read or not; nil at the end.
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

  /// Where the next line begins; nil at the end.
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

  /// Goes to the end of the line that begins at `start` and could not be read.
  /// - Returns: whether it has an end before that of the text.
  private mutating func skipLine(from start: Int) -> Bool {
    scanner.openBrackets = 0
    depth = 0
    let (end, isComplete) = scanner.commandEnd(from: start)
    // After a bracket that is never closed nothing can be told from its inside.
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
      if let verb, verb.command.form == .check {
        let check = try check(verb)
        kind = .pipe(Pipe(head: nil, stages: [check], span: check.span))
      } else {
        kind = .pipe(try pipe(at: first, verb))
      }
    }
    let end = scanner.offset
    let next = try scanner.next(.arguments)
    guard next.endsCommand else { throw unexpected(next, after: kind) }
    return Line(kind: kind, span: scanner.span(start..<end))
  }

  /// `let NAME = …`, at its `let`.
  private mutating func binding() throws(Diagnostic) -> Line.Kind {
    _ = try scanner.next(.arguments)
    let token = try scanner.next(.expression)
    let name = span(token).text
    guard token.kind == .word, Name.isValid(name) else {
      throw error("`let` takes a name: `let NAME = …`", at: token)
    }
    guard !Name.reserved.contains(name.lowercased()) else {
      throw error("`\(name)` cannot be a name: it is a keyword", at: token)
    }
    let sign = try scanner.next(.expression)
    guard sign.kind == .symbol(.assignment) else {
      throw error("`=` comes after the name: `let \(name) = …`", at: sign)
    }
    let next = try scanner.peek(.arguments)
    guard !next.endsCommand else {
      throw error("nothing to bind: `let \(name) = COMMAND`", at: next)
    }
    return .binding(Word(text: name, span: span(token)), try pipe())
  }

  /// One level deeper in brackets or operators.
  mutating func nested<Result>(
    at token: Token, _ body: (inout Parser) throws(Diagnostic) -> Result
  ) throws(Diagnostic) -> Result {
    depth += 1
    guard depth <= Self.deepest else {
      throw Diagnostic(
        .limit, "nested deeper than \(Self.deepest) levels; load such data from a file",
        at: span(token))
    }
    let result = try body(&self)
    depth -= 1
    return result
  }

  // MARK: Mistakes

  func span(_ token: Token) -> Span { scanner.span(token.start..<token.end) }

  func error(_ message: String, at token: Token) -> Diagnostic {
    Diagnostic(.syntax, message, at: span(token))
  }

  func unexpected(_ token: Token) -> Diagnostic {
    switch token.kind {
    case .end, .separator: error("the line ends too early", at: token)
    case .punctuation(UInt8(ascii: ",")):
      error("a comma is only allowed between the parts of a value", at: token)
    default: error("`\(span(token).text)` is not expected here", at: token)
    }
  }
}
