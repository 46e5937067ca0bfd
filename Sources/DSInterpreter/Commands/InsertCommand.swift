import DataSources
import DataTables

/// `insert SOURCE OBJECT [at: N|[SECTION, ROW]]`, `insert MULTI SOURCE [at: SECTION]`
struct InsertCommand: Command {
  private static let object = Parameter("OBJECT", .either([.value, .source]))
  private static let place = Label(
    "at", .position,
    "index path of the object, its row in the source that owns it, or a section",
    example: "[1, 0]")

  static let names = ["insert"]
  static let parameters = [Parameter.source, object]
  static let labels = [place]
  static let synopsis =
    "insert SOURCE OBJECT [at: N|[SECTION, ROW]]; insert MULTI SOURCE [at: SECTION]"
  static let summary =
    "Adds an object, or each object of a list, to the simple or loaded source below a source."
  static let notes = [
    "Without `at:`, the object becomes the last one of the source that owns the objects. With an index",
    "path, it gets the key of that section, and it is an error if a sort shows it elsewhere. An object",
    "that is an array is written `[[…]]`. A multi source also joins another source, as its last one",
    "or, with `at: SECTION`, before the source that has this section.",
  ]
  static let examples = [
    "insert foods {name: Peach, kind: fruit}", "insert letters {name: Bread} at: 0",
    "insert foods [{name: Fig}, {name: Date}]",
    "let kinds = sectioned foods key: kind sort: kind | fetch; insert kinds {name: Fig} at: [0, 1]",
    "let all = multi foods | fetch; insert all (simple [{name: Tea}] name: Drinks) at: 0",
  ]
  static let seeAlso = [
    "remove", "update", "move", "multi", "edit", "undo", "save", "watch", "diff",
  ]
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
    let operand = try await operand(for: source, in: &session)
    if case .source(let child) = operand, let multi = source as? MultiSource {
      return try await locatingPlace { try await insert(child, into: multi, in: &session) }
    }
    let value = try await session.value(of: operand, at: object.span)
    return try await locatingPlace { try await insert(value, into: source, in: &session) }
  }

  private func locatingPlace(
    _ insert: () async throws -> CommandResult
  ) async throws -> CommandResult {
    do {
      return try await insert()
    } catch let mistake as Diagnostic where mistake.kind == .outOfRange {
      throw place?.error(.outOfRange, mistake.message) ?? mistake
    }
  }

  /// The object, or the source to add to a multi source. With an index path, it is an object.
  /// - Throws: ``Diagnostic``, `badArgument` for a source where an object is needed.
  private func operand(
    for source: any DataSource, in session: inout Session
  ) async throws -> Operand {
    let operand = try await object.operand(in: &session)
    guard let multi = source as? MultiSource, place?.elements?.count != 2 else {
      if case .source = operand { throw isSource(below: source, in: session) }
      return operand
    }
    // Several children could receive a string, so the word can only be meant as a source.
    if case .value(.string) = operand, object.word != nil, object.variable == nil,
      multi.children.count != 1
    {
      return .source(try await SourceArgument.source(object, in: &session))
    }
    return operand
  }

  private func insert(
    _ child: any DataSource, into source: MultiSource, in session: inout Session
  ) async throws -> CommandResult {
    var section: Int?
    if let place {
      section = try await IndexPathArgument(place.typed(.section)).section(in: &session).section
    }
    _ = try session.content(of: source, at: self.source.span)
    if child.state.snapshot == nil, object.isCommand {
      throw object.error(
        .notFetched, "the new source has not been fetched; end its command with `| fetch`")
    }
    _ = try session.content(of: child, at: object.span)
    if child.wraps(source) {
      let (name, inner) = (session.displayName(of: child), session.displayName(of: source))
      throw object.error(
        .badArgument,
        child === source
          ? "\(name) cannot join itself" : "\(name) wraps \(inner); \(inner) cannot join it in turn"
      )
    }
    return try await session.edit(source, .insert(child, at: section), at: self.source.span)
  }

  private func insert(
    _ value: Value, into source: any DataSource, in session: inout Session
  ) async throws -> CommandResult {
    var objects = [value]
    if case .array(let elements) = value { objects = elements }
    let place = try await place(in: &session)
    let warnings =
      session.warnings(ofNewKeys: Self.keys(of: objects), in: source)
      + (warning(ofNonRecordIn: objects, in: source, session).map { [$0] } ?? [])
    var result = try await session.edit(
      source, .insert(objects: objects, at: place), at: self.source.span)
    result.output.warnings = warnings + result.output.warnings
    return result
  }

  /// The warning about an object that is not a record, if those of the source are.
  private func warning(
    ofNonRecordIn objects: [Value], in source: any DataSource, _ session: Session
  ) -> String? {
    let other = objects.first { if case .record = $0 { false } else { !$0.isNull } }
    guard let other, let content = source.state.snapshot, content.numberOfObjects > 0,
      let key = content.keys.first, !content.store.hasOtherObjects
    else { return nil }
    let name = session.displayName(of: source)
    let text = objects.count == 1 && object.word != nil ? object.span.text : other.json
    return "the other objects of \(name) are records; write `insert \(name) {\(key): \(text)}`"
  }

  /// The keys of all records, each once or, if records of different keys take turns, more often.
  private static func keys(of objects: [Value]) -> [String] {
    var keys: [String] = []
    var last: [String]?
    for case .record(let record) in objects where record.keys != last {
      last = record.keys
      keys += record.keys
    }
    return keys
  }

  private func isSource(below source: any DataSource, in session: Session) -> Diagnostic {
    let (text, name) = (object.span.text, session.displayName(of: source))
    let multi = session.multi(below: source).map {
      ", `insert \($0) \(text)` adds the source to \($0)"
    }
    let word = object.variable == nil ? object.word : nil
    let string = word.map { ", and `\"\($0)\"` is the string" }
    return object.error(
      .badArgument,
      "`\(text)` is a source, not an object; `insert \(name) (objects \(text))` inserts its objects"
        + (multi ?? "") + (string ?? ""))
  }

  private func place(in session: inout Session) async throws -> Edit.Place {
    guard let place else { return .end }
    if let row = try place.anyInteger() { return .row(row) }
    if place.variable != nil, case .integer(let row) = try await place.value(in: &session) {
      return .row(row)
    }
    return .path(try await IndexPathArgument(place).path(in: &session).path)
  }
}
