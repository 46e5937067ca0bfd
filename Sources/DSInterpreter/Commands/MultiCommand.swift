import DataSources

/// `multi SOURCE …`
struct MultiCommand: Command {
  private static let sources = Parameter(.source, .repeated)

  static let names = ["multi"]
  static let parameters = [sources]
  static let labels = MultiSettings.labels + [.name]
  static let summary = "Joins sources: each becomes a section, titled with the name of the source."
  static let notes = [
    "The title is the source's own name, from `name:`. A source that fails shows its old content."
  ]
  static let examples = [
    "let menu = multi foods (simple [{name: Tea}] name: Drinks) | fetch",
    "let both = multi letters (sectioned foods key: kind sort: kind) preserve: true | fetch",
    "multi letters foods | sectioned key: kind sort: kind | fetch",
  ]
  static let seeAlso = ["sectioned", "simple", "events", "tree", "sources"]
  static let resultKind = ResultKind.newSource

  private let sources: [SourceArgument]
  private let settings: MultiSettings
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    sources = try SourceArgument.all(parsing: &arguments, Self.sources)
    settings = try MultiSettings(parsing: arguments)
    name = try arguments[.name]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    var children: [any DataSource] = []
    for source in sources { children.append(try await source.source(in: &session)) }
    let source = MultiSource(children, name: try await name?.string(in: &session) ?? "")
    try await settings.set(source, over: source, in: &session)
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }
}
