/// `require EXPRESSION`: as `expect`, and nothing after it makes sense when it fails.
struct RequireCommand: Command {
  static let names = ["require"]
  static let synopsis = "require EXPRESSION; require throws KIND: COMMAND"
  static let summary = "As expect; a failure ends the script even with --keep-going."
  static let examples = ["require foods.numberOfObjects > 0"]
  static let seeAlso = ["expect", "expressions"]
  static let form = CommandForm.check

  let expectation: Expectation

  init(parsing arguments: inout Arguments) throws {
    expectation = try Expectation(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    try await expectation.check(in: &session)
    return CommandResult()
  }
}
