import DataTables

/// `print EXPRESSION`
struct PrintCommand: Command {
  private static let expression = Parameter(.expression)

  static let names = ["print"]
  static let parameters = [expression]
  static let summary = "Shows the value of an expression; strings are shown without quotes."
  static let examples = [
    "print \"foods by letter\"", "print letters.sectionTitles", "print (count letters) > 10",
    "count letters | print",
  ]
  static let seeAlso = ["expect", "expressions"]
  static let form = CommandForm.expression

  private let stage: Stage
  private let piped: Argument?

  init(parsing arguments: inout Arguments) throws {
    stage = arguments.stage
    piped = stage.expression == nil ? try arguments.require(Self.expression) : nil
  }

  func run(in session: inout Session) async throws -> CommandResult {
    var operand = Operand.none
    if let expression = stage.expression {
      operand = try await session.evaluate(expression)
      // A call may have ended the script.
      if case .none = operand, session.execution.exitStatus == nil {
        throw Diagnostic(
          .badArgument, "`\(expression.span.text)` returns nothing to print", at: expression.span)
      }
    } else if let piped, case .piped(let value) = piped.form {
      operand = value
    }
    return CommandResult(operand, output(of: operand, in: session))
  }

  /// A string is shown with its line ends and tabs.
  private func output(of operand: Operand, in session: Session) -> Output {
    guard case .value(.string(let text)) = operand,
      text.contains(where: { $0.isNewline || $0 == "\t" })
    else { return session.output(of: operand, at: stage.span) }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return Output(.text(lines.map(String.init), data: .string(text)))
  }
}
