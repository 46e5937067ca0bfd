import DataSources
import DataTables

/// `references SOURCE`
struct ReferencesCommand: Command {
  static let names = ["references"]
  static let synopsis = "references SOURCE"
  static let summary = "Gives the title of each section and where in the input its objects stand."
  static let notes = [
    "Sectioned and organized sources have references, positions from 0 in the source they wrap;",
    "of any other there are none: [].",
  ]
  static let examples = [
    "references letters", "organized foods alphabetically sort: kind | fetch | references",
    "expect foods.references == []",
  ]
  static let seeAlso = ["sections", "sectioned", "organized"]

  let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    _ = try session.content(of: source, at: self.source.span)
    let references = try (source as? any ReferencingSource)?.references().map(Value.array) ?? []
    return CommandResult(.value(.array(references)), Output(.list(references)))
  }
}
