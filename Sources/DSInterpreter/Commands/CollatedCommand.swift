import DataSources
import DataTables

/// `collated SOURCE key: …`
struct CollatedCommand: Command {
  static let names = ["collated"]
  static let synopsis = "collated SOURCE key: KEYPATH [locale: NAME] [sort: DESCRIPTORS] …"
  static let summary =
    "Wraps a source and puts its objects under the letters of a language, # last."
  static let labels =
    [
      Label("key", "key path", example: "name", completion: .keys),
      Label(
        "sort", "localizedStandard by the key if not given", example: "name", completion: .keys),
      Label(
        "nulls", "first or last, for all of sort:", example: "last",
        completion: .words(SortDescriptor.Nulls.allCases.map(\.rawValue))),
    ] + ModeArguments.labels.filter { ["empty", "locale"].contains($0.name) } + [
      IndexTitlesArgument.label, Label("name", "the name of the source", example: "Letters"),
    ]
  static let examples = [
    "let index = collated foods key: name | fetch",
    "collated foods key: name empty: hide locale: sv | fetch | sections",
  ]
  static let seeAlso = ["sectioned", "sectionForIndexTitle", "indexTitles", "modes"]
  static let gives = Gift.newSource

  let source: SourceArgument
  let key: Argument
  let sort: SortArgument?
  let modes: ModeArguments
  let indexTitles: IndexTitlesArgument?
  let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    guard let key = try arguments.label("key") else { throw arguments.missing("`key:`") }
    self.key = key
    sort = try SortArgument(parsing: arguments)
    modes = try ModeArguments(parsing: arguments)
    indexTitles = try IndexTitlesArgument(parsing: arguments)
    name = try arguments.label("name")
  }

  func run(in session: inout Session) async throws -> Answer {
    let inner = try await source.source(in: &session)
    let key = try await key.keyPath(in: &session)
    let sort = try await sort?.descriptors(in: &session)
    for key in [key] + (sort?.keys ?? []) { try session.check(key, of: inner) }
    var mode = SectionMode.collated
    var settings = SectionSettings()
    var descriptors = sort?.descriptors ?? []
    try await modes.apply(to: &mode, &settings, sort: &descriptors, in: &session)
    let source = CollatedSource(
      inner, key: key.path, sort: descriptors, settings: settings,
      indexTitles: try await indexTitles?.indexTitles(in: &session) ?? .firstCharacter,
      name: try await name?.string(in: &session) ?? "")
    return Answer(.source(source), Output(.report(session.status(of: source))))
  }
}
