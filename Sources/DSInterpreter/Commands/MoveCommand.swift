import DataSources
import DataTables

/// `move SOURCE [SECTION, ROW] to: [SECTION, ROW]`, `move MULTI [SECTION] to: [SECTION]`
struct MoveCommand: Command {
  private static let path = Parameter("[SECTION, ROW]", .place)
  private static let target = Label(
    "to", .place, "index path or section to move to", example: "[0, 2]")

  static let names = ["move"]
  static let parameters = [Parameter.source, path]
  static let labels = [target]
  static let synopsis =
    "move SOURCE [SECTION, ROW] to: [SECTION, ROW]; move MULTI [SECTION] to: [SECTION]"
  static let summary = "Moves an object to another place, directly or through a wrapper."
  static let notes = [
    "`to:` has the row after the move, in a section as it is numbered before the move. In another",
    "section, the object gets the key of that section. Where a sort decides the places of the objects,",
    "a move that the sort contradicts is an error. In a multi source, `[SECTION]` moves the source",
    "that has this section; with `preserve: true`, only a source that has one section.",
  ]
  static let examples = [
    "move foods [0, 0] to: [0, 2]",
    "let kinds = sectioned foods key: kind sort: kind | fetch; move kinds [0, 0] to: [1, 0]",
    "let all = multi foods letters | fetch; move all [1] to: [0]",
  ]
  static let seeAlso = ["insert", "remove", "update", "edit", "undo", "diff"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument
  private let path: Argument
  private let target: Argument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    path = try arguments.require(Self.path)
    guard let target = try arguments[Self.target] else { throw arguments.missing("`to:`") }
    self.target = target
    if let from = try IndexPathArgument(path).literalPlace(),
      let to = try IndexPathArgument(target).literalPlace()
    {
      try check(from, to)
    }
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let from = try await IndexPathArgument(path).place(in: &session)
    if case .path(let path) = from { try await session.check(path, of: source) }
    let to = try await IndexPathArgument(target).place(in: &session)
    switch (from, to) {
    case (.path(let from), .path(let to)):
      return try await locatingTarget {
        try await session.edit(source, .move(from.path, to: to.path), at: self.source.span)
      }
    case (.section(let section, let span), .section(let place, _)):
      let multi = try session.multi(source, at: path)
      let content = try session.content(of: multi, at: self.source.span)
      try session.check(section: section, of: multi, content, at: span)
      return try await locatingTarget {
        try await session.edit(multi, .move(section: section, to: place), at: self.source.span)
      }
    default:
      try check(from, to)
      throw target.mismatch()
    }
  }

  /// - Throws: ``Diagnostic``, `badArgument` for an index path and a section.
  private func check(_ from: LocatedPlace, _ to: LocatedPlace) throws {
    switch (from, to) {
    case (.path, .section):
      throw target.error(.badArgument, "`to:` must have a section and a row: `[section, row]`")
    case (.section, .path):
      throw target.error(
        .badArgument, "`to:` must be a section, as `\(path.span.text)` is: `[section]`")
    case (.path, .path), (.section, .section): break
    }
  }

  private func locatingTarget(
    _ edit: () async throws -> CommandResult
  ) async throws -> CommandResult {
    do {
      return try await edit()
    } catch let mistake as Diagnostic where mistake.kind == .outOfRange {
      throw target.error(.outOfRange, mistake.message)
    }
  }
}
