import DataSources
import DataTables

/// `collated SOURCE key: …`
struct CollatedCommand: Command {
  static let names = ["collated"]
  static let synopsis = "collated SOURCE key: KEYPATH [locale: NAME] [sort: DESCRIPTORS] …"
  static let summary =
    "Wraps a source and puts its objects under the letters of a language, # last."
  static let labels = CollatedSettings.labels + [.name]
  static let examples = [
    "let index = collated foods key: name | fetch",
    "collated foods key: name empty: hide locale: sv | fetch | sections",
  ]
  static let seeAlso = ["sectioned", "sectionForIndexTitle", "indexTitles", "modes", "index"]
  static let resultKind = ResultKind.newSource

  let source: SourceArgument
  let settings: CollatedSettings
  let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    guard try arguments.label("key") != nil else { throw arguments.missing("`key:`") }
    settings = try CollatedSettings(parsing: arguments)
    name = try arguments.label("name")
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let inner = try await source.source(in: &session)
    // The settings bring the key.
    let source = CollatedSource(
      inner, key: ObjectKeyPath(key: "SELF"), name: try await name?.string(in: &session) ?? "")
    try await settings.set(source, over: inner, in: &session)
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }
}
