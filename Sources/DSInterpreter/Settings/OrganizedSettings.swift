import DataSources
import DataTables

/// The labels of `organized`.
struct OrganizedSettings: SourceSettings {
  private static let key = Label(
    "key", .keyPath(.everyRow), "key path; the first key of sort: if omitted", example: "when")
  private static let sort = Label(
    "sort", .sortDescriptors, "order of rows; titles always ascend", example: "customer desc")
  private static let initial = Label(
    "initial", .sortDescriptors, "order of rows that sort: leaves equal", example: "id")
  private static let zone = Label("zone", .zone, "time zone of months", example: "+01:00")
  private static let locale = Label(
    "locale", .locale, "locale of titles and localized sorts", example: "sv")
  static let labels = [
    key, sort, initial, SortArguments.nulls, zone, locale, IndexTitlesArgument.label,
  ]

  private let key: Argument?
  private let sort: SortArguments
  private let initial: SortArguments
  private let zone: Argument?
  private let locale: Argument?
  private let indexTitles: IndexTitlesArgument?

  init(parsing arguments: Arguments) throws {
    key = try arguments[Self.key]
    sort = try SortArguments(parsing: arguments, Self.sort, locale: Self.locale)
    initial = try SortArguments(parsing: arguments, Self.initial, locale: Self.locale)
    zone = try arguments[Self.zone]
    locale = try arguments[Self.locale]
    indexTitles = try IndexTitlesArgument(parsing: arguments)
  }

  /// Whether a label determines the key of the sections.
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
      throw SourceError.data(.badArgument("an organized source needs `sort:` or `key:`"))
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
