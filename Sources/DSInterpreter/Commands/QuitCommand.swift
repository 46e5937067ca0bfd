/// `quit [STATUS]`
struct QuitCommand: Command {
  private static let status = Parameter("STATUS", .integer(0...255), .optional)

  static let names = ["quit", "exit"]
  static let parameters = [status]
  static let summary = "Ends the script or the session with an exit status, 0 if omitted."
  static let notes = [
    "At the prompt, edits of files that are not saved are reported first; `quit` again leaves without",
    "them.",
  ]
  static let examples = ["quit", "quit 2"]
  static let endsScript = true

  private let status: Int

  init(parsing arguments: inout Arguments) throws {
    status = try arguments.take(Self.status)?.integer() ?? 0
  }

  func run(in session: inout Session) async throws -> CommandResult {
    if session.options.isInteractive, let refusal = session.execution.refusalToQuit(in: session) {
      return CommandResult(.none, Output(.none, warnings: [refusal]))
    }
    session.execution.exitStatus = status
    let warning = session.endTransaction()
    return CommandResult(.none, Output(.none, warnings: warning.map { [$0] } ?? []))
  }
}
