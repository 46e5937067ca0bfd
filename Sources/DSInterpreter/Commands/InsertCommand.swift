import DataSources
import DataTables

/// `insert SOURCE OBJECT at: N`
struct InsertCommand: Command {
  static let names = ["insert"]
  static let synopsis = "insert SOURCE OBJECT [at: N]"
  static let summary =
    "Adds an object to a source in memory, or to the one that a wrapper stands on."
  static let labels = [
    Label("at", "the row it gets, from 0; without it the end", example: "0")
  ]
  static let examples = [
    "insert foods {name: Peach, kind: fruit}", "insert letters {name: Bread} at: 0",
  ]
  static let seeAlso = ["remove", "update", "watch", "diff", "changes"]
  static let resultKind = ResultKind.sameSource

  let source: SourceArgument
  let object: Argument
  let row: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    object = try arguments.required("an object")
    row = try arguments.label("at")
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let object = try await object.value(in: &session)
    let row = try row?.natural()
    do {
      return try await session.edit(source, .insert(object, at: row), at: self.source.span)
    } catch let mistake as Diagnostic where mistake.kind == .outOfRange {
      throw self.row?.error(.outOfRange, mistake.message) ?? mistake
    }
  }
}
