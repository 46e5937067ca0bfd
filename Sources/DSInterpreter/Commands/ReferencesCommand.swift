import DataSources
import DataTables

/// `references SOURCE`
struct ReferencesCommand: Command {
  static let names = ["references"]
  static let parameters = [Parameter.source]
  static let summary =
    "Returns each section's title and the positions of its objects in the wrapped source."
  static let notes = [
    "Sectioned and organized sources have references, counted from 0; other sources return []."
  ]
  static let examples = [
    "references letters", "organized foods alphabetically sort: kind | fetch | references",
    "expect foods.references == []",
  ]
  static let seeAlso = ["sections", "sectioned", "organized"]

  private let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    _ = try session.content(of: source, at: self.source.span)
    var references: [Value] = []
    do {
      references =
        try await (source as? any ReferencingSource)?
        .references(cancellation: session.cancellation).map(Value.array) ?? []
    } catch {
      throw session.diagnostic(ofEarlierContent: error, below: source, at: self.source.span)
        ?? error
    }
    return CommandResult(.value(.array(references)), Output(.list(references)))
  }
}
