import DataSources

/// `stale SOURCE`
struct StaleCommand: Command {
  static let names = ["stale"]
  static let parameters = [Parameter.source]
  static let labels = [Label.name]
  static let summary = "Keeps the content of its first fetch, as a cache that is never emptied."
  static let notes = [
    "Later fetches succeed with the same content; edits and fetches of the source below are not shown.",
    "tree, explain and describe say that the content is out of date, as does `X.isOutdated`.",
    "`set X stale: false` and a fetch renew it; from then on, X follows the source below.",
  ]
  static let examples = [
    "let old = stale foods | fetch; remove foods [0, 0]; fetch old; tree old",
    "let old = stale letters | fetch; set old stale: false; fetch old",
  ]
  static let seeAlso = ["slow", "faulty", "fetch", "set", "tree", "explain"]
  static let resultKind = ResultKind.newSource

  private let source: SourceArgument
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    name = try arguments[.name]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let inner = try await source.source(in: &session)
    let source = StaleSource(inner, name: try await name?.string(in: &session) ?? "")
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }
}
