import DataSources
import DataTables

/// `remove SOURCE [SECTION, ROW]`, `remove SOURCE where: PREDICATE`, `remove MULTI [SECTION]`
struct RemoveCommand: Command {
  private static let path = Parameter("[SECTION, ROW]", .places, .optional)

  static let names = ["remove"]
  static let parameters = [Parameter.source, path]
  static let labels = [PredicateArgument.label]
  static let synopsis =
    "remove SOURCE [SECTION, ROW]; remove SOURCE where: PREDICATE; remove MULTI [SECTION]"
  static let summary = "Removes objects, or all that satisfy a condition, also through a wrapper."
  static let notes = [
    "Several objects are removed by a list of index paths, which count before the removal.",
    "From a multi source, `[SECTION]` removes the source that has this section; with `preserve: true`,",
    "only a source that has one section.",
  ]
  static let examples = [
    "remove foods [0, 6]", "remove letters (indexPath letters {name: Pie})",
    "remove foods where: kind == 'fruit'", "remove foods [[0, 0], [0, 2]]",
    "let all = multi foods letters | fetch; remove all [1]",
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
    switch try await objects.selection(in: source, at: self.source.span, &session) {
    case .objects(let paths):
      return try await session.edit(
        source, .remove(paths: paths), isSearch: objects.isSearch, at: self.source.span)
    case .section(let section, let argument):
      let multi = try session.multi(source, at: argument)
      return try await session.edit(multi, .remove(section: section), at: argument.span)
    }
  }
}
