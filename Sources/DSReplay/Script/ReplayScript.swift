package import DSInterpreter

/// A script that is a test: its commands with what is expected of each, in sections.
package struct ReplayScript: Sendable {
  /// As it was named.
  package let path: String
  /// At least one. The first holds what stands before the first `section` line, and is left out when
  /// nothing does.
  package internal(set) var sections: [Section] = []
  package internal(set) var commands: [ReplayCommand] = []
  /// What does not parse, in the order of the lines; nothing of such a script is run.
  package internal(set) var mistakes: [Diagnostic] = []
  /// What parses and was probably meant otherwise.
  package internal(set) var remarks: [Diagnostic] = []
  /// The directives that are not about what is expected, in order: what they set is set before the
  /// command that follows.
  var steps: [Step] = []
  /// The file as it was read; lines count from 1 in it, in Markdown as well.
  let source: ScriptText
  let hasByteOrderMark: Bool

  init(path: String, source: ScriptText, hasByteOrderMark: Bool) {
    self.path = path
    self.source = source
    self.hasByteOrderMark = hasByteOrderMark
  }

  /// All lines, in order.
  var lines: [Line] {
    var lines: [Line] = []
    lines.reserveCapacity(commands.count)
    for command in commands {
      for case .line(let line) in command.parts { lines.append(line) }
    }
    return lines
  }

  struct Step: Sendable {
    let directive: Directive
    let line: Int
    /// The position of the command that follows.
    let command: Int
  }

  package struct Section: Sendable {
    /// nil for what stands before the first `section` line.
    package let title: String?
    /// Of its `section` line, or of its first command.
    package let line: Int
    /// Positions in ``ReplayScript/commands``.
    package internal(set) var commands: Range<Int>
  }
}
