import DataSources
import DataTables

/// `cancel [SOURCE]`
struct CancelCommand: Command {
  static let names = ["cancel", "cancelFetch"]
  static let synopsis = "cancel [SOURCE]"
  static let summary =
    "Ends a fetch that goes on; the old content stays. Without a source ends all."
  static let examples = ["fetch letters async: true; cancel letters"]
  static let seeAlso = ["fetch", "wait"]
  static let resultKind = ResultKind.sameSource

  let source: SourceArgument?

  init(parsing arguments: inout Arguments) throws {
    source = arguments.next == nil ? nil : try SourceArgument(parsing: &arguments)
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
    let cancelled = try await source.source(in: &session)
    let name = session.displayName(of: cancelled)
    let wasFetching = cancelled.isFetching
    await session.cancel(cancelled)
    return CommandResult(
      .source(cancelled), Output(.report(Self.report(wasFetching ? [name] : []))))
  }

  private static func report(_ names: [String]) -> Report {
    Report(
      headline: names.isEmpty
        ? "no fetch is under way" : "\(names.joined(separator: ", ")): fetch cancelled",
      data: Record([("cancelled", .array(names.map(Value.string)))]))
  }
}

extension Session {
  /// Ends the fetch of a source, which is not told any more.
  fileprivate mutating func cancel(_ source: any DataSource) async {
    let fetches = takeBackground(of: source)
    source.cancelFetch()
    for fetch in fetches { await fetch.wait(cancellation) }
    if source.isFetching { await source.waitForFetch(cancellation) }
  }
}
