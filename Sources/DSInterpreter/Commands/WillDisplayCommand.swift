import DataSources
import DataTables

/// `willDisplay SOURCE [SECTION, ROW]`
struct WillDisplayCommand: Command {
  static let names = ["willDisplay"]
  static let synopsis = "willDisplay SOURCE [SECTION, ROW]"
  static let summary =
    "Tells a source that an object is about to be seen: the last one brings a page."
  static let examples = [
    "let foods = paginated file:data/foods.csv | fetch; willDisplay foods [0, 3]"
  ]
  static let seeAlso = ["paginated", "fetchNextPage"]
  static let resultKind = ResultKind.sameSource

  let source: SourceArgument
  let path: IndexPathArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    path = IndexPathArgument(try arguments.required("a place"))
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let place = try await path.path(in: &session)
    _ = try await session.object(
      at: place.path, of: source, sectionAt: place.sectionAt, rowAt: place.rowAt)
    if let paginated = source.paginatedSource(displaying: place.path) {
      let progress = session.progress
      try await session.fetching(paginated, at: self.source.span) { cancellation, listener in
        try await paginated.fetchNextPage(
          cancellation: cancellation, progress: progress, listener: listener)
      }
    }
    return session.fetchedResult(source)
  }
}
