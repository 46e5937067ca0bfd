import DataTables

/// `more`
struct MoreCommand: Command {
  static let names = [ListingCommand.more]
  static let summary = "Shows the next rows of the last result that was cut."
  static let notes = [
    "After `show`, the next sections follow, then the other rows of all sections.",
    "`option rows` is the number of rows shown at once.",
  ]
  static let examples = ["show letters first: 1; more", "objects foods first: 5; more"]
  static let seeAlso = ["show", "objects", "option"]

  private let verb: Word

  init(parsing arguments: inout Arguments) throws { verb = arguments.stage.verb }

  func run(in session: inout Session) async throws -> CommandResult {
    guard let rest = session.rest else {
      throw Diagnostic(.notFound, "there is nothing more to show", at: verb.span)
    }
    return CommandResult(.none, Output(rest.content))
  }
}
