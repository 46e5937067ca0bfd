/// A command of a script with its place, for whoever runs a script command by command; shared by all
/// that look at it.
package final class ParsedCommand: Sendable {
  /// From its first to its last character, comments behind it left out.
  package let span: Span
  package let content: Content
  /// Whether all brackets and quotes of a command that cannot be read are closed before the text ends.
  package let isComplete: Bool

  package enum Content: Sendable {
    /// What to run.
    case line(Line)
    /// Why it cannot be read. Apart, as it is large and rare.
    indirect case mistake(Diagnostic)
  }

  init(span: Span, _ content: Content, isComplete: Bool = true) {
    self.span = span
    self.content = content
    self.isComplete = isComplete
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
