import DataSources
import DataTables

/// `wait [SOURCE]`
struct WaitCommand: Command {
  static let names = ["wait"]
  static let parameters = [Parameter.optionalSource]
  static let summary =
    "Waits for a running fetch, or for all without a source, and reports the result."
  static let examples = ["fetch letters async: true; wait letters"]
  static let seeAlso = ["fetch", "cancel"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument?

  init(parsing arguments: inout Arguments) throws {
    source =
      arguments.isEmpty ? nil : try SourceArgument(parsing: &arguments, Parameter.optionalSource)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    guard let source else { return try await session.waitForAllFetches() }
    return try await session.waitForFetch(
      of: try await source.source(in: &session), at: source.span)
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
