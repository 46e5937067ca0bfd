package import DSInterpreter

/// A script as a test: its commands and their expectations, in sections.
package struct ReplayScript: Sendable {
  /// The path as the user gave it.
  package let path: String
  /// The first section holds the commands before the first `section` line; it is omitted if no
  /// command is there. Empty for a script with neither sections nor commands.
  package internal(set) var sections: [Section] = []
  package internal(set) var commands: [ReplayCommand] = []
  /// Syntax errors, in the order of the lines. A script with syntax errors is not run.
  package internal(set) var mistakes: [Diagnostic] = []
  /// Lines that parse but are probably mistakes.
  package internal(set) var warnings: [Diagnostic] = []
  /// The directives that change the environment, in order. Each takes effect before the next
  /// command.
  var steps: [Step] = []
  /// The source of the file. Line numbers count from 1 in the whole file, also in Markdown.
  let source: ScriptText
  let hasByteOrderMark: Bool

  init(path: String, source: ScriptText, hasByteOrderMark: Bool) {
    self.path = path
    self.source = source
    self.hasByteOrderMark = hasByteOrderMark
  }

  /// The engines of its `matrix` directive; empty without one.
  var engines: [TableEngine] {
    steps.lazy.compactMap { if case .matrix(let engines) = $0.directive { engines } else { nil } }
      .first ?? []
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
    /// The index of the next command.
    let command: Int
  }

  package struct Section: Sendable {
    /// nil for the commands before the first `section` line.
    package let title: String?
    /// The line of its `section` directive, or of its first command.
    package let line: Int
    /// Indices in ``ReplayScript/commands``.
    package internal(set) var commands: Range<Int>
  }
}
