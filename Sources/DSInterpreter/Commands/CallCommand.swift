import DataSources
import DataTables

/// A call of a verb that a script defines with `def`.
///
/// Alone on its line, it shows the results of its lines, as a block does. In a pipe, in parentheses
/// and after `let`, only its value is used.
struct CallCommand: Command, BlockCommand {
  private static let argument = Parameter("ARGUMENT", .value, .repeated)

  /// Not in the table of commands: its verbs are those of the definitions.
  static let names: [String] = []
  static let parameters = [argument]
  /// The labels are those of the signature.
  static let labelsAreKeys = true
  static let summary = "Runs the lines of a command that a script defines."
  static let examples: [String] = []
  static let form = CommandForm.arguments

  private let stage: Stage
  private let signature: Signature
  private var arguments: [(name: String, value: Argument)] = []

  init(parsing arguments: inout Arguments) throws {
    stage = arguments.stage
    guard let signature = stage.signature else { throw arguments.missing("a definition") }
    self.signature = signature
    for parameter in signature.parameters {
      guard let argument = try arguments.take(Self.argument) else {
        throw missing(parameter)
      }
      self.arguments.append((parameter, argument))
    }
    if let extra = arguments.peek(.value) {
      throw extra.error(
        .badArgument, "unexpected argument `\(extra.span.text)`: `\(signature.synopsis)`")
    }
    let values = try arguments.valuesByKey()
    let known = signature.labels.map(\.name)
    for (label, _) in values where !known.contains(label.text) {
      let near = Suggestion.nearest(to: label.text, among: known).map { "\($0):" }
      throw Diagnostic(
        .badArgument,
        "\(signature.name) has no label `\(label.text):`"
          + (near == nil ? ": `\(signature.synopsis)`" : ""), suggestion: near, at: label.span)
    }
    for (label, value) in values { self.arguments.append((label.text, value)) }
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let stage = stage
    let (result, _) = try await run(in: &session) { lines, session in
      try await session.execution.runSilently(lines, of: stage, in: &session)
      return .done
    }
    return CommandResult(
      result.operand, session.output(of: result.operand, at: stage.span))
  }

  func run(
    in session: inout Session, body: BlockBody
  ) async throws -> (result: CommandResult, ending: ExecutionOutcome) {
    guard
      let definition = session.commands.definition(named: signature.name) as? Definition
    else {
      let isSameFile = signature.place.file == stage.verb.span.script.file
      let file = isSameFile ? nil : signature.place.file.map { " of \($0)" }
      throw Diagnostic(
        .unknownVerb,
        "`\(signature.name)` is defined in line \(signature.place.line)\(file ?? ""), which has not "
          + "run", at: stage.verb.span)
    }
    var values: [String: Operand] = [:]
    for (name, argument) in arguments {
      values[name] = try await operand(of: argument, in: &session)
    }
    for (label, value) in zip(signature.labels, definition.defaults)
    where values[label.name] == nil {
      values[label.name] = try await operand(of: Argument(value), in: &session)
    }
    session.result = .none
    session.names.enterBlock(values, isCall: true)
    defer { session.names.leaveBlock() }
    let ending = try await session.execution.calling(stage) {
      try await body(definition.lines, &session)
    }
    return (CommandResult(session.result), ending)
  }

  private func operand(
    of argument: Argument, in session: inout Session
  ) async throws -> Operand {
    if case .piped(let operand) = argument.form { return operand }
    return try await argument.operand(in: &session)
  }

  private func missing(_ parameter: String) -> Diagnostic {
    Diagnostic(
      .badArgument, "\(signature.name) needs \(parameter): `\(signature.synopsis)`",
      at: stage.verb.span)
  }
}
