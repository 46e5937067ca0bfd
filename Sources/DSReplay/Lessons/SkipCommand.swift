package import DSInterpreter
import DataTables

/// `skip`
package struct SkipCommand: Command {
  package static let names = ["skip"]
  package static let summary =
    "Leaves the exercise unsolved, and goes on."
  package static let examples = ["skip"]
  package static let seeAlso = ["lesson", "reset"]

  package static func nameChanges(_ words: [String?]) -> NameChanges { .any }

  private let verb: Span

  package init(parsing arguments: inout Arguments) throws { verb = arguments.stage.verb.span }

  package func run(in session: inout Session) async throws -> CommandResult {
    let open = try OpenLesson.current(in: session, at: verb)
    let exercise = try open.requireExercise(at: verb)
    let (_, warnings) = try LessonProgress.update(exercise, open.script, in: &session) {
      if $0.state == .open { $0.state = .skipped }
    }
    var result = CommandResult(.none, Output(.none, warnings: warnings))
    result.following = .played(open.goOn(in: &session))
    return result
  }
}
