import DataSources
import DataTables

/// `move SOURCE [SECTION, ROW] to: [SECTION, ROW]`
struct MoveCommand: Command {
  private static let target = Label(
    "to", .indexPath, "index path of the object after the move", example: "[0, 2]")

  static let names = ["move"]
  static let parameters = [Parameter.source, .indexPath]
  static let labels = [target]
  static let synopsis = "move SOURCE [SECTION, ROW] to: [SECTION, ROW]"
  static let summary = "Moves an object to another place, directly or through a wrapper."
  static let notes = [
    "In another section, the object gets the key of that section. Where a sort decides the places of",
    "the objects, a move that the sort contradicts is an error.",
  ]
  static let examples = [
    "move foods [0, 0] to: [0, 2]",
    "let kinds = sectioned foods key: kind sort: kind | fetch; move kinds [0, 0] to: [1, 0]",
  ]
  static let seeAlso = ["insert", "remove", "update", "edit", "undo", "diff"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument
  private let path: IndexPathArgument
  private let target: Argument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    path = IndexPathArgument(try arguments.require(.indexPath))
    guard let target = try arguments[Self.target] else { throw arguments.missing("`to:`") }
    self.target = target
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let from = try await path.path(in: &session)
    try await session.check(from, of: source)
    let to = try await IndexPathArgument(target).path(in: &session)
    do {
      return try await session.edit(source, .move(from.path, to: to.path), at: self.source.span)
    } catch let mistake as Diagnostic where mistake.kind == .outOfRange {
      throw target.error(.outOfRange, mistake.message)
    }
  }
}
