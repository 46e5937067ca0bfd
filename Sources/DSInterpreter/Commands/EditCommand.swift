import DataSources

/// `edit SOURCE { … }`
struct EditCommand: BlockCommand {
  static let names = ["edit"]
  static let parameters = [Parameter.source]
  static let synopsis = "edit SOURCE { LINES }"
  static let summary = "Makes several edits of the data of a source as one change."
  static let notes = [
    "The lines name their sources as usual, run in order, and see the effects of those before them.",
    "Delegates and `watch` see one change. If a line fails, nothing has changed, and names that the",
    "block has bound are unbound. Settings cannot be changed within the block.",
  ]
  static let examples = [
    "edit foods { remove foods [0, 0]; insert foods {name: Fig, kind: fruit} }",
    "edit letters { update letters [0, 0] kind: pome; move foods [0, 1] to: [0, 0] }; undo letters",
  ]
  static let seeAlso = ["begin", "insert", "remove", "update", "move", "undo"]
  static let form = CommandForm.block(.source)
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument
  private let lines: [Line]

  init(parsing arguments: inout Arguments) throws {
    lines = arguments.stage.lines
    source = try SourceArgument(parsing: &arguments)
  }

  func run(
    in session: inout Session, body: BlockBody
  ) async throws -> (result: CommandResult, ending: ExecutionOutcome) {
    let source = try await source.source(in: &session)
    try session.beginTransaction(of: source, isBlock: true, at: self.source.span)
    let names = session.names
    let ending: ExecutionOutcome
    do {
      ending = try await body(lines, &session)
    } catch {
      _ = try session.rollbackTransaction(at: self.source.span)
      session.names = names
      throw error
    }
    guard ending == .done else {
      _ = try session.rollbackTransaction(at: self.source.span)
      session.names = names
      return (CommandResult(), ending)
    }
    return (try await session.commitTransaction(at: self.source.span), .done)
  }
}
