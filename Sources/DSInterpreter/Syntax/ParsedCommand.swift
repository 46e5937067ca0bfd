/// A command of a script with its place, for running a script command by command.
package enum ParsedCommand: Sendable {
  /// A line to run.
  case line(Line)
  /// A line that does not parse, and whether its brackets and quotes are closed before the text
  /// ends.
  // Indirect, because it is large and rare.
  indirect case mistake(Diagnostic, span: Span, isComplete: Bool)

  /// From the first to the last character, without a comment at the end.
  package var span: Span {
    switch self {
    case .line(let line): line.span
    case .mistake(_, let span, _): span
    }
  }

  /// The range of ``span`` in the bytes of the script.
  package var bytes: Range<Int> {
    switch self {
    case .line(let line): line.span.start..<line.span.end
    case .mistake(_, let span, _): span.start..<span.end
    }
  }

  /// Whether the brackets and quotes of the command are closed before the text ends.
  package var isComplete: Bool {
    switch self {
    case .line: true
    case .mistake(_, _, let isComplete): isComplete
    }
  }

  /// Returns all commands of a part of a script, in order.
  /// - Complexity: O(bytes).
  package static func all(in span: Span, commands: CommandTable) -> [ParsedCommand] {
    var parser = Parser(span, commands: commands)
    var all: [ParsedCommand] = []
    while let command = parser.nextCommand() { all.append(command) }
    return all
  }
}

extension [ParsedCommand] {
  /// The lines to run.
  var lines: [Line] { compactMap { if case .line(let line) = $0 { line } else { nil } } }

  /// The line of a script that consists of one; nil if it does not parse, or if there are several.
  var onlyLine: Line? { count == 1 ? lines.first : nil }
}

/// Finds which positions are inside quoted strings of commands, from the first to the last position.
package struct QuoteFinder {
  /// The command of the current position, and those after it.
  private var commands: ArraySlice<ParsedCommand>
  /// nil before the first position in a command.
  private var scanner: Scanner?
  /// The bounds of the last token.
  private var token = 0..<0
  private var isUnfinished = false
  private var isAtEnd = false

  package init(_ commands: ArraySlice<ParsedCommand>) { self.commands = commands }

  /// Whether a position is inside a quoted string.
  ///
  /// - Parameter position: not below the positions before.
  /// - Complexity: O(bytes) for all positions together.
  package mutating func hasQuote(around position: Int) -> Bool {
    while let next = commands.dropFirst().first, next.bytes.lowerBound < position {
      commands.removeFirst()
      scanner = nil
    }
    guard let command = commands.first, command.bytes.lowerBound < position else { return false }
    if scanner == nil {
      var scanner = Scanner(command.span)
      // Treats line ends of the command as white space, as inside brackets.
      scanner.openBrackets = 1
      self.scanner = scanner
      (token, isUnfinished, isAtEnd) = (0..<0, false, false)
    }
    while !isUnfinished, !isAtEnd, let offset = scanner?.offset, offset < position {
      do {
        guard let next = try scanner?.next(.arguments) else { break }
        isAtEnd = next.kind == .end
        token = next.start..<max(next.start, next.end)
      } catch {
        isUnfinished = true
      }
    }
    return isUnfinished || !isAtEnd && token.lowerBound < position && position < token.upperBound
  }
}
