import DataSources
import DataTables

/// The labels of `collated`.
struct CollatedSettings: SourceSettings {
  static let labels =
    [
      Label("key", "key path", example: "name", completion: .keys),
      Label(
        "sort", "localizedStandard by the key if not given", example: "name", completion: .keys),
      SortArguments.labels[1],
    ] + ModeArguments.labels.filter { ["empty", "locale"].contains($0.name) } + [
      IndexTitlesArgument.label
    ]

  private let key: Argument?
  private let sort: SortArguments
  private let modes: ModeArguments
  private let indexTitles: IndexTitlesArgument?

  init(parsing arguments: Arguments) throws {
    key = try arguments.label("key")
    sort = try SortArguments(parsing: arguments)
    modes = try ModeArguments(parsing: arguments)
    indexTitles = try IndexTitlesArgument(parsing: arguments)
  }

  func set(
    _ source: CollatedSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    if let key, key.isNull {
      throw key.error(.badArgument, "collated is by a key; `key: name` takes another one")
    }
    let newKey = try await session.key(key, changing: source.key, of: inner) ?? source.key
    var settings = source.settings
    let newSort = try await sort.descriptors(
      changing: source.sort, locale: settings.locale, over: inner, in: &session)
    try sort.checkUse(in: newSort, locale: true)
    var mode = SectionMode.collated
    try await modes.apply(to: &mode, &settings, sort: newSort, in: &session)
    let newTitles =
      try await indexTitles?.indexTitles(over: inner, in: &session)
      ?? source.indexTitles
    (source.key, source.sort) = (newKey, newSort)
    (source.settings, source.indexTitles) = (settings, newTitles)
  }
}
