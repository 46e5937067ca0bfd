import DataSources
import DataTables

/// `back SOURCE NUMBER`
struct BackCommand: Command {
  private static let number = Parameter("NUMBER", .positiveInteger)

  static let names = ["back"]
  static let parameters = [Parameter.source, number]
  static let summary = "Shows an earlier content of a source until its next fetch or edit."
  static let notes = [
    "`snapshots` lists the numbers. No data changes: `undo` takes edits back. Delegates and wrappers",
    "receive the changes as after an edit. The last number, or a fetch, shows the current content.",
    "",
    "While an earlier content is shown, index paths are those of its objects. So edits through the",
    "source, `begin`, `undo`, `redo`, and `save` to the file of its data are refused; an edit below a",
    "wrapper is allowed, and the wrapper then shows its current content. `save` to another file writes",
    "the objects that are shown. A watched file that changes is fetched, which shows the current",
    "content.",
  ]
  static let examples = [
    "remove foods [0, 0]; back letters 1; diff letters; back letters 2",
    "remove foods [0, 0]; back foods 1",
  ]
  static let seeAlso = ["snapshots", "diff", "undo", "fetch"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument
  private let number: Argument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    number = try arguments.require(Self.number)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    try session.checkNoTransaction(at: self.source.span)
    _ = try session.content(of: source, at: self.source.span)
    let content = try session.keptContent(number, of: source)
    do throws(SourceError) {
      try await source.showContent(
        content.number, cancellation: session.cancellation, listener: session.eventListener)
    } catch {
      let name = session.displayName(of: source)
      let reason =
        error.kind == .changed
        ? "content \(content.number) can no longer be read: \(error.message)" : error.message
      throw Diagnostic(error.kind, "\(name): \(reason)", at: self.source.span)
    }
    return CommandResult(
      .source(source),
      Output(
        .report(session.status(of: source)),
        warnings: [session.outdatedWarning(of: source)].compactMap { $0 }
          + session.followerWarnings(of: source)))
  }
}
