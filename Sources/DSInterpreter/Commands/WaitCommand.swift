import DataSources
import DataTables

/// `wait [SOURCE]`
struct WaitCommand: Command {
  static let names = ["wait"]
  static let synopsis = "wait [SOURCE]"
  static let summary =
    "Waits for a fetch that goes on, and answers as fetch does; without a source for all."
  static let examples = ["fetch letters async: true; wait letters"]
  static let seeAlso = ["fetch", "cancel"]
  static let resultKind = ResultKind.sameSource

  let source: SourceArgument?

  init(parsing arguments: inout Arguments) throws {
    source = arguments.next == nil ? nil : try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    guard let source else {
      await session.waitForBackground()
      return try await session.backgroundResult()
    }
    let waited = try await source.source(in: &session)
    let fetches = session.takeBackground(of: waited)
    for fetch in fetches { await fetch.wait(session.cancellation) }
    if waited.isFetching { await waited.waitForFetch(session.cancellation) }
    if let fetch = fetches.last {
      try await session.fetching(waited, at: source.span) { _, _ in try fetch.outcome?.get() }
    } else if let error = waited.error {
      throw session.diagnostic(ofFetching: waited, error, at: source.span)
    }
    return session.fetchedResult(waited)
  }
}
