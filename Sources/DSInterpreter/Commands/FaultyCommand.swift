import DataSources

/// `faulty SOURCE [fail: ATTEMPT, …] [rate: N] [seed: N]`
struct FaultyCommand: Command {
  static let names = ["faulty"]
  static let parameters = [Parameter.source]
  static let labels = FaultySettings.labels + [.name]
  static let summary = "Shows another source, and fails some of its fetches or pages on request."
  static let notes = [
    "`fail: fetch 3` fails the third fetch of this source, those of pages included; `fail: page 2`",
    "fails the second page when it is first fetched through this source. `rate: 0.2 seed: 7` fails a",
    "fifth of the fetches at random, the same ones in every run. The error is of kind fault; the old",
    "content is kept, and the source below is not fetched. `set X fail: null` ends the faults.",
  ]
  static let examples = [
    "let sometimes = faulty foods fail: fetch 2 | fetch; expect throws fault: fetch sometimes",
    "faulty letters rate: 0.2 seed: 7 | fetch",
  ]
  static let seeAlso = ["slow", "stale", "fetch", "fetchNextPage", "events", "expect"]
  static let resultKind = ResultKind.newSource

  private let source: SourceArgument
  private let settings: FaultySettings
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    settings = try FaultySettings(parsing: arguments)
    name = try arguments[.name]
    if try !settings.canFail(), !arguments.lacksSource {
      throw arguments.missing("`fail:` or `rate:`")
    }
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let inner = try await source.source(in: &session)
    let source = FaultySource(
      inner, faults: try settings.faults(changing: Faults(), over: inner, in: session),
      name: try await name?.string(in: &session) ?? "")
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }
}
