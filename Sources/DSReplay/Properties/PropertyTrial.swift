import DSInterpreter
import DataSources
import DataTables

/// One run of a section with edits, in a session of its own, after the commands above the section.
struct PropertyTrial {
  private var run: ScriptRun
  private let section: ReplayScript.Section
  /// The line of the `property` directive, to which the edits are attributed.
  private let line: Int
  /// The indices of the commands whose expectations must hold.
  private let checks: Set<Int>
  /// The names that the commands of the section mention.
  private let mentioned: Set<String>
  /// The names in its commands that fetch.
  private let fetchedNames: Set<String>
  /// The reason why the first refused edit was refused.
  private(set) var refusal: String?

  /// - Parameter index: the index of the section in the script.
  init(
    _ script: ReplayScript, section index: Int, line: Int, checks: Set<Int>,
    _ environment: ReplayEnvironment, _ observer: ReplayObserver
  ) {
    section = script.sections[index]
    self.line = line
    self.checks = checks
    run = ScriptRun(script, environment, observer)
    let commands = script.commands[section.commands]
    mentioned = commands.reduce(into: []) { $0.formUnion(MentionedNames.names(in: $1.text)) }
    fetchedNames = commands.filter { $0.has(verb: "fetch") }.reduce(into: []) {
      $0.formUnion(MentionedNames.names(in: $1.text))
    }
  }

  /// Runs the sections above, and the scripts attached to this section; failures do not matter.
  mutating func prepare() async { await run.runUnjudged(before: section) }

  enum Ending {
    case held
    /// A command of the section that breaks the property, by its index in the script.
    case broken(CommandFailure, command: Int)
    /// No source that the section mentions has content to edit.
    case nothingToEdit
  }

  /// The edits that are made before a command.
  enum Edits {
    case random(RandomEdits, count: Int)
    case known([EditStep])
  }

  /// Runs the section.
  ///
  /// - Parameters:
  ///   - place: the index of the command before which the edits are made, or of an earlier one than
  ///     the first that has a source to edit.
  ///   - edits: on return, the edits that were made.
  mutating func run(_ edits: inout Edits, before place: inout Int) async -> Ending {
    var isEdited = false
    let lastCheck = checks.max() ?? -1
    for index in section.commands {
      let command = run.script.commands[index]
      // Edits below the last check would change nothing that is checked.
      if !isEdited, index >= place, index <= lastCheck {
        if let failure = await make(&edits) { return .broken(failure, command: index) }
        if case .known = edits {
          isEdited = true
          place = index
        }
      }
      if command.setting.reasonToSkip(run.environment) != nil { continue }
      if let failure = await execute(command, index) { return .broken(failure, command: index) }
      if case .quit = lastEnding { break }
    }
    return isEdited ? .held : .nothingToEdit
  }

  private var lastEnding = ExecutionOutcome.done

  /// Runs a command of the section.
  /// - Returns: the failure that breaks the property: a check that does not hold, or a violated
  ///   invariant. Other errors and other output may be consequences of the edits.
  private mutating func execute(_ command: ReplayCommand, _ index: Int) async -> CommandFailure? {
    run.prepare(command)
    _ = await run.runSteps(upTo: index)
    let captured = await run.execute(command)
    lastEnding = captured.ending
    // Other failures of a block or a call may be consequences of the edits, as those of commands are.
    let isBroken = command.isCheck || captured.failures.contains { $0.kind == .expectation }
    if checks.contains(index) && isBroken || captured.ending == .cancelled {
      return await run.failure(of: command, captured)
    }
    return await brokenInvariant(after: command)
  }

  private mutating func brokenInvariant(after command: ReplayCommand) async -> CommandFailure? {
    guard run.environment.checksInvariants,
      run.fetches.hasNewFetches(of: run.interpreter.session)
    else { return nil }
    return await run.brokenInvariant(after: command)
  }
}

// Edits.
extension PropertyTrial {
  /// Makes the edits; random ones become known.
  /// - Returns: the failure of an edit that violates an invariant.
  private mutating func make(_ edits: inout Edits) async -> CommandFailure? {
    switch edits {
    case .known(let steps):
      for step in steps { _ = await make(step) }
      return await invariantAfterEdits()
    case .random(var random, let count):
      guard !(await subjects()).isEmpty else { return nil }
      var made: [EditStep] = []
      // An edit may be refused, or may leave a source without objects.
      // After a fault of the next fetch, another fault would take the place of it.
      for _ in 0..<count where !(made.last?.isForNextFetch ?? false) {
        let subjects = await subjects()
        guard !subjects.isEmpty, let steps = await next(&random, subjects, fetchedSources) else {
          continue
        }
        for step in steps {
          if await make(step) {
            made.append(step)
            break
          }
        }
      }
      edits = .known(made)
      return await invariantAfterEdits()
    }
  }

  private func next(
    _ random: inout RandomEdits, _ subjects: [RandomEdits.Subject],
    _ fetched: RandomEdits.Fetched
  ) async -> [EditStep]? {
    // Reads of the contents are not part of the run.
    var generator = random
    let steps = try? await UnobservedReads.run {
      try await generator.next(subjects, fetched)
    }
    random = generator
    return steps
  }

  private mutating func invariantAfterEdits() async -> CommandFailure? {
    guard let first = section.commands.first else { return nil }
    return await brokenInvariant(after: run.script.commands[first].moved(toLine: line))
  }

  /// The sources that the section mentions and that have objects, in the order of their names'
  /// bindings.
  private func subjects() async -> [RandomEdits.Subject] {
    run.interpreter.session.bindings.compactMap { binding in
      guard mentioned.contains(binding.name), case .source(let source) = binding.value,
        let content = source.state.snapshot, content.numberOfObjects > 0
      else { return nil }
      return RandomEdits.Subject(name: binding.name, content: content)
    }
  }

  /// The sources that commands of the section fetch, in the order of their names' bindings.
  private var fetchedSources: RandomEdits.Fetched {
    var fetched = RandomEdits.Fetched()
    for binding in run.interpreter.session.bindings {
      guard fetchedNames.contains(binding.name), case .source(let source) = binding.value
      else { continue }
      if source.state.snapshot == nil {
        fetched.first.append(binding.name)
      } else {
        fetched.again.append(binding.name)
      }
    }
    return fetched
  }

  /// - Returns: whether the edit was made.
  private mutating func make(_ step: EditStep) async -> Bool {
    for (index, text) in step.commands.enumerated() {
      // A script of its own, also in Markdown.
      let commands = ReplayScript(
        text, path: "edit.ds", commands: run.interpreter.session.commands
      ).commands
      guard let command = commands.first, commands.count == 1 else { return false }
      run.prepare(command.moved(toLine: line))
      let captured = await run.execute(command)
      let isFault = step.endsInFault && index == step.commands.count - 1
      if let failure = captured.failures.first, !isFault {
        refusal = refusal ?? failure.message
        return false
      }
    }
    return true
  }
}
