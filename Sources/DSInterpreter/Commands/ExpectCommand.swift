/// `expect EXPRESSION`, `expect throws KIND: COMMAND`.
struct ExpectCommand: Command {
  static let names = ["expect"]
  static let synopsis = "expect EXPRESSION; expect throws KIND: COMMAND"
  static let summary = "Fails when an expression is not true, or a command does not fail as told."
  static let notes = [
    "== != < <= > >= IN BETWEEN   compare values; unlike types are unequal",
    "CONTAINS BEGINSWITH ENDSWITH compare strings; [cd] leaves case and accents aside",
    "LIKE MATCHES                 match * and ?, or a regular expression",
    "and or not ( )               join expressions",
  ]
  static let examples = [
    "expect letters.numberOfSections == 8",
    "expect letters[5, 1].name == \"Pie\"",
    "expect (indexPath letters {name: Grape}) == [3, 0]",
    "expect throws outOfRange: object letters [9, 0]",
  ]
  static let seeAlso = ["require", "print", "expressions"]
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
