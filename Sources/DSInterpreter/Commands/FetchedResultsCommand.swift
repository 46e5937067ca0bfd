import DataSources
import DataTables

/// `fetchedResults SOURCE where: … sort: … section: …`
struct FetchedResultsCommand: Command {
  static let names = ["fetchedResults"]
  static let synopsis =
    "fetchedResults SOURCE sort: DESCRIPTORS [where: PREDICATE] [section: KEYPATH] …"
  static let summary = "Filters and sorts objects, and cuts sections that the sort keeps together."
  static let labels = [
    Label(
      "sort", "key [asc|desc] [comparison], …; at least one", example: "kind, name",
      completion: .keys),
    PredicateArgument.label,
    Label(
      "section", "key path of the sections; the sort begins with it", example: "kind",
      completion: .keys),
    Label(
      "nulls", "first or last, for all of sort:", example: "last",
      completion: .words(SortDescriptor.Nulls.allCases.map(\.rawValue))),
    Label("limit", "the most objects there are", example: "10"),
    Label("batch", "how many objects are read at a time, where not at hand", example: "50"),
    Label("cache", "the name under which sections are kept", example: "Foods"),
    Label("name", "the name of the source", example: "Foods"),
  ]
  static let examples = [
    "let kinds = fetchedResults foods sort: kind, name section: kind | fetch",
    "let first = fetchedResults foods where: kind != 'sweet' sort: name limit: 3 | fetch",
  ]
  static let seeAlso = ["sectioned", "filtered", "fetch", "predicates", "sort"]
  static let gives = Gift.newSource

  let source: SourceArgument
  let request: FetchRequestArguments
  let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    request = try FetchRequestArguments(parsing: arguments)
    guard let sort = request.sort, !sort.clears else {
      throw arguments.missing("at least one sort descriptor")
    }
    name = try arguments.label("name")
  }

  func run(in session: inout Session) async throws -> Answer {
    let inner = try await source.source(in: &session)
    let request = try await request.request(over: inner, in: &session)
    let name = try await name?.string(in: &session) ?? ""
    let source = FetchedResultsSource(inner, request: request, name: name)
    return Answer(.source(source), Output(.report(session.status(of: source))))
  }
}
