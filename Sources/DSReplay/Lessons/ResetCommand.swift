package import DSInterpreter
import DataTables

/// `reset`
package struct ResetCommand: Command {
  package static let names = ["reset"]
  package static let summary =
    "Begins the open exercise, or the text that is shown, again."
  package static let notes = [
    "The names that were bound since are forgotten. `progress reset` forgets what was solved."
  ]
  package static let examples = ["reset"]
  package static let seeAlso = ["lesson", "skip"]

  package static func nameChanges(_ words: [String?]) -> NameChanges { .any }

  private let verb: Span

  package init(parsing arguments: inout Arguments) throws { verb = arguments.stage.verb.span }

  package func run(in session: inout Session) async throws -> CommandResult {
    let open = try OpenLesson.current(in: session, at: verb)
    var result = CommandResult()
    result.following = .played(open.show(in: &session))
    return result
  }
}
