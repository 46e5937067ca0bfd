import DataSources
import DataTables

/// `fetch SOURCE`
struct FetchCommand: Command {
  static let names = ["fetch", "fetchData"]
  static let synopsis = "fetch SOURCE [all: true] [async: true] [discard: true]"
  static let summary =
    "Brings a source and all that it wraps up to date, and gives the source back."
  private static let truth = Label.Completion.words(["true", "false"])
  static let labels = [
    Label("all", "true takes all pages of paginated sources", example: "true", completion: truth),
    Label(
      "async", "true goes on with the next command meanwhile", example: "true", completion: truth),
    Label("discard", "true reads files anew that were edited", example: "true", completion: truth),
  ]
  static let examples = [
    "fetch letters", "load data/foods.csv | fetch", "fetch letters async: true; wait letters",
  ]
  static let seeAlso = ["sections", "events", "tree", "fetchNextPage", "wait", "cancel", "sources"]
  static let resultKind = ResultKind.sameSource

  let source: SourceArgument
  let all: Argument?
  let isAsync: Argument?
  let discard: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    all = try arguments.label("all")
    isAsync = try arguments.label("async")
    discard = try arguments.label("discard")
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let demand = FetchDemand(
      takesAllPages: try all?.bool() ?? false, discardsEdits: try discard?.bool() ?? false)
    guard try isAsync?.bool() ?? false else {
      let progress = session.progress
      try await session.fetching(source, at: self.source.span) { cancellation, listener in
        try await source.fetch(
          demand, cancellation: cancellation, progress: progress, listener: listener)
      }
      return session.fetchedResult(source)
    }
    await session.fetchInBackground(source, demand, at: self.source.span)
    return session.fetchingResult(source)
  }
}

/// What is asked of a fetch beside bringing a source up to date.
struct FetchDemand: Sendable {
  let takesAllPages: Bool
  let discardsEdits: Bool
}

extension DataSource {
  func fetch(
    _ demand: FetchDemand, cancellation: Cancellation?, progress: Progress,
    listener: ((TranscriptEntry) -> Void)?
  ) async throws {
    if demand.takesAllPages {
      try await fetchAllPages(
        cancellation: cancellation, progress: progress, listener: listener)
    } else {
      try await fetchData(
        discardingEdits: demand.discardsEdits, cancellation: cancellation, progress: progress,
        listener: listener)
    }
  }
}
