import DSInterpreter
import DataSources

/// Verifies a lesson: what it shows, and that its exercises grade as they promise.
struct LessonVerification {
  private let script: ReplayScript
  private var environment: ReplayEnvironment
  /// Selects the part of a line; nil for all parts.
  private let selectedLine: Int?
  private let observer: ReplayObserver

  init(
    _ script: ReplayScript, _ environment: ReplayEnvironment, _ observer: ReplayObserver
  ) {
    self.script = script
    self.environment = environment
    // A part is selected as a whole.
    self.environment.onlyLine = nil
    selectedLine = environment.onlyLine
    self.observer = observer
  }

  /// - Returns: the outcome, with a section for each part of the lesson.
  func run(_ lesson: Lesson) async -> FileOutcome {
    var outcome = FileOutcome(path: script.path)
    outcome.stamp = script.stamp
    let selected = selectedLine.map { line in
      lesson.parts.lastIndex { $0.line <= line } ?? 0
    }
    for (index, part) in lesson.parts.enumerated() {
      var sections: [SectionOutcome]
      switch part {
      case _ where selected ?? index != index:
        var section = SectionOutcome(title: part.title ?? lesson.title, line: part.line)
        section.notRunCommands = 1
        section.reason = "not selected"
        sections = [section]
      case .demonstration(let demonstration):
        if demonstration.commands.isEmpty { continue }
        sections = await verify(demonstration, title: lesson.title)
      case .exercise(let exercise): sections = [await verify(exercise)]
      }
      for section in sections.indices { sections[section].updateStatus() }
      outcome.sections += sections
      if index < lesson.parts.count - 1 { sections.forEach(observer.ended) }
    }
    var titles: [String?: Int] = [:]
    for index in outcome.sections.indices {
      let title = outcome.sections[index].title
      titles[title, default: 0] += 1
      outcome.sections[index].repetition = titles[title] ?? 1
    }
    return outcome
  }

  // MARK: Demonstrations

  private func verify(
    _ demonstration: Lesson.Demonstration, title: String
  ) async -> [SectionOutcome] {
    var sections = await run(
      [demonstration.commands], title: title, line: demonstration.line)
    for prediction in demonstration.predictions where sections.allSatisfy({ $0.failures.isEmpty }) {
      let commands = demonstration.commands.lowerBound..<prediction.command + 1
      if let failure = await failure(of: prediction, after: commands) {
        sections[sections.count - 1].failures.append(failure)
      }
    }
    return sections
  }

  /// Runs commands with their expectations, in a new session.
  private func run(
    _ ranges: [Range<Int>], title: String, line: Int
  ) async -> [SectionOutcome] {
    let part = script.selecting(ranges, title: title, line: line)
    return await FileOverlay.withTemporaryFolder {
      var run = ScriptRun(part, environment, observer)
      await run.run()
      return run.outcome.sections
    }
  }

  /// - Returns: why the answer to a question has no value; nil if it has one.
  private func failure(
    of prediction: Lesson.Prediction, after commands: Range<Int>
  ) async -> CommandFailure? {
    let part = script.selecting([commands], title: nil, line: prediction.line)
    let message: String? = await FileOverlay.withTemporaryFolder {
      var run = ScriptRun(part, environment, ReplayObserver())
      for (index, command) in part.commands.enumerated() {
        _ = await run.runSteps(upTo: index)
        _ = await run.execute(command)
      }
      do {
        _ = try await run.value(ofExpression: prediction.answer)
        return nil
      } catch {
        return Diagnostic(facts: error).message
      }
    }
    return message.map { failure(at: prediction.line, "the answer has no value: \($0)") }
  }

  // MARK: Exercises

  private func verify(_ exercise: Lesson.Exercise) async -> SectionOutcome {
    var section = SectionOutcome(title: exercise.title, line: exercise.line)
    let grader = ExerciseGrader(exercise, of: script, environment)
    for commands in exercise.solutions + exercise.wrong.map(\.example) {
      await run(commands, of: exercise, &section)
      // Without its facilities, nothing can be graded.
      guard section.failures.isEmpty, section.skippedCommands + section.notRunCommands == 0 else {
        return section
      }
    }
    let start = ContinuousClock.now
    var failures: [CommandFailure?] = [await failureOfStart(exercise, grader)]
    for solution in exercise.solutions {
      failures.append(await failure(ofSolution: solution, exercise, grader))
    }
    for index in exercise.wrong.indices {
      failures.append(await failure(ofWrong: index, exercise, grader))
    }
    let elapsed = (ContinuousClock.now - start).components
    section.nanoseconds +=
      Int(elapsed.seconds) * 1_000_000_000 + Int(elapsed.attoseconds / 1_000_000_000)
    section.failures += failures.compactMap(\.self)
    section.passedCommands += failures.count { $0 == nil }
    section.failures.forEach(observer.failed)
    return section
  }

