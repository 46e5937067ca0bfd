import DataSources
import DataTables

/// `wait [SOURCE]`
struct WaitCommand: Command {
  static let names = ["wait"]
  static let parameters = [Parameter.optionalSource]
  static let summary =
    "Waits for a running fetch and reports its result; without a source, for all fetches."
  static let examples = ["fetch letters async: true; wait letters"]
  static let seeAlso = ["fetch", "cancel"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument?

  init(parsing arguments: inout Arguments) throws {
    source =
      arguments.isEmpty ? nil : try SourceArgument(parsing: &arguments, Parameter.optionalSource)
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

/// `cancel [SOURCE]`
struct CancelCommand: Command {
  static let names = ["cancel", "cancelFetch"]
  static let parameters = [Parameter.optionalSource]
  static let summary =
    "Cancels a running fetch and keeps the old content; without a source, all fetches."
  static let examples = ["fetch letters async: true; cancel letters"]
  static let seeAlso = ["fetch", "wait"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument?

  init(parsing arguments: inout Arguments) throws {
    source =
      arguments.isEmpty ? nil : try SourceArgument(parsing: &arguments, Parameter.optionalSource)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    guard let source else {
      let sources = session.background.map(\.source)
      var names: [String] = []
      for source in sources where source.isFetching {
        names.append(session.displayName(of: source))
        await session.cancel(source)
      }
      return CommandResult(.none, Output(.report(Self.report(names))))
    }
    let canceled = try await source.source(in: &session)
    let name = session.displayName(of: canceled)
    let wasFetching = canceled.isFetching
    await session.cancel(canceled)
    return CommandResult(
      .source(canceled), Output(.report(Self.report(wasFetching ? [name] : []))))
  }

  private static func report(_ names: [String]) -> Report {
    Report(
      headline: names.isEmpty
        ? "no fetch is running" : "\(names.joined(separator: ", ")): fetch canceled",
      data: Record([("cancelled", .array(names.map(Value.string)))]))
  }
}

extension Session {
  /// Ends the fetches of a source without reporting their results.
  fileprivate mutating func cancel(_ source: any DataSource) async {
    let fetches = takeBackground(of: source)
    source.cancelFetch()
    for fetch in fetches { await fetch.wait(cancellation) }
    if source.isFetching { await source.waitForFetch(cancellation) }
  }
}
