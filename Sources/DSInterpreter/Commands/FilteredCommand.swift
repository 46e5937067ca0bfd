import DataSources

/// `filtered SOURCE where: PREDICATE`
struct FilteredCommand: Command {
  static let names = ["filtered"]
  static let parameters = [Parameter.source]
  static let labels = FilteredSettings.labels + [.name]
  static let synopsis = "filtered SOURCE where: PREDICATE [empty: show|hide] [name: STRING]"
  static let summary = "Wraps a source and keeps the objects that satisfy a predicate."
  static let examples = [
    "let sweets = filtered foods where: kind == 'sweet' | fetch",
    "let long = filtered letters where: name.length > 5 empty: show | fetch",
    "filtered foods where: name BEGINSWITH[cd] 'p' and not kind IN {'sweet', 'fruit'} | fetch",
  ]
  static let seeAlso = ["sectioned", "indexPath", "set", "predicates"]
  static let resultKind = ResultKind.newSource

  private let source: SourceArgument
  private let settings: FilteredSettings
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    guard PredicateArgument(parsing: arguments) != nil else {
      throw arguments.missingPredicate()
    }
    settings = try FilteredSettings(parsing: arguments)
    name = try arguments[.name]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let inner = try await source.source(in: &session)
    let source = FilteredSource(
      inner, where: nil, name: try await name?.string(in: &session) ?? "")
    try await settings.set(source, over: inner, in: &session)
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }
}
