package import DSInterpreter
import DataTables

/// `answer VALUE`
package struct AnswerCommand: Command {
  private static let value = Parameter("VALUE", .value, .optional)

  package static let names = ["answer"]
  package static let parameters = [value]
  package static let summary =
    "Answers the question of a lesson about the next command, which then runs."
  package static let examples = ["answer 3", "answer [1, 0]", "answer finished"]
  package static let seeAlso = ["lesson", "check"]

  package static func nameChanges(_ words: [String?]) -> NameChanges { .any }

  private let value: Argument?
  private let verb: Span

  package init(parsing arguments: inout Arguments) throws {
    verb = arguments.stage.verb.span
    value = try arguments.take(Self.value)
  }

  package func run(in session: inout Session) async throws -> CommandResult {
    let open = try OpenLesson.current(in: session, at: verb)
    guard open.question != nil else {
      throw Diagnostic(
        .notFound,
        open.exercise == nil
          ? "no question is waiting; `lesson` goes on"
          : "no question is waiting; `check` grades the exercise",
        at: verb)
    }
    guard let value else {
      throw Diagnostic(
        .syntax, "`answer` expects the value that you predict: `answer 3`", at: verb)
    }
    let predicted = try await value.value(in: &session)
    var result = CommandResult()
    if let played = open.goOn(answering: predicted, in: &session) {
      result.following = .played(played)
    }
    return result
  }
}
