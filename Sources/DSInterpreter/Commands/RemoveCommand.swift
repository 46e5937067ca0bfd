import DataSources
import DataTables

/// `remove SOURCE [SECTION, ROW]`
struct RemoveCommand: Command {
  static let names = ["remove"]
  static let synopsis = "remove SOURCE [SECTION, ROW]"
  static let summary = "Removes an object, also where a wrapper shows it."
  static let examples = ["remove foods [0, 6]", "remove letters (indexPath letters {name: Pie})"]
  static let seeAlso = ["insert", "update", "watch", "diff", "changes"]
  static let resultKind = ResultKind.sameSource

  let source: SourceArgument
  let place: IndexPathArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    place = IndexPathArgument(try arguments.required("an index path"))
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let place = try await place.path(in: &session)
    _ = try await session.object(
      at: place.path, of: source, sectionAt: place.sectionAt, rowAt: place.rowAt)
    return try await session.edit(source, .remove(place.path), at: self.source.span)
  }
}
