package import DSInterpreter
import DataTables

/// `hint`
package struct HintCommand: Command {
  package static let names = ["hint"]
  package static let summary =
    "Shows the next hint for the exercise."
  package static let examples = ["hint"]
  package static let seeAlso = ["check", "solution"]

  private let verb: Span

  package init(parsing arguments: inout Arguments) throws { verb = arguments.stage.verb.span }

  package func run(in session: inout Session) async throws -> CommandResult {
    let open = try OpenLesson.current(in: session, at: verb)
    let exercise = try open.requireExercise(at: verb)
    guard !exercise.hints.isEmpty else {
      throw Diagnostic(.notFound, "the exercise has no hints", at: verb)
    }
    let before = try LessonProgress(of: session)[exercise, open.script].hints
    let (progress, warnings) = try LessonProgress.update(exercise, open.script, in: &session) {
      $0.hints = min($0.hints + 1, exercise.hints.count)
    }
    let number = progress.hints
    let all = exercise.hints.count
    let text =
      "Hint \(number) of \(all): \(exercise.hints[number - 1])"
      + (before == all ? " (This is the last one; `solution` shows the answer.)" : "")
    return CommandResult(
      .value(.string(exercise.hints[number - 1])),
      Output(.text([text], data: .string(text)), warnings: warnings))
  }
}
