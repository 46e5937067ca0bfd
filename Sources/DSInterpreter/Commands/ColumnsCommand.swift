import DataSources
import DataTables

/// `columns SOURCE KEYPATH, … [as: KEY, …]`
struct ColumnsCommand: Command {
  private static let columns = Parameter("KEYPATH", .keyPath(.everyRow), .list)

  static let names = ["columns"]
  static let parameters = [Parameter.source, columns]
  static let labels = ColumnsSettings.verbLabels + [.name]
  static let synopsis = "columns SOURCE KEYPATH, … [as: KEY, …] [name: STRING]"
  static let summary = "Shows some values of each object under keys of their own."
  static let notes = [
    "The key of a column is the last key of its path, or as given by `as:`. An object that lacks a",
    "value has a null. The sections and their index titles are kept. An edit changes the object below;",
    "a column of a computed value cannot be changed.",
  ]
  static let examples = [
    "columns foods kind, name | fetch",
    "let short = columns letters name, name.length as: food, length | fetch; show short",
  ]
  static let seeAlso = ["unroll", "distinct", "filtered", "keys"]
  static let resultKind = ResultKind.newSource

  private let source: SourceArgument
  private let settings: ColumnsSettings
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    var columns = [try arguments.require(Self.columns)]
    while let next = try arguments.take(Self.columns) { columns.append(next) }
    settings = try ColumnsSettings(parsing: arguments, columns: columns)
    name = try arguments[.name]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let inner = try await source.source(in: &session)
    // The columns are set with the other settings below.
    let source = ColumnsSource(inner, [], name: try await name?.string(in: &session) ?? "")
    try await settings.set(source, over: inner, in: &session)
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }
}
