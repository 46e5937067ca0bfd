/// `quit [STATUS]`
struct QuitCommand: Command {
  static let names = ["quit", "exit"]
  static let synopsis = "quit [STATUS]"
  static let summary = "Ends the script or leaves the prompt, with an exit status (0)."
  static let examples = ["quit", "quit 2"]

  let status: Int

  init(parsing arguments: inout Arguments) throws {
    let argument = arguments.take()
    status = try argument?.natural() ?? 0
    guard status <= 255 else {
      throw Diagnostic(
        .badArgument, "an exit status is at most 255", at: argument?.span ?? arguments.stage.span)
    }
  }

  func run(in session: inout Session) async throws -> CommandResult {
    session.exitStatus = status
    return CommandResult()
  }
}
