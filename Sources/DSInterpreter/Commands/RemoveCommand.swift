import DataSources
import DataTables

/// `remove SOURCE [SECTION, ROW]`, `remove SOURCE where: PREDICATE`
struct RemoveCommand: Command {
  private static let path = Parameter("[SECTION, ROW]", .indexPath, .optional)

  static let names = ["remove"]
  static let parameters = [Parameter.source, path]
  static let labels = [PredicateArgument.label]
  static let synopsis = "remove SOURCE [SECTION, ROW]; remove SOURCE where: PREDICATE"
  static let summary = "Removes an object, or all that satisfy a condition, also through a wrapper."
  static let examples = [
    "remove foods [0, 6]", "remove letters (indexPath letters {name: Pie})",
    "remove foods where: kind == 'fruit'",
  ]
  static let seeAlso = ["insert", "update", "move", "edit", "undo", "save", "watch", "diff"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument
  private let objects: ObjectsArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    objects = try ObjectsArgument(parsing: &arguments, Self.path)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let paths = try await objects.paths(in: source, at: self.source.span, &session)
    return try await session.edit(source, .remove(paths: paths), at: self.source.span)
  }
}
