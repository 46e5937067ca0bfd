import DataSources
import DataTables

/// `references SOURCE`
struct ReferencesCommand: Command {
  static let names = ["references"]
  static let synopsis = "references SOURCE"
  static let summary = "Gives the title of each section and where in the input its objects stand."
  static let notes = ["Only a sectioned source has references; of any other there are none: []."]
  static let examples = ["references letters", "expect foods.references == []"]
  static let seeAlso = ["sections", "sectioned"]

  let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> Answer {
    let source = try await source.source(in: &session)
    _ = try session.content(of: source, at: self.source.span)
    let references = try (source as? any ReferencingSource)?.references().map(Value.array) ?? []
    return Answer(.value(.array(references)), Output(.list(references)))
  }
}
