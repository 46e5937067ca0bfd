import DataSources
import DataTables

/// `fetchNextPage SOURCE`
struct FetchNextPageCommand: Command {
  static let names = ["fetchNextPage"]
  static let synopsis = "fetchNextPage SOURCE"
  static let summary = "Appends the next page of a paginated source, here or below."
  static let notes = [
    "A page that failed is asked for again; behind the last page nothing is asked."
  ]
  static let examples = ["let foods = paginated file:data/foods.csv; fetchNextPage foods"]
  static let seeAlso = ["paginated", "willDisplay", "fetch"]
  static let resultKind = ResultKind.sameSource

  let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let paginated = source.paginatedSources
    guard !paginated.isEmpty else {
      throw Diagnostic(
        .badArgument,
        "\(session.displayName(of: source)) has no pages (paginated makes such a source)",
        at: self.source.span)
    }
    let progress = session.progress
    for inner in paginated {
      try await session.fetching(inner, at: self.source.span) { cancellation, listener in
        try await inner.fetchNextPage(
          cancellation: cancellation, progress: progress, listener: listener)
      }
    }
    return session.fetchedResult(source)
  }
}
