/// `expect EXPRESSION`, `expect throws KIND: COMMAND`
struct ExpectCommand: Command {
  static let names = ["expect"]
  static let parameters = [Parameter(.expression)]
  static let synopsis =
    "expect EXPRESSION; expect all|none SOURCE where: PREDICATE; expect throws KIND: COMMAND"
  static let summary =
    "Fails unless an expression is true, or a command fails with the expected kind of error."
  static let notes = [
    "expect all|none SOURCE where: PREDICATE   every object satisfies a predicate, or none does",
    "expect unique SOURCE KEY                  no two objects have the same value",
    "expect sorted SOURCE by: DESCRIPTORS      a sort would not change the order; `nulls: last`",
    "SOURCE [SECTION] checks the objects of one section.",
    "",
    "== != < <= > >= IN BETWEEN   compare values; values of different types are unequal",
    "CONTAINS BEGINSWITH ENDSWITH compare strings; [cd] ignores case and accents",
    "LIKE MATCHES                 match * and ?, or a regular expression",
    "and or not ( )               combine expressions",
  ]
  static let examples = [
    "expect letters.numberOfSections == 8",
    "expect letters[5, 1].name == \"Pie\"",
    "expect (indexPath letters {name: Grape}) == [3, 0]",
    "expect all foods where: name != null", "expect none foods where: kind == 'meat'",
    "expect unique foods name", "expect sorted letters by: name",
    "expect throws outOfRange: object letters [9, 0]",
  ]
  static let seeAlso = ["require", "print", "expressions"]
  static let form = CommandForm.check(isRequired: false)

  private let expectation: ExpectationCheck

  init(parsing arguments: inout Arguments) throws {
    expectation = try ExpectationCheck(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    try await expectation.check(in: &session)
    return CommandResult()
  }
}

/// `require EXPRESSION`, `require throws KIND: COMMAND`: an expectation on which the rest of the
/// script depends.
struct RequireCommand: Command {
  static let names = ["require"]
  static let parameters = ExpectCommand.parameters
  static let synopsis = "require EXPRESSION; require throws KIND: COMMAND"
  static let summary = "Like expect, but a failure ends the script even with --keep-going."
  static let examples = ["require foods.numberOfObjects > 0"]
  static let seeAlso = ["expect", "expressions"]
  static let form = CommandForm.check(isRequired: true)

  private let expectation: ExpectationCheck

  init(parsing arguments: inout Arguments) throws {
    expectation = try ExpectationCheck(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    try await expectation.check(in: &session)
    return CommandResult()
  }
}
