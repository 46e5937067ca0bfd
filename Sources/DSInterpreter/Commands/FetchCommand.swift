import DataSources

/// `fetch SOURCE [all: true] [async: true] [discard: true] [keep: true]`
struct FetchCommand: Command {
  private static let all = Label(
    "all", .boolean, "true to fetch all pages of paginated sources", example: "true")
  private static let isAsync = Label(
    "async", .boolean, "true to continue with the next command meanwhile", example: "true")
  private static let discard = Label(
    "discard", .boolean, "true to discard edits and read edited files again", example: "true")
  private static let keep = Label(
    "keep", .boolean,
    "true to keep edits of a changed file; `save` then needs `overwrite:`",
    example: "true")

  static let names = ["fetch", "fetchData"]
  static let parameters = [Parameter.source]
  static let labels = [all, isAsync, discard, keep]
  static let summary = "Fetches a source and everything it wraps; returns the source."
  static let examples = [
    "fetch letters", "load data/foods.csv | fetch", "fetch letters async: true; wait letters",
  ]
  static let seeAlso = ["sections", "events", "tree", "fetchNextPage", "wait", "cancel", "sources"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument
  private let all: Argument?
  private let isAsync: Argument?
  private let discard: Argument?
  private let keep: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    all = try arguments[Self.all]
    isAsync = try arguments[Self.isAsync]
    discard = try arguments[Self.discard]
    keep = try arguments[Self.keep]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    var options = session.fetchOptions
    if try all?.boolean() ?? false { options.pages = .all }
    if try discard?.boolean() ?? false { options.edits = .discard }
    if let keep, try keep.boolean() {
      if options.edits == .discard {
        throw keep.error(.badArgument, "`keep:` and `discard:` exclude each other")
      }
      options.edits = .keep
    }
    let isAsync = try isAsync?.boolean() ?? false
    return isAsync
      ? try await session.fetchInBackground(source, options, at: self.source.span)
      : try await session.fetch(source, options, at: self.source.span)
  }
}
