extension Parser {
  /// `expect` and `require`, at the verb.
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
    // A line that is meant not to parse must not take the next ones with it.
    let end = kind == .syntax ? scanner.lineEnd(from: start) : scanner.commandEnd(from: start).end
    scanner.offset = end
    return Stage(
      verb, check: .throws(kind, rest: scanner.span(start..<end)),
      span: scanner.span(token.start..<end))
  }

  /// `throws KIND:`; nil when `throws` is a name in an expression.
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
      throw error("a colon comes after the kind of error: `throws \(name): COMMAND`", at: token)
    default:
      scanner.offset = start
      return nil
    }
  }

  /// Whether the line is `expect throws syntax: …`, whose rest need not be complete.
  static func expectsSyntaxError(_ scanner: Scanner) -> Bool {
    var scanner = scanner
    guard let verb = try? scanner.next(.arguments), verb.isWord("expect", in: scanner.script),
      let word = try? scanner.next(.arguments), word.isWord("throws", in: scanner.script),
      let label = try? scanner.next(.arguments), label.kind == .label
    else { return false }
    return (try? scanner.text(of: label)) == ErrorKind.syntax.rawValue
  }
}
