import DataSources
import DataTables

/// `insert SOURCE OBJECT [at: N]`
struct InsertCommand: Command {
  private static let object = Parameter(.value)
  private static let row = Label(
    "at", .nonNegativeInteger, "row of the new object, from 0; the end if omitted", example: "0")

  static let names = ["insert"]
  static let parameters = [Parameter.source, object]
  static let labels = [row]
  static let summary = "Adds an object to a simple or loaded source, directly or through a wrapper."
  static let examples = [
    "insert foods {name: Peach, kind: fruit}", "insert letters {name: Bread} at: 0",
  ]
  static let seeAlso = ["remove", "update", "watch", "diff", "changes"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument
  private let object: Argument
  private let row: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    object = try arguments.require(Self.object)
    row = try arguments[Self.row]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let object = try await object.value(in: &session)
    let row = try row?.integer()
    do {
      return try await session.edit(source, .insert(object, at: row), at: self.source.span)
    } catch let mistake as Diagnostic where mistake.kind == .outOfRange {
      throw self.row?.error(.outOfRange, mistake.message) ?? mistake
    }
  }
}

/// `remove SOURCE [SECTION, ROW]`
struct RemoveCommand: Command {
  static let names = ["remove"]
  static let parameters = [Parameter.source, .indexPath]
  static let summary = "Removes an object, directly or through a wrapper."
  static let examples = ["remove foods [0, 6]", "remove letters (indexPath letters {name: Pie})"]
  static let seeAlso = ["insert", "update", "watch", "diff", "changes"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument
  private let path: IndexPathArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    path = IndexPathArgument(try arguments.require(.indexPath))
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let located = try await path.path(in: &session)
    _ = try await session.object(at: located, of: source)
    return try await session.edit(source, .remove(located.path), at: self.source.span)
  }
}
