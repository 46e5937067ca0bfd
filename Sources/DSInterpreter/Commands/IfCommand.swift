/// `if EXPRESSION { … } else { … }`
struct IfCommand: BlockCommand {
  static let names = ["if"]
  static let synopsis = "if EXPRESSION { LINES } [else { LINES }]"
  static let summary = "Runs lines if an expression is true, and others if it is false."
  static let notes = [
    "`else if` continues with another condition. The value is that of the last line that ran."
  ]
  static let examples = [
    "if foods.numberOfObjects > 10 { print \"many\" } else { print \"few\" }",
    "if letters[0].@count == 1 { print \"one\" } else if letters[0].@count == 2 { print \"two\" }",
  ]
  static let seeAlso = ["for", "def", "expressions"]
  static let form = CommandForm.block(.condition)

  private let stage: Stage
  private let condition: Expression

  init(parsing arguments: inout Arguments) throws {
    stage = arguments.stage
    guard let condition = stage.expression else { throw arguments.missing("an expression") }
    self.condition = condition
  }

  func run(
    in session: inout Session, body: BlockBody
  ) async throws -> (result: CommandResult, ending: ExecutionOutcome) {
    let lines = try await chosenLines(in: &session)
    session.result = .none
    let ending = try await body(lines, &session)
    return (CommandResult(session.result), ending)
  }

  /// The lines after the first condition that holds, else those of `else`.
  private func chosenLines(in session: inout Session) async throws -> [Line] {
    if try await session.holds(condition) { return stage.lines }
    for branch in stage.branches where try await session.holds(branch.condition) {
      return branch.lines
    }
    return stage.alternative
  }
}
