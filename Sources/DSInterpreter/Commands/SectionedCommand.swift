import DataSources

/// `sectioned SOURCE key: … sort: …`
struct SectionedCommand: Command {
  static let names = ["sectioned"]
  static let parameters = [Parameter.source]
  static let labels = SectionedSettings.labels + [.name]
  static let synopsis = "sectioned SOURCE [key: KEYPATH] [sort: DESCRIPTORS] [mode: MODE] …"
  static let summary = "Wraps a source, sorts its objects and splits them into sections by a key."
  static let notes = [
    "`order: count desc` shows the largest sections first, to see which values occur most often; it",
    "needs `mode: groups`.",
  ]
  static let examples = [
    "let letters = sectioned foods key: name.firstCharacter sort: name",
    "let kinds = sectioned foods key: kind mode: groups order: count desc sort: name | fetch",
    "sectioned foods key: name.firstCharacter mode: fixed titles: A...Z empty: hide | fetch",
  ]
  static let seeAlso = ["fetch", "sections", "set", "sort", "keys", "modes", "index"]
  static let resultKind = ResultKind.newSource

  private let source: SourceArgument
  private let settings: SectionedSettings
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    settings = try SectionedSettings(parsing: arguments)
    name = try arguments[.name]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let inner = try await source.source(in: &session)
    let source = SectionedSource(inner, name: try await name?.string(in: &session) ?? "")
    try await settings.set(source, over: inner, in: &session)
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }
}
