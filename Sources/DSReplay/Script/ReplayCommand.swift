import DSInterpreter

/// The commands on one line of a script and their expectations. Several commands are separated by
/// `;`; their output is checked as one.
package struct ReplayCommand: Sendable {
  /// The lines of its first and last character, counted from 1.
  package private(set) var lines: ClosedRange<Int>
  /// The parsed commands. A command that does not parse fails; an error line can expect this.
  let parts: ArraySlice<ParsedCommand>
  /// In the order of the lines.
  package private(set) var expectations: [Expectation] = []
  /// The indentation of its fence.
  let indent: Int
  /// The last line of the command or of its expectations.
  var lastLine: Int
  /// The settings that apply to the command.
  package internal(set) var setting = ReplaySetting()

  /// - Parameter expectation: must be below all expectations added before.
  mutating func add(_ expectation: Expectation) {
    expectations.append(expectation)
    lastLine = expectation.line
  }

  /// The command as if it stood on another line, to which its run is attributed.
  func moved(toLine line: Int) -> ReplayCommand {
    var command = self
    command.lines = line...line
    return command
  }

  /// The source text of the command, over all its lines.
  package var text: String {
    guard let first = parts.first?.span, let last = parts.last?.span else { return "" }
    return first.through(last).text
  }

  /// Whether its output is checked in addition to its success.
  var expectsOutput: Bool { setting.isStrict || expectations.contains { !$0.isAbsence } }

  /// The syntax error; nil if the command parses.
  var mistake: Diagnostic? {
    for case .mistake(let mistake, _, _) in parts { return mistake }
    return nil
  }

  /// Whether one of its commands has this verb.
  func has(verb: String) -> Bool {
    parts.contains { if case .line(let line) = $0 { line.has(verb: verb) } else { false } }
  }

  /// Whether it may run an `expect` or a `require`, also in a block, a call or another script.
  var mayCheck: Bool {
    parts.contains { if case .line(let line) = $0 { line.mayCheck } else { false } }
      || has(verb: "source")
  }

  /// Whether it is an `expect` or a `require`.
  var isCheck: Bool {
    parts.contains { if case .line(let line) = $0 { line.isCheck } else { false } }
  }
}

/// One line of expectations: a line of output, a side file, or any number of lines.
package struct Expectation: Sendable {
  package enum Kind: Sendable {
    /// `#| text`: this line of standard output.
    case line(String)
    /// `#~ text {int}`: a line of standard output with holes.
    case pattern(LinePattern)
    /// `#...`: any number of lines of standard output.
    case anyLines
    /// `#... 2,000 lines, sha256 1f3a…`: that number of lines of standard output, with this digest.
    case digest(LinesDigest)
    /// `#- text`: no line of standard output or standard error contains the text.
    case absent(String)
    /// `#< file`: lines of standard output, read from a file in the folder of the script.
    case file(String)
    /// `#! text`: a line of standard error from `error:`, `warning:` or `trace:` on, with optional
    /// holes.
    case errorLine(LinePattern)
  }
  package let kind: Kind
  /// Counted from 1.
  package let line: Int

  /// The pattern of a line with holes.
  var pattern: LinePattern? {
    switch kind {
    case .pattern(let pattern), .errorLine(let pattern): pattern
    case .line, .anyLines, .digest, .absent, .file: nil
    }
  }

  var isAbsence: Bool { if case .absent = kind { true } else { false } }
  var isDigest: Bool { if case .digest = kind { true } else { false } }
  /// Whether it describes lines of standard output.
  var isOutput: Bool { !isError && !isAbsence }
  var isError: Bool { if case .errorLine = kind { true } else { false } }
}
