import DataSources

/// `limit SOURCE N [offset: N]`
struct LimitCommand: Command {
  private static let limit = Parameter(.positiveInteger)

  static let names = ["limit"]
  static let parameters = [Parameter.source, limit]
  static let labels = LimitSettings.verbLabels + [.name]
  static let summary = "Shows a number of objects, counted over all sections."
  static let notes = ["The sections are kept, without empty ones."]
  static let examples = ["limit foods 3 | fetch", "limit letters 5 offset: 4 | fetch"]
  static let seeAlso = ["top", "filtered", "paginated"]
  static let resultKind = ResultKind.newSource

  private let source: SourceArgument
  private let settings: LimitSettings
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    settings = try LimitSettings(parsing: arguments, limit: try arguments.require(Self.limit))
    name = try arguments[.name]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let inner = try await source.source(in: &session)
    // The limit is set with the other settings below.
    let source = LimitedSource(
      inner, limit: 1, name: try await name?.string(in: &session) ?? "")
    try await settings.set(source, over: inner, in: &session)
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }
}
