import DataSources

/// `fetchedResults SOURCE where: … sort: … section: …`
struct FetchedResultsCommand: Command {
  static let names = ["fetchedResults"]
  static let parameters = [Parameter.source]
  static let labels = FetchedResultsSettings.labels + [.name]
  static let synopsis =
    "fetchedResults SOURCE sort: DESCRIPTORS [where: PREDICATE] [section: KEYPATH] …"
  static let summary = "Filters and sorts objects; `section:` splits them by the first sort key."
  static let examples = [
    "let kinds = fetchedResults foods sort: kind, name section: kind | fetch",
    "let first = fetchedResults foods where: kind != 'sweet' sort: name limit: 3 | fetch",
  ]
  static let seeAlso = ["sectioned", "filtered", "fetch", "predicates", "sort"]
  static let resultKind = ResultKind.newSource

  private let source: SourceArgument
  private let settings: FetchedResultsSettings
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    settings = try FetchedResultsSettings(parsing: arguments)
    guard settings.sort.isGiven else {
      throw arguments.missing(ArgumentType.sortDescriptors.phrase)
    }
    name = try arguments[.name]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let inner = try await source.source(in: &session)
    let request = try await settings.request(over: inner, in: &session)
    let name = try await name?.string(in: &session) ?? ""
    let source = FetchedResultsSource(inner, request: request, name: name)
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }
}
