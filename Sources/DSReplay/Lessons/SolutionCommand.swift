package import DSInterpreter
import DataTables

/// `solution`
package struct SolutionCommand: Command {
  package static let names = ["solution"]
  package static let summary =
    "Shows the ways to solve the exercise, after two wrong answers."
  package static let examples = ["solution"]
  package static let seeAlso = ["check", "hint"]

  private let verb: Span

  package init(parsing arguments: inout Arguments) throws { verb = arguments.stage.verb.span }

  package func run(in session: inout Session) async throws -> CommandResult {
    let open = try OpenLesson.current(in: session, at: verb)
    let exercise = try open.requireExercise(at: verb)
    let left = CheckCommand.triesLeft(try LessonProgress(of: session)[exercise, open.script])
    guard left == 0 else {
      throw Diagnostic(
        .conflict,
        "`solution` shows the answer after \(counted(left, "more wrong answer")); `check` grades yours, "
          + "`hint` helps, `skip` goes on", at: verb)
    }
    var lines: [String] = []
    for (index, solution) in exercise.solutions.enumerated() {
      if index > 0 { lines += ["", "or"] }
      lines += solution.flatMap { index in
        open.script.commands[index].text.split(separator: "\n").map { "  " + $0 }
      }
    }
    let text = lines.joined(separator: "\n")
    return CommandResult(.value(.string(text)), Output(.text(lines, data: .string(text))))
  }
}
