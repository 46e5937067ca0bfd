import DataSources

/// `multi SOURCE …`
struct MultiCommand: Command {
  static let names = ["multi"]
  static let synopsis = "multi SOURCE … [preserve: true] [name: TEXT]"
  static let summary = "Makes one source of several: a section each, titled with the source's name."
  static let labels = MultiSettings.labels + [.name]
  static let notes = [
    "The names are those that `name:` gave. A source that fails shows its old content."
  ]
  static let examples = [
    "let menu = multi foods (simple [{name: Tea}] name: Drinks) | fetch",
    "let both = multi letters (sectioned foods key: kind sort: kind) preserve: true | fetch",
    "multi letters foods | sectioned key: kind sort: kind | fetch",
  ]
  static let seeAlso = ["sectioned", "simple", "events", "tree", "sources"]
  static let resultKind = ResultKind.newSource

  let sources: [SourceArgument]
  let settings: MultiSettings
  let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    sources = try SourceArgument.all(parsing: &arguments)
    settings = try MultiSettings(parsing: arguments)
    name = try arguments.label("name")
  }

  func run(in session: inout Session) async throws -> CommandResult {
    var children: [any DataSource] = []
    for source in sources { children.append(try await source.source(in: &session)) }
    let source = MultiSource(children, name: try await name?.string(in: &session) ?? "")
    try await settings.set(source, over: source, in: &session)
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }
}
