import DataSources
import DataTables

/// `references SOURCE`
struct ReferencesCommand: Command {
  static let names = ["references"]
  static let synopsis = "references SOURCE"
  static let summary = "Gives the title of each section and where in the input its objects stand."
  static let examples = ["references letters"]
  static let seeAlso = ["sections", "sectioned"]

  let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> Answer {
    let source = try await source.source(in: &session)
    _ = try session.content(of: source, at: self.source.span)
    guard let referencing = source as? any ReferencingSource else {
      throw Diagnostic(
        .badArgument,
        "\(session.displayName(of: source)) is a \(type(of: source).kind) source; references are "
          + "those of a sectioned or organized one", at: self.source.span)
    }
    let references = try referencing.references().map(Value.array)
    return Answer(.value(.array(references)), Output(.list(references)))
  }
}
