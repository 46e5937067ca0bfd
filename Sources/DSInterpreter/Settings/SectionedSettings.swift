import DataSources
import DataTables

/// The labels of `sectioned`.
struct SectionedSettings: SourceSettings {
  private static let key = Label(
    "key", .keyPath(.everyRow), "key path; omit it for one section",
    example: "name.firstCharacter")
  static let labels =
    [key, SortArguments.label, PredicateArgument.label, SortArguments.nulls]
    + ModeArguments.labels + [IndexTitlesArgument.label]

  private let key: Argument?
  private let sort: SortArguments
  private let modes: ModeArguments
  private let indexTitles: IndexTitlesArgument?
  private let predicate: PredicateArgument?

  init(parsing arguments: Arguments) throws {
    key = try arguments[Self.key]
    sort = try SortArguments(parsing: arguments)
    modes = try ModeArguments(parsing: arguments)
    indexTitles = try IndexTitlesArgument(parsing: arguments)
    predicate = PredicateArgument(parsing: arguments)
  }

  func set(
    _ source: SectionedSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    let newKey = try await session.key(key, changing: source.key, of: inner)
    var (mode, settings) = (source.mode, source.settings)
    let newSort = try await sort.descriptors(
      changing: source.sort, locale: settings.locale, over: inner, in: &session)
    // The modes check whether the locale is used.
    try sort.checkUse(in: newSort, locale: true)
    try await modes.apply(to: &mode, &settings, sort: newSort, in: &session)
    let newTitles =
      try await indexTitles?.indexTitles(over: inner, in: &session)
      ?? source.indexTitles
    let newPredicate = try await predicate.changing(source.predicate, over: inner, in: &session)
    (source.key, source.sort, source.predicate) = (newKey, newSort, newPredicate)
    (source.mode, source.settings) = (mode, settings)
    source.indexTitles = newTitles
  }
}

/// The labels of `collated`.
struct CollatedSettings: SourceSettings {
  static let key = Label("key", .keyPath(.everyRow), "key path", example: "name")
  private static let sort = Label(
    "sort", .sortDescriptors, "order of rows; localizedStandard by the key if omitted",
    example: "name")
  static let labels = [
    key, sort, SortArguments.nulls, ModeArguments.empty, ModeArguments.locale,
    IndexTitlesArgument.label,
  ]

  private let key: Argument?
  private let sort: SortArguments
  private let modes: ModeArguments
  private let indexTitles: IndexTitlesArgument?

  init(parsing arguments: Arguments) throws {
    key = try arguments[Self.key]
    sort = try SortArguments(parsing: arguments, Self.sort)
    modes = try ModeArguments(ofCollated: arguments)
    indexTitles = try IndexTitlesArgument(parsing: arguments)
  }

  func set(
    _ source: CollatedSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    if let key, key.isNull {
      throw key.error(.badArgument, "a collated source needs a key such as `key: name`")
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
