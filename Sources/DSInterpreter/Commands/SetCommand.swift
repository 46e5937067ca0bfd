import DataSources
import DataTables

/// `set SOURCE key: … sort: … name: …`
struct SetCommand: Command {
  static let names = ["set"]
  static let synopsis = "set SOURCE [key: KEYPATH] [sort: DESCRIPTORS] [where: PREDICATE] …"
  static let summary = "Changes how a source is made; the next fetch obeys. `null` clears."
  static let labels =
    SectionedCommand.labels + [Label("source", "another source to wrap", example: "foods")]
    + FetchedResultsCommand.labels.filter {
      ["section", "limit", "batch", "cache"].contains($0.name)
    }
  static let examples = [
    "set letters sort: name desc", "set letters key: kind sort: kind, name",
    "set letters key: kind mode: groups order: title desc", "set letters where: kind != 'sweet'",
  ]
  static let seeAlso = ["sectioned", "fetch"]

  let source: SourceArgument
  let key: Argument?
  let sort: SortArgument?
  let modes: ModeArguments
  let indexTitles: IndexTitlesArgument?
  let wrapped: Argument?
  let predicate: PredicateArgument?
  private let request: FetchRequestArguments
  private let showsEmpty: Bool?
  let name: Argument?
  private let given: [Word]

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    key = try arguments.label("key")
    sort = try SortArgument(parsing: arguments)
    name = try arguments.label("name")
    modes = try ModeArguments(parsing: arguments)
    indexTitles = try IndexTitlesArgument(parsing: arguments)
    wrapped = try arguments.label("source")
    predicate = PredicateArgument(parsing: arguments)
    request = try FetchRequestArguments(parsing: arguments)
    showsEmpty = try arguments.showsEmpty()
    given = arguments.stage.labels.map(\.label)
    if arguments.stage.labels.isEmpty { throw arguments.missing("something to set") }
  }

  func run(in session: inout Session) async throws -> Answer {
    let source = try await source.source(in: &session)
    let name = try await newName(in: &session)
    try checkLabels(of: source, in: session)
    // All is made before any of it is set, so that a mistake leaves everything as it was.
    switch source {
    case let sectioned as SectionedSource:
      try await set(sectioned, in: &session)
    case let filtered as FilteredSource:
      try await setPredicate(of: filtered, over: filtered.source, in: &session)
      if let showsEmpty { filtered.showsEmpty = showsEmpty }
    case let results as FetchedResultsSource:
      results.request = try await request.request(
        over: results.source, changing: results.request, in: &session)
    case let source as any PredicatedSource:
      try await setPredicate(of: source, over: nil, in: &session)
    default: break
    }
    if let name { source.name = name }
    return Answer(.source(source), Output(.report(report(of: source, in: session))))
  }

  private func set(_ sectioned: SectionedSource, in session: inout Session) async throws {
    let inner = try await newSource(of: sectioned, in: &session)
    let newKey = try await newKey(of: sectioned, over: inner, in: &session)
    var newSort = try await newSort(of: sectioned, over: inner, in: &session)
    var (mode, settings) = (sectioned.mode, sectioned.settings)
    try await modes.apply(to: &mode, &settings, sort: &newSort, in: &session)
    let newTitles = try await indexTitles?.indexTitles(in: &session)
    try await setPredicate(of: sectioned, over: inner, in: &session)
    if inner !== sectioned.source { try sectioned.wrap(inner) }
    sectioned.key = newKey
    sectioned.sort = newSort
    (sectioned.mode, sectioned.settings) = (mode, settings)
    sectioned.indexTitles = newTitles ?? sectioned.indexTitles
  }

  /// - Throws: ``Diagnostic`` for a label that the kind of source does not have.
  private func checkLabels(of source: any DataSource, in session: Session) throws {
    let settable =
      switch source {
      case is SectionedSource: SectionedCommand.labels.map(\.name) + ["source"]
      case is FilteredSource: FilteredCommand.labels.map(\.name)
      case is FetchedResultsSource: FetchedResultsCommand.labels.map(\.name)
      case is any PredicatedSource: ["where", "name"]
      default: ["name"]
      }
    guard let odd = given.first(where: { !settable.contains($0.text) }) else { return }
    throw Diagnostic(
      .badArgument,
      "\(session.displayName(of: source)) is a \(type(of: source).kind) source; it takes "
        + settable.map { "`\($0):`" }.joined(separator: " "), at: odd.span)
  }

  private func setPredicate(
    of source: any PredicatedSource, over inner: (any DataSource)?, in session: inout Session
  ) async throws {
    guard let predicate else { return }
    source.predicate = try await predicate.predicate(over: inner, in: &session)
  }

  private func newSource(
    of sectioned: SectionedSource, in session: inout Session
  ) async throws -> any DataSource {
    guard let wrapped else { return sectioned.source }
    let source = try await SourceArgument.source(wrapped, in: &session)
    guard source.wraps(sectioned) else { return source }
    let name = session.displayName(of: sectioned)
    let reason =
      source === sectioned
      ? "\(name) cannot wrap itself"
      : "\(session.displayName(of: source)) wraps \(name); \(name) cannot wrap it in turn"
    throw wrapped.error(.badArgument, reason)
  }

  private func newKey(
    of sectioned: SectionedSource, over inner: any DataSource, in session: inout Session
  ) async throws -> ObjectKeyPath? {
    guard let key else { return sectioned.key }
    if key.isNull { return nil }
    let placed = try await key.keyPath(in: &session)
    try session.check(placed, of: inner)
    return placed.path
  }

  private func newSort(
    of sectioned: SectionedSource, over inner: any DataSource, in session: inout Session
  ) async throws -> [SortDescriptor] {
    guard let sort else { return sectioned.sort }
    if sort.clears { return [] }
    let placed = try await sort.descriptors(in: &session)
    for key in placed.keys { try session.check(key, of: inner) }
    return placed.descriptors
  }

  private func newName(in session: inout Session) async throws -> String? {
    guard let name else { return nil }
    return name.isNull ? "" : try await name.string(in: &session)
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
