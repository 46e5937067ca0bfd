import DataSources
import DataTables

/// `object SOURCE [SECTION, ROW]`
struct ObjectCommand: Command {
  static let names = ["object", "objectAtIndexPath"]
  static let synopsis = "object SOURCE [SECTION, ROW]"
  static let summary = "Gives the object at an index path."
  static let examples = ["object letters [5, 1]", "object letters (indexPath letters {name: Pie})"]
  static let seeAlso = ["indexPath", "objects", "show"]

  let source: SourceArgument
  let place: IndexPathArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    place = IndexPathArgument(try arguments.required("an index path"))
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    _ = try session.content(of: source, at: self.source.span)
    let place = try await place.path(in: &session)
    let object = try await session.object(
      at: place.path, of: source, sectionAt: place.sectionAt, rowAt: place.rowAt)
    return CommandResult(.value(object), Output(.object(object)))
  }
}
