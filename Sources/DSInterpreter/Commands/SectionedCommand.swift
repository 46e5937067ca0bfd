import DataSources
import DataTables

/// `sectioned SOURCE key: … sort: …`
struct SectionedCommand: Command {
  static let names = ["sectioned"]
  static let synopsis = "sectioned SOURCE [key: KEYPATH] [sort: DESCRIPTORS] [mode: MODE] …"
  static let summary = "Wraps a source, sorts its objects and cuts them into sections by a key."
  static let labels =
    [
      Label(
        "key", "key path; none gives one section", example: "name.firstCharacter",
        completion: .keys),
      Label("sort", "key [asc|desc] [comparison], …", example: "city, age desc", completion: .keys),
      PredicateArgument.label,
      Label(
        "nulls", "first or last, for all of sort:", example: "last",
        completion: .words(SortDescriptor.Nulls.allCases.map(\.rawValue))),
    ] + ModeArguments.labels + [
      IndexTitlesArgument.label, Label("name", "the name of the source", example: "Letters"),
    ]
  static let examples = [
    "let letters = sectioned foods key: name.firstCharacter sort: name",
    "let kinds = sectioned foods key: kind mode: groups order: count desc sort: name | fetch",
    "sectioned foods key: name.firstCharacter mode: fixed titles: A...Z empty: hide | fetch",
  ]
  static let seeAlso = ["fetch", "sections", "set", "sort", "keys", "modes"]
  static let gives = Gift.newSource

  let source: SourceArgument
  let key: Argument?
  let sort: SortArgument?
  let modes: ModeArguments
  let indexTitles: IndexTitlesArgument?
  let predicate: PredicateArgument?
  let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    key = try arguments.label("key")
    sort = try SortArgument(parsing: arguments)
    predicate = PredicateArgument(parsing: arguments)
    name = try arguments.label("name")
    modes = try ModeArguments(parsing: arguments)
    indexTitles = try IndexTitlesArgument(parsing: arguments)
  }

  func run(in session: inout Session) async throws -> Answer {
    let inner = try await source.source(in: &session)
    let key = try await key?.keyPath(in: &session)
    let sort = try await sort?.descriptors(in: &session)
    for key in (key.map { [$0] } ?? []) + (sort?.keys ?? []) {
      try session.check(key, of: inner)
    }
    let predicate = try await predicate?.predicate(over: inner, in: &session)
    let name = try await name?.string(in: &session) ?? ""
    var mode = SectionMode.runs
    var settings = SectionSettings()
    var descriptors = sort?.descriptors ?? []
    try await modes.apply(to: &mode, &settings, sort: &descriptors, in: &session)
    let source = SectionedSource(
      inner, key: key?.path, sort: descriptors, where: predicate, mode: mode, settings: settings,
      indexTitles: try await indexTitles?.indexTitles(in: &session) ?? .firstCharacter, name: name)
    return Answer(.source(source), Output(.report(session.status(of: source))))
  }
}

extension Session {
  /// - Throws: ``Diagnostic`` of kind `unknownKey` when the objects at hand lack a key's first step;
  ///   what is deeper shows when the column is read, at the fetch.
  func check(_ key: PlacedKeyPath, of source: any DataSource) throws {
    guard let snapshot = source.state.snapshot, case .key(let first)? = key.path.steps.first else {
      return
    }
    try check(Word(text: first, span: key.place(of: first)), isKeyOf: source, snapshot)
  }

  /// - Throws: ``Diagnostic`` of kind `unknownKey` when there are records and none has the key.
  func check(_ key: Word, isKeyOf source: any DataSource, _ snapshot: Snapshot) throws {
    let known = snapshot.keys
    guard snapshot.numberOfObjects > 0, !known.isEmpty, !known.contains(key.text) else { return }
    throw Diagnostic(
      .unknownKey, "\(displayName(of: source)) has no key `\(key.text)`",
      suggestion: Suggestion.nearest(to: key.text, among: known), at: key.span)
  }
}
