import DSInterpreter

/// What stands on a line of a script, with what is expected of it: one command, or several with `;`
/// between them, whose output is taken together.
package struct ReplayCommand: Sendable {
  /// Counted from 1, of its first and last character.
  package let lines: ClosedRange<Int>
  /// What is run, of all that is parsed. A command that does not parse is a failure that an error line
  /// can expect.
  let parts: ArraySlice<ParsedCommand>
  /// In the order of their lines.
  package private(set) var expectations: [Expectation] = []
  /// How far the fence is indented in which it stands.
  let indent: Int
  /// The last line of the command or of what is expected of it.
  var lastLine: Int
  /// What holds where it runs.
  package internal(set) var setting = ReplaySetting()

  /// - Parameter expectation: of a line below all that were added.
  mutating func add(_ expectation: Expectation) {
    expectations.append(expectation)
    lastLine = expectation.line
  }

  /// As it is written, all of its lines.
  package var text: String {
    guard let first = parts.first?.span, let last = parts.last?.span else { return "" }
    return first.through(last).text
  }

  /// Whether all that it tells is expected, and not only success.
  var expectsOutput: Bool { setting.isStrict || !expectations.isEmpty }

  /// Why it cannot be read; nil when it can.
  var mistake: Diagnostic? {
    for case .mistake(let mistake, _, _) in parts { return mistake }
    return nil
  }

  /// Whether it checks by itself: `expect`, `require`.
  var isCheck: Bool {
    parts.contains { if case .line(let line) = $0 { line.isCheck } else { false } }
  }
}

/// A line that says what output is expected.
package struct Expectation: Sendable {
  package enum Kind: Sendable {
    /// `#| text`: a line of standard output, exactly.
    case line(String)
    /// `#~ text {int}`: a line of standard output with holes.
    case pattern(LinePattern)
    /// `#...`: any number of lines of standard output.
    case anyLines
    /// `#< file`: the lines of standard output stand in a file beside the script.
    case file(String)
    /// `#! text`: a line of standard error from `error:`, `warning:` or `trace:` on; may have holes.
    case errorLine(LinePattern)
  }
  package let kind: Kind
  /// Counted from 1.
  package let line: Int

  var isError: Bool { if case .errorLine = kind { true } else { false } }
}
