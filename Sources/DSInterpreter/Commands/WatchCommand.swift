import DataSources
import DataTables

/// `watch SOURCE [poll: SECONDS] [staged: true] [sections: move]`
struct WatchCommand: Command {
  private static let poll = Label(
    "poll", .seconds(atMost: 86_400), "check files and tables at this interval, such as 2 or 500ms",
    example: "2s")

  static let names = ["watch"]
  static let parameters = [Parameter.source]
  static let labels = [poll] + ChangeArguments.labels
  static let summary =
    "Shows the changes of a source from now on: by fetches, edits and other programs."
  static let notes = [
    "When another program changes a loaded file, the file is read again, and wrappers that were",
    "fetched follow. If lines are appended to CSV, TSV, NDJSON or a log of over 1 MiB, only they are",
    "read. An appended line is a row when its line end has arrived; `fetch` also reads a last line",
    "without one.",
    "Without `poll:`, the system reports changes, which it cannot for files on other computers.",
    "Tables of SQLite are observed through their file, servers are asked every two seconds. A table",
    "of PostgreSQL reports its changes at once if a trigger calls `dsshell_notify`; `explain SOURCE`",
    "shows how a watched table is observed, and the statements that make the trigger.",
    "Responses of servers and pipes are not observed: fetches show their changes.",
    "",
    "With `staged: true`, the changes are split into the batches of `diff SOURCE staged: true`.",
    "",
    "The prompt shows changes as they happen. A script reads them while it waits: `wait SOURCE`; a",
    "test also reads them at `#% advance 1s`.",
  ]
  static let examples = [
    "watch letters; insert foods {name: Peach, kind: fruit}", "watch letters poll: 2s",
    "watch letters staged: true; insert foods {name: Peach, kind: fruit}",
  ]
  static let seeAlso = ["unwatch", "wait", "diff", "insert", "remove", "update", "changes"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument
  private let poll: Argument?
  private let options: ChangeArguments

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    poll = try arguments[Self.poll]
    options = try ChangeArguments(parsing: arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let options = try options.options()
    let interval = try poll.map { Duration.seconds(try $0.seconds()) }
    if let poll, !SourceMonitors.canObserve(source) {
      throw Diagnostic(.badArgument, session.pollMistake(source), at: poll.span)
    }
    do throws(SourceError) {
      try await session.watch(source, checking: interval, options)
    } catch {
      throw Diagnostic(error.kind, error.message, at: self.source.span)
    }
    var result = session.result(source, "watched", isWatched: true)
    result.output.warnings = SourceMonitors.unobserved(below: source).map(session.unobservedWarning)
    return result
  }
}

/// `unwatch SOURCE`
struct UnwatchCommand: Command {
  static let names = ["unwatch"]
  static let parameters = [Parameter.source]
  static let summary = "Stops showing the changes of a source."
  static let examples = ["watch letters | unwatch"]
  static let seeAlso = ["watch"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    session.unwatch(source)
    return session.result(source, "not watched", isWatched: false)
  }
}

extension Session {
  /// The command that reads a source again, such as `fetch letters`.
  func fetchCommand(_ source: any DataSource) -> String { "fetch \(nameToShow(of: source))" }

  /// The reason why the files of a source cannot be checked at an interval.
  fileprivate func pollMistake(_ source: any DataSource) -> String {
    let problem = "`poll:` needs a file, a folder or a table, and "
    let name = nameToShow(of: source)
    guard let below = SourceMonitors.unobserved(below: source).first else {
      return problem + "\(name) reads none; omit `poll:` to see its edits and fetches"
    }
    return below is any RequestingSource
      ? problem + "\(name) reads none; omit `poll:`, and fetch it again with "
        + "`\(fetchCommand(source))`"
      : problem + "\(nameToShow(of: below)) is a pipe, which is read only once; load a file"
  }

  fileprivate func unobservedWarning(_ source: any DataSource) -> String {
    let name = nameToShow(of: source)
    return source is any RequestingSource
      ? "\(name) is not observed, because it is the response to a request: "
        + "`\(fetchCommand(source))` reads it again and shows its changes"
      : "\(name) is not observed, because a pipe is read only once; load a file to watch it"
  }

  fileprivate func result(
    _ source: any DataSource, _ text: String, isWatched: Bool
  ) -> CommandResult {
    let name = nameToShow(of: source)
    return CommandResult(
      .source(source),
      Output(
        .report(
          Report(
            headline: "\(name): \(text)",
            data: Record([("source", .string(name)), ("watched", .bool(isWatched))])))))
  }
}