  /// Runs the start and an answer with the expectations under their commands.
  private func run(
    _ answer: Range<Int>, of exercise: Lesson.Exercise, _ section: inout SectionOutcome
  ) async {
    let parts = await run(
      [exercise.start, answer], title: exercise.title, line: exercise.line)
    for part in parts {
      // A failure of the demonstration above is reported there.
      section.failures += part.failures.filter { $0.line >= exercise.line }
      if part.failures.contains(where: { $0.line < exercise.line }) {
        section.notRunCommands += 1
        section.reason = "the commands above it fail"
      }
      section.passedCommands += part.passedCommands
      section.skippedCommands += part.skippedCommands
      section.notRunCommands += part.notRunCommands
      section.nanoseconds += part.nanoseconds
      if section.reason.isEmpty { section.reason = part.reason }
    }
  }

  /// Without an answer, a check must fail.
  private func failureOfStart(
    _ exercise: Lesson.Exercise, _ grader: ExerciseGrader
  ) async -> CommandFailure? {
    switch await grader.grade([]) {
    case .wrong: nil
    case .unusable(let failure): failure
    case .right:
      failure(
        at: exercise.line,
        "the checks pass at the start, before the learner has done anything; add one that fails there"
      )
    }
  }

  private func failure(
    ofSolution solution: Range<Int>, _ exercise: Lesson.Exercise, _ grader: ExerciseGrader
  ) async -> CommandFailure? {
    guard let first = solution.first else { return nil }
    announce(solution)
    switch await grader.grade(Array(script.commands[solution])) {
    case .right: return nil
    case .unusable(let failure): return failure
    case .wrong(let failed, _):
      let place = failed.hidden.map { " with hidden commands (\($0))" } ?? ""
      return failure(
        at: script.commands[first].lines.lowerBound,
        "the solution fails the check of line \(failed.failure.line)\(place)",
        failed.lines)
    }
  }

  /// Each example must fail, and get the message of its own misconception.
  private func failure(
    ofWrong index: Int, _ exercise: Lesson.Exercise, _ grader: ExerciseGrader
  ) async -> CommandFailure? {
    let wrong = exercise.wrong[index]
    announce(wrong.example)
    if wrong.condition == nil, await grader.bindsNothing(Array(script.commands[wrong.example])) {
      return failure(
        at: wrong.line,
        "this example binds the same as no answer, so its message would be shown for every answer that "
          + "binds nothing; write `#% when` with what is special about it")
    }
    switch await grader.grade(Array(script.commands[wrong.example])) {
    case .right:
      return failure(
        at: wrong.line, "this wrong answer passes all checks; add a check that it fails")
    case .unusable(let failure): return failure
    case .wrong(_, misconception: let found?):
      if found.index == index { return nil }
      return failure(
        at: wrong.line,
        "this wrong answer gets the message of line \(exercise.wrong[found.index].line); "
          + "make the `#% when` there narrower, or put this one above it")
    case .wrong(let failed, misconception: nil):
      let place = failed.hidden.map { ", with hidden commands (\($0))" } ?? ""
      return failure(
        at: wrong.line,
        "its `#% when` does not recognize this wrong answer\(place)", failed.lines)
    }
  }

  /// Reports the running command to a pool, for its time limit.
  private func announce(_ commands: Range<Int>) {
    if let first = commands.first { observer.aboutToRun(script.commands[first]) }
  }

  private func failure(
    at line: Int, _ message: String, _ lines: [String] = []
  ) -> CommandFailure {
    var failure = CommandFailure(line: line, kind: .lesson, message: message)
    failure.picture =
      FailurePicture.lines(
        ofDirectiveAt: line, in: script, section: script.section(at: line), note: message,
        rerun: nil)
      + lines.map { "       " + $0 }
    return failure
  }
}

extension ReplayScript {
  /// The index of the section with a line.
  fileprivate func section(at line: Int) -> Int {
    sections.lastIndex { $0.line <= line } ?? 0
  }
}
