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
  /// The directives that change the environment, in order. Each takes effect before the next
  /// command.
  var steps: [Step] = []
  /// The directives of a lesson, in order; empty for other scripts.
  var marks: [Mark] = []
  /// The parts of a lesson; nil for other scripts.
  var lesson: Lesson?
  /// The files of a script that runs once for each file; nil for a script without `each`.
  var each: EachFile?
  /// The settings above the first section, which are also those of a section without a title.
  var setting = SectionSetting()
  /// The number of runs of scripts that are attached to it, and to them.
  var attachedRuns = 0
  /// The source of the file. Line numbers count from 1 in the whole file, also in Markdown.
  let source: ScriptText
  let hasByteOrderMark: Bool
  /// Whether a command may fetch in the background, also one of a script that is attached or that it
  /// names; also true for other texts that contain the labels.
  package internal(set) var mayFetchInBackground: Bool

  init(path: String, source: ScriptText, hasByteOrderMark: Bool) {
    self.path = path
    self.source = source
    self.hasByteOrderMark = hasByteOrderMark
    mayFetchInBackground = source.bytes.namesBackgroundFetches
  }

  /// A script without commands, of the same file.
  private init(partOf other: ReplayScript) {
    path = other.path
    source = other.source
    hasByteOrderMark = other.hasByteOrderMark
    mayFetchInBackground = other.mayFetchInBackground
  }

  /// The engines of its `matrix` directive; empty without one.
  var engines: [TableEngine] {
    steps.lazy.compactMap { if case .matrix(let engines) = $0.directive { engines } else { nil } }
      .first ?? []
  }

  /// Whether all commands are strict.
  private(set) var isStrict = false

  /// Makes all commands strict, as by a directive above them.
  mutating func makeStrict() {
    isStrict = true
    for index in commands.indices { commands[index].setting.isStrict = true }
  }

  /// The first hole that captures each name.
  var namedHoles: [String: Hole] {
    var holes: [String: Hole] = [:]
    for command in commands {
      for expectation in command.expectations {
        for (name, hole) in expectation.pattern?.namedHoles ?? [] where holes[name] == nil {
          holes[name] = hole
        }
      }
    }
    return holes
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

  struct Mark: Sendable {
    let mark: LessonMark
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
    var setting = SectionSetting()
    /// Its number among the sections with the same title, counted from 1.
    var repetition = 1

    /// The name of a section in reports. Only the first one of a script can be without a title.
    static func name(_ title: String?, repetition: Int) -> String {
      let title = title ?? "section 1"
      return repetition == 1 ? title : "\(title) (\(repetition))"
    }
  }
}

extension ReplayScript {
  /// A script of some of the commands, in one section, with the directives directly above them.
  ///
  /// - Parameter ranges: indices in ``commands``, in the order in which they run; a range may occur
  ///   again.
  func selecting(_ ranges: [Range<Int>], title: String?, line: Int) -> ReplayScript {
    var part = ReplayScript(partOf: self)
    for range in ranges {
      for step in steps where range.contains(step.command) {
        part.steps.append(
          Step(
            directive: step.directive, line: step.line,
            command: part.commands.count + step.command - range.lowerBound))
      }
      part.commands += commands[range]
    }
    part.sections = [Section(title: title, line: line, commands: 0..<part.commands.count)]
    return part
  }
}

extension ReplayCommand {
  /// Whether the command may fetch in the background, as in ``ReplayScript/mayFetchInBackground``.
  var mayFetchInBackground: Bool { text.utf8.namesBackgroundFetches || has(verb: "source") }
}

extension BidirectionalCollection<UInt8> {
  /// Whether the bytes contain a label that makes a command fetch in the background.
  fileprivate var namesBackgroundFetches: Bool {
    // Colons are rare: compare only the bytes before each.
    indices.contains { index in
      guard self[index] == UInt8(ascii: ":") else { return false }
      // Blanks may be before the colon.
      let label = self[..<index].reversed().drop { $0 <= UInt8(ascii: " ") }
      return ["async", "prefetch"].contains { label.starts(with: $0.utf8.reversed()) }
    }
  }
}
