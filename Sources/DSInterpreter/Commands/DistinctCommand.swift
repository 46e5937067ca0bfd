import DataSources

/// `distinct SOURCE [by: KEYPATH, …]`
struct DistinctCommand: Command {
  static let names = ["distinct"]
  static let parameters = [Parameter.source]
  static let labels = DistinctSettings.labels + [.name]
  static let summary = "Shows the first of the objects that are equal, or equal under some keys."
  static let notes = [
    "Use it to remove duplicates, or to see which values a key has; the data below are not changed.",
    "The objects are compared over all sections; null equals null. The sections are kept, without",
    "empty ones.",
  ]
  static let examples = [
    "let kinds = distinct foods by: kind | fetch; objects kinds",
    "distinct letters by: kind, name.firstCharacter | fetch", "distinct foods | fetch",
  ]
  static let seeAlso = ["columns", "top", "filtered"]
  static let resultKind = ResultKind.newSource

  private let source: SourceArgument
  private let settings: DistinctSettings
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    settings = try DistinctSettings(parsing: arguments)
    name = try arguments[.name]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let inner = try await source.source(in: &session)
    let source = DistinctSource(inner, name: try await name?.string(in: &session) ?? "")
    try await settings.set(source, over: inner, in: &session)
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }
}
