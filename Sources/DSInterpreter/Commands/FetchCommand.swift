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
  static let gives = Gift.sameSource

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

  func run(in session: inout Session) async throws -> Answer {
    let source = try await source.source(in: &session)
    let demand = FetchDemand(
      takesAllPages: try all?.bool() ?? false, discardsEdits: try discard?.bool() ?? false)
    let isAsync = try isAsync?.bool() ?? false
    return isAsync
      ? await session.fetchInBackground(source, demand, at: self.source.span)
      : try await session.fetch(source, demand, at: self.source.span)
  }
}
