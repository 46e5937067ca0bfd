package import DSInterpreter
import DataTables

/// `check`
package struct CheckCommand: Command {
  package static let names = ["check"]
  package static let summary =
    "Grades the answer to the exercise that is shown, by what it binds."
  package static let notes = [
    "The commands of the answer run again over other objects, so that an answer that fits only those",
    "that are shown is not right. How they are written makes no difference.",
  ]
  package static let examples = ["check"]
  package static let seeAlso = ["hint", "solution", "lesson"]

  private let verb: Span

  package init(parsing arguments: inout Arguments) throws { verb = arguments.stage.verb.span }

  package func run(in session: inout Session) async throws -> CommandResult {
    let open = try OpenLesson.current(in: session, at: verb)
    let exercise = try open.requireExercise(at: verb)
    let grader = ExerciseGrader(exercise, of: open.script, ReplayEnvironment(of: session))
    let grade = await grader.grade(open.answerCommands(in: session))
    try session.cancellation.check()
    if case .wrong = grade, let failure = await grader.failureOfSolution() {
      try session.cancellation.check()
      throw Self.wrong(open.lesson, failure, at: verb)
    }
    switch grade {
    case .unusable(let failure):
      throw Self.wrong(open.lesson, failure, at: verb)
    case .right:
      let (_, warnings) = try LessonProgress.update(exercise, open.script, in: &session) {
        $0.state = .solved
      }
      return Self.result(
        ["Right."] + (exercise.explanation.isEmpty ? [] : [""] + exercise.explanation)
          + ["", open.ending], isRight: true, warnings)
    case .wrong(let failed, let misconception):
      let (progress, warnings) = try LessonProgress.update(exercise, open.script, in: &session) {
        $0.tries += 1
      }
      return Self.result(
        Self.lines(failed, misconception, exercise) + [Self.help(exercise, progress)],
        isRight: false, warnings)
    }
  }

  private static func wrong(
    _ lesson: Lesson, _ failure: CommandFailure, at verb: Span
  ) -> Diagnostic {
    Diagnostic(
      .conflict,
      "the lesson \"\(lesson.title)\" is wrong at line \(failure.line): \(failure.message)",
      at: verb)
  }

  private static func result(
    _ lines: [String], isRight: Bool, _ warnings: [String]
  ) -> CommandResult {
    let data = Value.record(
      Record([
        ("right", .bool(isRight)), ("message", .string(lines.joined(separator: "\n"))),
      ]))
    return CommandResult(
      .value(.bool(isRight)), Output(.text(lines, data: data), warnings: warnings))
  }

  private static func lines(
    _ failed: ExerciseGrader.FailedCheck, _ misconception: ExerciseGrader.RecognizedMisconception?,
    _ exercise: Lesson.Exercise
  ) -> [String] {
    let place = failed.hidden.map {
      "Your answer is right for the objects that you see, but not for others: \($0)."
    }
    if let misconception {
      return (place.map { [$0] } ?? []) + [exercise.wrong[misconception.index].message]
        + misconception.lines
    }
    return [place ?? "Not yet."]
      + (failed.answerError.map { ["The last command that failed: \($0)"] } ?? [])
      + shown(failed.lines)
  }

  /// The values in a failed check without the expected ones, which would be the answer.
  private static func shown(_ lines: [String]) -> [String] {
    lines.filter { !$0.hasPrefix("  expected") && !$0.hasPrefix("error: ") }.map { line in
      line.count > mostCharacters ? String(line.prefix(mostCharacters)) + "…" : line
    }
  }

  private static let mostCharacters = 160
  private static let triesBeforeSolution = 2

  private static func help(
    _ exercise: Lesson.Exercise, _ progress: ExerciseProgress
  ) -> String {
    if progress.tries >= triesBeforeSolution {
      return "`hint` helps, and `solution` shows the answer."
    }
    return exercise.hints.isEmpty ? "Change it, and `check` again." : "`hint` helps."
  }

  /// The answers that must be wrong before `solution` shows the right one.
  static func triesLeft(_ progress: ExerciseProgress) -> Int {
    progress.state == .solved ? 0 : max(0, triesBeforeSolution - progress.tries)
  }
}
