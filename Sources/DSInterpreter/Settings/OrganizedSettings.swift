import DataSources
import DataTables

/// The labels of `organized`.
struct OrganizedSettings: SourceSettings {
  static let labels = [
    Label("key", "key path; the first of sort: if not given", example: "when", completion: .keys),
    Label(
      "sort", "the order of rows; titles always ascend", example: "customer desc",
      completion: .keys),
    Label("initial", "orders rows that sort: leaves equal", example: "id", completion: .keys),
    SortArguments.labels[1],
    Label("zone", "of months", example: "+01:00"),
    Label("locale", "of titles and localized sorts", example: "sv"),
    IndexTitlesArgument.label,
  ]

  private let key: Argument?
  private let sort: SortArguments
  private let initial: SortArguments
  private let zone: Argument?
  private let locale: Argument?
  private let indexTitles: IndexTitlesArgument?

  init(parsing arguments: Arguments) throws {
    key = try arguments.label("key")
    sort = try SortArguments(parsing: arguments)
    initial = try SortArguments(parsing: arguments, label: "initial")
    zone = try arguments.label("zone")
    locale = try arguments.label("locale")
    indexTitles = try IndexTitlesArgument(parsing: arguments)
  }

  /// Whether it says what the sections are of.
  var hasKey: Bool { sort.isGiven || key.map { !$0.isNull } ?? false }

  func set(
    _ source: OrganizedSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    let newKey = try await session.key(key, changing: source.key, of: inner)
    let newSort = try await sort.descriptors(
      changing: source.sort, locale: source.locale, over: inner, in: &session)
    let newInitial = try await initial.descriptors(
      changing: source.initial, locale: source.locale, over: inner, in: &session)
    guard newKey != nil || !newSort.isEmpty else {
      throw SourceError.data(.badArgument("organized wants `sort:` or `key:`"))
    }
    let isByTitle = source.style == .alphabetically
    try sort.checkUse(in: newSort + newInitial, locale: isByTitle)
    if let zone, isByTitle, !zone.isNull {
      throw zone.error(.badArgument, "`zone:` belongs to chronologically, not to alphabetically")
    }
    let newZone = try await zone?.zone(in: &session) ?? source.zone
    var newLocale = source.locale
    if let locale { newLocale = try await locale.localeName(in: &session) }
    let newTitles =
      try await indexTitles?.indexTitles(over: inner, in: &session)
      ?? source.indexTitles
    (source.key, source.sort) = (newKey, newSort)
    (source.initial, source.zone) = (newInitial, newZone)
    (source.locale, source.indexTitles) = (newLocale, newTitles)
  }
}
