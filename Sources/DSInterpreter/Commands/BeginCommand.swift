import DataSources
import DataTables

/// `begin SOURCE`
struct BeginCommand: Command {
  static let names = ["begin"]
  static let parameters = [Parameter.source]
  static let summary = "Begins a transaction: the edits that follow become one change at `commit`."
  static let notes = [
    "Until then, the edits are seen by commands, but not by delegates and `watch`. An edit that fails",
    "changes nothing, and the transaction goes on. Only the data below the source can be edited;",
    "nothing can be fetched, and no settings can be changed.",
  ]
  static let examples = ["begin foods; remove foods [0, 0]; update foods [0, 0] kind: pie; commit"]
  static let seeAlso = ["commit", "rollback", "edit", "undo"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    try session.beginTransaction(of: source, isBlock: false, at: self.source.span)
    let name = session.displayName(of: source)
    let report = Report(
      headline: "\(name): transaction (commit or rollback ends it)",
      data: Record([("source", .string(name)), ("transaction", true)]))
    return CommandResult(.source(source), Output(.report(report)))
  }
}
