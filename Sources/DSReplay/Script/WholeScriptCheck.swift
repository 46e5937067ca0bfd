import DSInterpreter

/// The mistakes of a script that are known when all of it is read, such as directives without an effect.
struct WholeScriptCheck {
  private let script: ReplayScript
  private(set) var mistakes: [Diagnostic] = []

  /// - Parameters:
  ///   - unfinished: the first lines of commands that contain a marker, which is their mistake.
  ///   - sectionLines: the lines of `section` directives.
  ///   - isAttached: whether the script is attached to another one, which may read its names.
  init(
    _ script: ReplayScript, unfinished: Set<Int>, sectionLines: Set<Int>, isAttached: Bool
  ) {
    self.script = script
    reportUnparsableCommands(except: unfinished)
    reportUnplacedDigests()
    if script.marks.isEmpty {
      reportEmptySections(sectionLines)
      reportAdvancesOfRealClock()
      reportIdleSettings()
      reportReplacedFile()
      // Other mistakes may be the reason.
      if !isAttached, mistakes.isEmpty, script.mistakes.isEmpty { reportUnreadNames() }
    } else {
      reportRunsOfLesson()
    }
  }

  /// Reports commands that do not parse, unless an error is expected of them.
  private mutating func reportUnparsableCommands(except unfinished: Set<Int>) {
    // Filter first: usually no command is left, and a loop over all commands would copy each of
    // them.
    for command in script.commands.filter({ $0.mistake != nil })
    where !command.expectations.contains(where: \.isError)
      && !unfinished.contains(command.lines.lowerBound)
    {
      for case .mistake(let mistake, _, _) in command.parts { mistakes.append(mistake) }
    }
  }

  /// Reports digests whose lines cannot be located in the output.
  private mutating func reportUnplacedDigests() {
    for command in script.commands where command.expectations.contains(where: \.isDigest) {
      let output = command.expectations.filter(\.isOutput)
      for (index, expectation) in output.enumerated() where expectation.isDigest {
        let isAnyLines = { (other: Expectation) in
          if case .anyLines = other.kind { true } else { false }
        }
        let message: String
        if command.setting.isUnordered, output.count > 1 {
          message = "below `unordered`, a digest must be the only expectation of the output"
        } else if output[..<index].contains(where: isAnyLines),
          output[index...].contains(where: isAnyLines)
        {
          message = "the lines of a digest cannot be located between two `#...`; remove one"
        } else {
          continue
        }
        mistakes.append(
          Diagnostic(
            .syntax, message, at: Span(script.source, script.source.line(expectation.line))))
      }
    }
  }

  /// Reports sections without commands, which would count as passed tests although they test nothing. A
  /// heading of Markdown may be above other text.
  private mutating func reportEmptySections(_ sectionLines: Set<Int>) {
    for section in script.sections
    where section.commands.isEmpty && sectionLines.contains(section.line)
      // Scripts that are attached to it need a command, which is reported.
      && !(section.setting.before + section.setting.after).contains(where: {
        $0.line > section.line
      })
    {
      report(
        "this section has no command, so it tests nothing; write its commands, or remove this line",
        at: section.line)
    }
  }

  /// Reports `advance` where the clock is that of the machine, which does not advance.
  private mutating func reportAdvancesOfRealClock() {
    var realClock: Int?
    for step in script.steps {
      switch step.directive {
      case .clock(.real): realClock = step.line
      case .clock: realClock = nil
      case .advance:
        guard let line = realClock else { continue }
        report(
          "`advance` needs the virtual clock, but line \(line) selects the clock of the machine; "
            + "write `#% clock virtual` above",
          at: step.line)
      default: break
      }
    }
  }

  /// Reports directives about sections that would have no effect in any of their sections.
  private mutating func reportIdleSettings() {
    // Sections without settings of their own have those of the file.
    let settings = script.sections.map(\.setting) + [script.setting]
    var lines: Set<Int> = []
    for case let property? in settings.map(\.property) where lines.insert(property.line).inserted {
      let commands = script.sections.filter { $0.setting.property?.line == property.line }
        .flatMap { script.commands[$0.commands] }
      let running = commands.filter { !$0.setting.isSkippedEverywhere }
      if running.contains(where: \.mayCheck) || (running.isEmpty && !commands.isEmpty) { continue }
      let isSkipped = commands.contains(where: \.mayCheck)
      report(
        "`property` needs an `expect` or a `require` in its section"
          + (isSkipped ? " without `skip`" : ""), at: property.line)
    }
    for attached in settings.flatMap({ $0.before + $0.after })
    where lines.insert(attached.line).inserted {
      let hasCommand = script.sections.contains { section in
        !section.commands.isEmpty
          && (section.setting.before + section.setting.after).contains { $0.line == attached.line }
      }
      if !hasCommand {
        report("`\(attached.place.rawValue)` needs a command in its section", at: attached.line)
      }
    }
  }

  /// Reports lines that replace the value of `each`.
  private mutating func reportReplacedFile() {
    guard let each = script.each else { return }
    for other in [script] + script.allAttachedScripts {
      guard let binding = other.firstBinding(of: [each.name]) else { continue }
      mistakes.append(
        Diagnostic(
          .syntax,
          "`\(binding.verb)` replaces the file that `each` binds to `\(each.name)`; choose another name",
          at: binding.span))
    }
  }

  /// Reports names that directives bind and no command reads: the runs of the script would be the same.
  private mutating func reportUnreadNames() {
    var bound: [(name: String, line: Int)] = script.steps.compactMap { step in
      if case .set(let name, _) = step.directive { (name, step.line) } else { nil }
    }
    if let each = script.each { bound.append((each.name, each.line)) }
    if bound.isEmpty { return }
    let scripts = [script] + script.allAttachedScripts
    // The other script may read them.
    if scripts.contains(where: { $0.commands.contains { $0.has(verb: "source") } }) { return }
    let read = scripts.reduce(into: Set()) { $0.formUnion($1.namesInCommands) }
    for (name, line) in bound where !read.contains(name) {
      report("no command reads `\(name)`; remove this line, or correct the name", at: line)
    }
  }

  private mutating func report(_ message: String, at line: Int) {
    mistakes.append(
      Diagnostic(.syntax, message, at: Span(script.source, script.source.line(line))))
  }

  /// Reports directives about runs in a lesson, whose parts are not run one after another.
  private mutating func reportRunsOfLesson() {
    let sections = script.sections.map(\.setting) + [script.setting]
    let attached = sections.flatMap { $0.before + $0.after }
    var found: [(name: String, line: Int)] = attached.map { ($0.place.rawValue, $0.line) }
    for case let property? in sections.map(\.property) { found.append(("property", property.line)) }
    if let each = script.each { found.append(("each", each.line)) }
    var reported: Set<Int> = []
    for (name, line) in found where reported.insert(line).inserted {
      mistakes.append(
        Diagnostic(
          .syntax, "a lesson cannot have `\(name)`; remove this line",
          at: Span(script.source, script.source.line(line))))
    }
  }
}
