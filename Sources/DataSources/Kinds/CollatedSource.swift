public import DataTables

/// The objects of another source, split into sections by the letters of a language as a localized
/// indexed collation does.
///
/// Each letter has a section; ``settings`` determine whether empty sections are shown. The last
/// section is `#` for values that do not begin with a letter. Accents and case do not distinguish
/// letters. Rows are sorted by `localizedStandard` unless ``sort`` is set.
public final class CollatedSource: WrappingSource {
  public static let kind = "collated"
  public let state: SourceState
  public private(set) var source: any DataSource
  public var key: ObjectKeyPath
  /// The sort descriptors of the next fetch; empty to sort by the key with `localizedStandard`.
  public var sort: [SortDescriptor]
  /// The locale, and whether to show empty sections.
  public var settings: SectionSettings
  public var indexTitles: IndexTitles

  public init(
    _ source: any DataSource, key: ObjectKeyPath, sort: [SortDescriptor] = [],
    settings: SectionSettings = SectionSettings(), indexTitles: IndexTitles = .firstCharacter,
    name: String = ""
  ) {
    self.source = source
    self.key = key
    self.sort = sort
    self.settings = settings
    self.indexTitles = indexTitles
    state = SourceState(name: name)
    listenToChildren()
  }

  public func wrap(_ other: any DataSource) throws(SourceError) {
    try leaveSource(for: other)
    source = other
    listenToChildren()
  }

  /// `collated by name, locale sv, sorted by age desc`
  public var summary: String {
    var summary = "collated by \(key)" + (settings.locale.map { ", locale \($0)" } ?? "")
    if !sort.isEmpty {
      summary += ", sorted by " + sort.map(\.description).joined(separator: ", ")
    }
    return summary
  }

  public var plan: FetchPlan {
    let implied = sort.isEmpty ? SectionMode.collated.sort(by: key, settings) : sort
    let request = ContentRequest(sort: implied, sections: .split(by: key, .collated, settings))
    return FetchPlan(source, settings: [request, indexTitles]) { [indexTitles] inner, fetch in
      try await inner.answering(request, indexTitles: indexTitles, fetch.context)
    }
  }
}
