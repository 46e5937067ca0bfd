import DataSources

/// `fetchNextPage SOURCE`
struct FetchNextPageCommand: Command {
  static let names = ["fetchNextPage"]
  static let parameters = [Parameter.source]
  static let summary = "Appends the next page of a paginated source, directly or through a wrapper."
  static let notes = [
    "A page that failed is requested again; after the last page nothing is requested."
  ]
  static let examples = ["let foods = paginated file:data/foods.csv; fetchNextPage foods"]
  static let seeAlso = ["paginated", "willDisplay", "fetch"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let paginated = source.paginatedSources
    guard !paginated.isEmpty else {
      throw Diagnostic(
        .badArgument, "\(session.displayName(of: source)) has no pages (see help paginated)",
        at: self.source.span)
    }
    return try await session.fetchNextPage(of: paginated, in: source, at: self.source.span)
  }
}

/// `willDisplay SOURCE [SECTION, ROW]`
struct WillDisplayCommand: Command {
  static let names = ["willDisplay"]
  static let parameters = [Parameter.source, .indexPath]
  static let summary =
    "Announces that an object will be shown; for the last object, fetches the next page."
  static let examples = [
    "let foods = paginated file:data/foods.csv | fetch; willDisplay foods [0, 3]"
  ]
  static let seeAlso = ["paginated", "fetchNextPage"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument
  private let path: IndexPathArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    path = IndexPathArgument(try arguments.require(.indexPath))
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let located = try await path.path(in: &session)
    _ = try await session.object(at: located, of: source)
    let paginated = source.paginatedSource(displaying: located.path)
    return try await session.fetchNextPage(
      of: paginated.map { [$0] } ?? [], in: source, at: self.source.span)
  }
}
