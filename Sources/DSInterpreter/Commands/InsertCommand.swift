import DataSources
import DataTables

/// `insert SOURCE OBJECT [at: N|[SECTION, ROW]]`
struct InsertCommand: Command {
  private static let object = Parameter(.value)
  private static let place = Label(
    "at", .value, "index path of the new object, or its row in the source that owns the objects",
    example: "[1, 0]")

  static let names = ["insert"]
  static let parameters = [Parameter.source, object]
  static let labels = [place]
  static let summary =
    "Adds an object, or each object of a list, to the simple or loaded source below a source."
  static let notes = [
    "Without `at:`, the object becomes the last one of the source that owns the objects. With an index",
    "path, it gets the key of that section, and it is an error if a sort shows it elsewhere. An object",
    "that is an array is written `[[…]]`.",
  ]
  static let examples = [
    "insert foods {name: Peach, kind: fruit}", "insert letters {name: Bread} at: 0",
    "insert foods [{name: Fig}, {name: Date}]",
    "let kinds = sectioned foods key: kind sort: kind | fetch; insert kinds {name: Fig} at: [0, 1]",
  ]
  static let seeAlso = ["remove", "update", "move", "edit", "undo", "save", "watch", "diff"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument
  private let object: Argument
  private let place: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    object = try arguments.require(Self.object)
    place = try arguments[Self.place]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let value = try await object.value(in: &session)
    var objects = [value]
    if case .array(let elements) = value { objects = elements }
    let place = try await place(in: &session)
    let warnings = session.warnings(ofNewKeys: objects.flatMap(\.keys), in: source)
    do {
      var result = try await session.edit(
        source, .insert(objects: objects, at: place), at: self.source.span)
      result.output.warnings = warnings + result.output.warnings
      return result
    } catch let mistake as Diagnostic where mistake.kind == .outOfRange {
      throw self.place?.error(.outOfRange, mistake.message) ?? mistake
    }
  }

  private func place(in session: inout Session) async throws -> Edit.Place {
    guard let place else { return .end }
    if let row = try place.anyInteger() { return .row(row) }
    return .path(try await IndexPathArgument(place).path(in: &session).path)
  }
}

extension Value {
  /// The keys of a record; empty for other values.
  fileprivate var keys: [String] { if case .record(let record) = self { record.keys } else { [] } }
}
