import DataSources
import DataTables

/// `update SOURCE [SECTION, ROW] KEY: VALUE …`, `update SOURCE where: PREDICATE KEY: VALUE …`
struct UpdateCommand: Command {
  private static let path = Parameter("[SECTION, ROW]", .places, .optional)

  static let names = ["update"]
  static let parameters = [Parameter.source, path]
  static let labels = [PredicateArgument.label]
  static let labelsAreKeys = true
  static let synopsis =
    "update SOURCE [SECTION, ROW] KEY: VALUE …; update SOURCE where: PREDICATE KEY: VALUE …"
  static let summary =
    "Changes values of an object, or of all that satisfy a condition; the labels are the keys."
  static let notes = [
    "Several objects are updated by a list of index paths, such as `[[0, 1], [0, 3]]`.",
    "A label may be a path of keys, such as `address.city:`, and a key that no object has yet. A key",
    "named `where`, or one with a dot, is quoted: `\"where\": 1`.",
  ]
  static let examples = [
    "update foods [0, 1] name: \"Pie!\"", "update letters [5, 1] name: Quiche kind: null",
    "update foods where: kind == 'fruit' ripe: true",
  ]
  static let seeAlso = ["insert", "remove", "move", "edit", "undo", "save", "watch", "diff"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument
  private let objects: ObjectsArgument
  private let values: [(key: Word, value: Argument)]

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    objects = try ObjectsArgument(parsing: &arguments, Self.path)
    values = try arguments.valuesByKey()
    guard !values.isEmpty else { throw arguments.missing("keys with values") }
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let paths: [IndexPath]
    switch try await objects.selection(in: source, at: self.source.span, &session) {
    case .objects(let found): paths = found
    case .section(_, let argument): throw Self.isSection(argument)
    }
    let known = source.state.snapshot?.keys ?? []
    var new: [KeyValue] = []
    for (key, value) in values {
      new.append(
        KeyValue(try Self.path(of: key, known: known), try await value.value(in: &session)))
    }
    let warnings =
      paths.isEmpty ? [] : session.warnings(ofNewKeys: new.compactMap(\.firstKey), in: source)
    let update = Edit.update(paths.map { ObjectUpdate($0, new) })
    var result = try await session.edit(
      source, update, isSearch: objects.isSearch, at: self.source.span)
    result.output.warnings = warnings + result.output.warnings
    return result
  }

  private static func isSection(_ argument: Argument) -> Diagnostic {
    argument.error(
      .badArgument,
      "a section has no values to change; an index path has a section and a row: `[section, row]`")
  }

  /// A quoted label, and one that is a key of the objects, is one key.
  private static func path(of label: Word, known: [String]) throws -> ObjectKeyPath {
    let isQuoted = label.span.text.first.map { "\"'".contains($0) } ?? false
    if isQuoted || known.contains(label.text) { return ObjectKeyPath(key: label.text) }
    do {
      return try ObjectKeyPath(parsing: label.text)
    } catch {
      throw Diagnostic(
        .badArgument, "`\(label.text)` is not a path of keys; quote it to mean one key",
        at: label.span)
    }
  }
}

extension KeyValue {
  fileprivate var firstKey: String? {
    if case .key(let key)? = path.steps.first { key } else { nil }
  }
}
