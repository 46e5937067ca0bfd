import DataSources
import DataTables

/// `set SOURCE LABEL: VALUE …`
struct SetCommand: Command {
  static let names = ["set"]
  static let parameters = [Parameter.source]
  static let labels: [Label] = [.source, .name, .id]
  static let allLabels = SettingsTable.labels
  static func labels(for source: any DataSource) -> [Label] { SettingsTable.labels(of: source) }
  static let synopsis = "set SOURCE LABEL: VALUE …"
  static let summary =
    "Changes the settings of a source from the next fetch on; `null` restores a default."
  static let notes =
    ["Each source also accepts the labels of the verb that created it:"]
    + SettingsTable.all.flatMap { settings in
      let lines = wrapped(settings.labels.map { "\($0.name):" }, to: 78)
      return lines.enumerated().map { padded($0 == 0 ? settings.kind : "", to: 16) + $1 }
    }
  static let examples = [
    "set letters sort: name desc", "set letters key: kind sort: kind, name",
    "set letters key: kind mode: groups order: title desc", "set letters where: kind != 'sweet'",
    "set letters indexTitles: lowercased name: Letters",
  ]
  static let seeAlso = ["sectioned", "fetch", "rename", "sources"]

  private let source: SourceArgument
  private let arguments: Arguments

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    if arguments.stage.labels.isEmpty { throw arguments.missing("a label") }
    self.arguments = arguments
  }

  func run(in session: inout Session) async throws -> CommandResult {
    // A rollback would not restore them.
    try session.checkNoTransaction(at: self.source.span)
    let source = try await source.source(in: &session)
    try checkLabels(of: source, in: session)
    // Read all values before setting any, so that an error changes nothing.
    let name = try await newName(in: &session)
    let inner = try await newInner(of: source, in: &session)
    let id = try await newID(of: source, over: inner, in: &session)
    try await SettingsTable.settings(of: source)?
      .set(source, over: inner ?? source, by: arguments, in: &session)
    if let wrapper = source as? any WrappingSource, let inner, inner !== wrapper.source {
      try wrapper.wrap(inner)
    }
    if let name { source.name = name }
    source.state.id = id
    // A name and an identity do not change the objects of a fetch.
    let others = Set([Label.name, .id].map(\.name))
    if arguments.stage.labels.contains(where: { !others.contains($0.label.text) }) {
      source.state.hasNewSettings = true
    }
    return CommandResult(.source(source), Output(.report(report(of: source, in: session))))
  }

  /// - Throws: ``Diagnostic`` for a label that this kind of source does not accept.
  private func checkLabels(of source: any DataSource, in session: Session) throws {
    let settable = SettingsTable.labels(of: source).map(\.name)
    let given = arguments.stage.labels.map(\.label)
    guard let unknown = given.first(where: { !settable.contains($0.text) }) else { return }
    throw Diagnostic(
      .badArgument,
      "\(session.displayName(of: source)) is \(Self.phrase(type(of: source).kind)); it takes "
        + settable.map { "`\($0):`" }.joined(separator: " "), at: unknown.span)
  }

  private static func phrase(_ kind: String) -> String {
    "\("ou".contains(kind.prefix(1)) ? "an" : "a") \(kind) source"
  }

  /// The source that a wrapper wraps from now on; nil if `source` is not a wrapper.
  private func newInner(
    of source: any DataSource, in session: inout Session
  ) async throws -> (any DataSource)? {
    guard let wrapper = source as? any WrappingSource else { return nil }
    guard let argument = try arguments[.source] else { return wrapper.source }
    let inner = try await SourceArgument.source(argument, in: &session)
    guard inner.wraps(wrapper) else { return inner }
    let name = session.displayName(of: wrapper)
    let reason =
      inner === wrapper
      ? "\(name) cannot wrap itself"
      : "\(session.displayName(of: inner)) wraps \(name); \(name) cannot wrap it in turn"
    throw argument.error(.badArgument, reason)
  }

  private func newName(in session: inout Session) async throws -> String? {
    guard let name = try arguments[.name] else { return nil }
    return name.isNull ? "" : try await name.string(in: &session)
  }

  /// The key path of `id:`; the old key path if `id:` is omitted.
  private func newID(
    of source: any DataSource, over inner: (any DataSource)?, in session: inout Session
  ) async throws -> ObjectKeyPath? {
    guard let argument = try arguments[.id] else { return source.state.id }
    if argument.isNull { return nil }
    let key = try await argument.keyPath(in: &session)
    let hasKeysOfInner = source.id(ofObjectsWith: key.path) == key.path
    try session.check(key, of: hasKeysOfInner ? inner ?? source : source)
    return key.path
  }

  private func report(of source: any DataSource, in session: Session) -> Report {
    let name = session.nameToShow(of: source)
    let fetch = session.boundName(of: source).map { " (fetch \($0))" } ?? ""
    return Report(
      headline: "\(name): \(source.summary), from the next fetch on\(fetch)",
      data: Record([
        ("source", .string(name)), ("summary", .string(source.summary)),
        ("sections", .integer(source.numberOfSections)),
        ("objects", .integer(source.numberOfObjects)),
      ]))
  }
}
