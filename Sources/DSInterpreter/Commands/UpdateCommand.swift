import DataSources
import DataTables

/// `update SOURCE [SECTION, ROW] KEY: VALUE …`
struct UpdateCommand: Command {
  static let names = ["update"]
  static let parameters = [Parameter.source, .indexPath]
  static let labelsAreKeys = true
  static let synopsis = "update SOURCE [SECTION, ROW] KEY: VALUE …"
  static let summary = "Changes an object, directly or through a wrapper; the labels are its keys."
  static let examples = [
    "update foods [0, 1] name: \"Pie!\"", "update letters [5, 1] name: Quiche kind: null",
  ]
  static let seeAlso = ["insert", "remove", "watch", "diff", "changes"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument
  private let path: IndexPathArgument
  private let values: [(key: Word, value: Argument)]

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    path = IndexPathArgument(try arguments.require(.indexPath))
    values = try arguments.valuesByKey()
    guard !values.isEmpty else { throw arguments.missing("keys with values") }
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let located = try await path.path(in: &session)
    _ = try await session.object(at: located, of: source)
    var pairs: [(String, Value)] = []
    for (key, value) in values {
      try session.check(
        key, isKeyOf: source, try session.content(of: source, at: self.source.span))
      pairs.append((key.text, try await value.value(in: &session)))
    }
    return try await session.edit(
      source, .update(located.path, Record(pairs)), at: self.source.span)
  }
}
