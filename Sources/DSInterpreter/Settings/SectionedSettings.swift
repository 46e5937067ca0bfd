import DataSources
import DataTables

/// The labels of `sectioned`.
struct SectionedSettings: SourceSettings {
  static let labels =
    [
      Label(
        "key", "key path; none gives one section", example: "name.firstCharacter",
        completion: .keys),
      SortArguments.labels[0], PredicateArgument.label, SortArguments.labels[1],
    ] + ModeArguments.labels + [IndexTitlesArgument.label]

  private let key: Argument?
  private let sort: SortArguments
  private let modes: ModeArguments
  private let indexTitles: IndexTitlesArgument?
  private let predicate: PredicateArgument?

  init(parsing arguments: Arguments) throws {
    key = try arguments.label("key")
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
    // What a locale is for, the modes tell.
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
