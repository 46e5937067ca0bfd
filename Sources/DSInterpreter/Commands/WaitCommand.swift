import DataSources
import DataTables

/// `wait [SOURCE] [timeout: SECONDS]`
struct WaitCommand: Command {
  private static let timeout = Label(
    "timeout", .seconds(atMost: 86_400), "fail after this time, such as 5 or 500ms",
    example: "5s")

  static let names = ["wait"]
  static let parameters = [Parameter.optionalSource]
  static let labels = [timeout]
  static let summary =
    "Waits for a running fetch, or for all without a source, and reports the result."
  static let notes = [
    "For a watched source that is not being fetched, it waits until another program has changed a",
    "file at or below the source. A change since the last `wait` or fetch counts. `timeout:` is an",
    "error if the source is neither watched nor being fetched.",
  ]
  static let examples = ["fetch letters async: true; wait letters timeout: 5s"]
  static let seeAlso = ["fetch", "cancel", "watch"]
  static let resultKind = ResultKind.sameSource
  static let waits = true

  private let source: SourceArgument?
  private let timeout: Argument?
  private let span: Span

  init(parsing arguments: inout Arguments) throws {
    span = arguments.stage.verb.span
    source =
      arguments.isEmpty ? nil : try SourceArgument(parsing: &arguments, Parameter.optionalSource)
    timeout = try arguments[Self.timeout]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let limit = try timeout.map {
      WaitLimit(seconds: try $0.seconds(), on: session.clock, text: $0.span.text)
    }
    guard let source else {
      return try await session.waitForAllFetches(limit: limit, at: span)
    }
    let found = try await source.source(in: &session)
    if let result = try await session.waitForChange(of: found, at: source.span, limit: limit) {
      return result
    }
    if limit != nil { try session.checkWaiting(for: found, at: source.span) }
    return try await session.waitForFetch(of: found, at: source.span, limit: limit)
  }
}

/// `cancel [SOURCE]`
struct CancelCommand: Command {
  static let names = ["cancel", "cancelFetch"]
  static let parameters = [Parameter.optionalSource]
  static let summary =
    "Cancels a running fetch, or all without a source; the old content is kept."
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
      let sources = session.backgroundFetches.map(\.source)
      var names: [String] = []
      for source in sources where source.isFetching {
        names.append(session.displayName(of: source))
        await session.cancelFetches(of: source)
      }
      return CommandResult(.none, Output(.report(Self.report(names))))
    }
    let canceled = try await source.source(in: &session)
    let name = session.displayName(of: canceled)
    let wasFetching = canceled.isFetching
    await session.cancelFetches(of: canceled)
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
