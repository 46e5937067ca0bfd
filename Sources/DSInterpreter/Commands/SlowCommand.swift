import DataSources

/// `slow SOURCE [by: N]`
struct SlowCommand: Command {
  static let names = ["slow"]
  static let parameters = [Parameter.source]
  static let labels = SlowSettings.labels + [.name]
  static let summary = "Shows another source, and delays its fetches and pages on request."
  static let notes = [
    "The fetch reports partial when it begins to wait; cancel ends it. The next page is delayed if it",
    "is fetched through this source. Edits are not delayed. In tests, the time is virtual.",
  ]
  static let examples = [
    "slow foods by: 20ms | fetch",
    "let late = slow letters by: 20ms; fetch late async: true; cancel late",
  ]
  static let seeAlso = ["faulty", "stale", "wait", "cancel", "stub", "events"]
  static let resultKind = ResultKind.newSource

  private let source: SourceArgument
  private let settings: SlowSettings
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    settings = try SlowSettings(parsing: arguments)
    name = try arguments[.name]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let inner = try await source.source(in: &session)
    let source = SlowSource(inner, name: try await name?.string(in: &session) ?? "")
    try settings.set(source, over: inner, in: &session)
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }
}
