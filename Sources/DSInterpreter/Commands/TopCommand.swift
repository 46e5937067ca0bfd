import DataSources

/// `top SOURCE N by: DESCRIPTORS`
struct TopCommand: Command {
  private static let limit = Parameter(.positiveInteger)

  static let names = ["top"]
  static let parameters = [Parameter.source, limit]
  static let labels = TopSettings.verbLabels + [.name]
  static let synopsis = "top SOURCE N by: DESCRIPTORS [nulls: first|last] [locale: LOCALE] …"
  static let summary = "Shows the first objects in a sort order, without sorting all of them."
  static let notes = [
    "`by: KEY desc` shows the objects with the largest, latest or most recent values; `by: KEY` those",
    "with the smallest or earliest ones.",
    "Objects that sort as equal keep their order, so the first of them are shown. The result has one",
    "section; `sectioned` splits it.",
  ]
  static let examples = [
    "top foods 3 by: name.length desc, name | fetch",
    "top letters 5 by: kind | sectioned key: kind sort: kind | fetch",
  ]
  static let seeAlso = ["limit", "sectioned", "fetchedResults", "sort"]
  static let resultKind = ResultKind.newSource

  private let source: SourceArgument
  private let settings: TopSettings
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    settings = try TopSettings(parsing: arguments, limit: try arguments.require(Self.limit))
    guard settings.sort.isGiven else { throw arguments.missing("`by:`") }
    name = try arguments[.name]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let inner = try await source.source(in: &session)
    // The limit and the sort are set with the other settings below.
    let source = TopSource(
      inner, limit: 1, by: [], name: try await name?.string(in: &session) ?? "")
    try await settings.set(source, over: inner, in: &session)
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }
}
