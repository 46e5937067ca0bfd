/// A command of a script with its place, for whoever runs a script command by command.
package enum ParsedCommand: Sendable {
  /// What to run.
  case line(Line)
  /// Why it cannot be read, and whether all of its brackets and quotes are closed before the text
  /// ends. Apart, as it is large and rare.
  indirect case mistake(Diagnostic, span: Span, isComplete: Bool)

  /// From its first to its last character, comments behind it left out.
  package var span: Span {
    switch self {
    case .line(let line): line.span
    case .mistake(_, let span, _): span
    }
  }

  /// The bytes of the script that ``span`` takes.
  package var bytes: Range<Int> {
    switch self {
    case .line(let line): line.span.start..<line.span.end
    case .mistake(_, let span, _): span.start..<span.end
    }
  }

  /// Whether the text does not end inside of its brackets or quotes.
  package var isComplete: Bool {
    switch self {
    case .line: true
    case .mistake(_, _, let isComplete): isComplete
    }
  }

  /// All commands of a part of a script, in order.
  /// - Complexity: O(bytes).
  package static func all(in span: Span, commands: CommandTable) -> [ParsedCommand] {
    var parser = Parser(span, commands: commands)
    var all: [ParsedCommand] = []
    while let command = parser.nextCommand() { all.append(command) }
    return all
  }
}

extension Span {
  /// Whether `position` is inside of a quoted string of the command that the span holds.
  package func hasQuote(around position: Int) -> Bool {
    var scanner = Scanner(self)
    // Line ends of the command are white space, as inside of brackets.
    scanner.openBrackets = 1
    while scanner.offset < position {
      guard let token = try? scanner.next(.arguments) else { return true }
      if token.kind == .end { return false }
      if token.start < position, position < token.end { return true }
    }
    return false
  }
}
