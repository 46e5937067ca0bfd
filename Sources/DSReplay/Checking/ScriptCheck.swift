package import DSInterpreter
import DSRendering
import DataSources
package import DataTables

/// The problems in a script that can be found without running it (`--check-only`).
package struct ScriptCheck: Sendable {
  /// Syntax errors, wrong arguments and unknown names, as printed, in the order of the lines.
  package let mistakes: [String]
  /// Warnings about lines that parse but are probably mistakes, as printed, in the order of the
  /// lines.
  package let warnings: [String]

  init(mistakes: [String]) {
    self.mistakes = mistakes
    warnings = []
  }

  /// Checks a file; a file that cannot be read is a mistake.
  ///
  /// - Parameter values: the values of `--set`.
  package init(
    path: String, values: [String: Value] = [:], commands: CommandTable = .replay
  ) {
    do throws(SourceError) {
      let text = try TextFile.read(path, cancellation: Cancellation())
      self.init(ReplayScript(text, path: path, commands: commands), values, commands)
    } catch {
      self.init(mistakes: FileOutcome(unreadable: path, error).mistakes)
    }
  }

  package init(
    _ script: ReplayScript, _ values: [String: Value] = [:], _ commands: CommandTable = .replay
  ) {
    let misuse = script.mistake(inUseOf: values).map { [$0] } ?? []
    mistakes = Self.sorted(
      script.mistakes + misuse + Self.mistakes(inLinesOf: script, values, commands)
    )
    .map(\.plainPicture)
    warnings = Self.sorted(ScriptRule.all.flatMap { $0.check(script) }).map(Self.warning)
  }

  /// The wrong arguments and unknown names in commands that are expected to succeed.
  private static func mistakes(
    inLinesOf script: ReplayScript, _ values: [String: Value], _ commands: CommandTable
  ) -> [Diagnostic] {
    var session = Session()
    session.commands = commands
    session.options.styles = Styles.described
    for name in values.keys.sorted() + script.namesBoundByDirectives {
      session.bind(name, to: .value(values[name] ?? .null))
    }
    if let each = script.each { session.bind(each.name, to: .value(.string(each.files[0]))) }
    var check = StaticCheck(in: session)
    if script.sections.isEmpty { check.check(script.commands[...]) }
    for section in script.sections {
      // They are checked as scripts of their own.
      for attached in section.setting.before { check.pass(attached.script) }
      check.check(script.commands[section.commands])
      for attached in section.setting.after { check.pass(attached.script) }
    }
    return check.mistakes
  }

  private static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    // The offsets keep those of one line in order.
    diagnostics.enumerated().sorted {
      ($0.element.place?.line ?? 0, $0.offset) < ($1.element.place?.line ?? 0, $1.offset)
    }.map(\.element)
  }

  /// `foods.ds:7:1: warning: …` with the line and a caret.
  private static func warning(_ diagnostic: Diagnostic) -> String {
    diagnostic.plainPicture.replacing("error:", with: "warning:", maxReplacements: 1)
  }
}

extension ReplayCommand {
  /// Whether the command is expected to fail, or may not run.
  fileprivate var mayFail: Bool {
    setting.expectedFailure != nil || setting.skipReason != nil
      || expectations.contains { if case .errorLine = $0.kind { true } else { false } }
  }
}

extension ReplayScript {
  /// The names that `set` directives bind, also those of attached scripts.
  fileprivate var namesBoundByDirectives: [String] {
    ([self] + allAttachedScripts).flatMap(\.steps)
      .compactMap { if case .set(let name, _) = $0.directive { name } else { nil } }
  }
}

extension StaticCheck {
  fileprivate mutating func check(_ commands: ArraySlice<ReplayCommand>) {
    for command in commands {
      for part in command.parts {
        if case .line = part, !command.mayFail { check(part) } else { pass(part) }
      }
    }
  }

  /// Accepts the commands of an attached script, which may bind names.
  fileprivate mutating func pass(_ script: ReplayScript) {
    for section in script.sections {
      for attached in section.setting.before { pass(attached.script) }
      for command in script.commands[section.commands] {
        for part in command.parts { pass(part) }
      }
      for attached in section.setting.after { pass(attached.script) }
    }
  }
}
