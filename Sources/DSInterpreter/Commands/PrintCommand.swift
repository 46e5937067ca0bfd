import DataTables

/// `print EXPRESSION`
struct PrintCommand: Command {
  static let names = ["print"]
  static let synopsis = "print EXPRESSION"
  static let summary = "Shows what an expression gives; texts are shown without quotes."
  static let examples = [
    "print \"foods by letter\"", "print letters.sectionTitles", "print (count letters) > 10",
    "count letters | print",
  ]
  static let seeAlso = ["expect", "expressions"]
  static let form = CommandForm.expression

  let expression: Expression?
  let piped: Argument?
  let span: Span

  init(parsing arguments: inout Arguments) throws {
    expression = arguments.stage.expression
    span = arguments.stage.span
    piped = expression == nil ? try arguments.required("an expression") : nil
  }

  func run(in session: inout Session) async throws -> Answer {
    var operand = Operand.none
    if let expression {
      operand = try await session.evaluate(expression)
    } else if let piped, case .piped(let value) = piped.form {
      operand = value
    }
    return Answer(operand, session.output(of: operand, at: span))
  }
}
