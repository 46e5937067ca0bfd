import DataSources
import DataTables

/// `collated SOURCE key: …`
struct CollatedCommand: Command {
  static let names = ["collated"]
  static let parameters = [Parameter.source]
  static let labels = CollatedSettings.labels + [.name]
  static let synopsis = "collated SOURCE key: KEYPATH [locale: LOCALE] [sort: DESCRIPTORS] …"
  static let summary =
    "Wraps a source, with a section for each letter of a language, and # for the rest."
  static let examples = [
    "let index = collated foods key: name | fetch",
    "collated foods key: name empty: hide locale: sv | fetch | sections",
  ]
  static let seeAlso = ["sectioned", "sectionForIndexTitle", "indexTitles", "modes", "index"]
  static let resultKind = ResultKind.newSource

  private let source: SourceArgument
  private let settings: CollatedSettings
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    guard try arguments[CollatedSettings.key] != nil else { throw arguments.missing("`key:`") }
    settings = try CollatedSettings(parsing: arguments)
    name = try arguments[.name]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let inner = try await source.source(in: &session)
    // The settings below replace this provisional key.
    let source = CollatedSource(
      inner, key: ObjectKeyPath(key: "SELF"), name: try await name?.string(in: &session) ?? "")
    try await settings.set(source, over: inner, in: &session)
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }
}
