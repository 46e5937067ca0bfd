public import DataTables

/// The objects of another source, sorted and split into sections by a key.
///
/// A fetch filters the objects of the wrapped source, sorts them (the sort is stable) and splits
/// them by the ``mode``: `runs` starts a section wherever the key differs from the previous row.
///
/// - Shape: without a key, exactly one section, titled "", even if no rows exist. With a key but
///   without rows, only the sections of a fixed list.
///
/// When the fetch of the wrapped source fails, the fetch of this source fails too and keeps the old
/// sections.
public final class SectionedSource: WrappingSource, PredicatedSource, ReferencingSource {
  public static let kind = "sectioned"
  public let state: SourceState
  public private(set) var source: any DataSource
  /// The key of the sections from the next fetch on; nil for one section.
  public var key: ObjectKeyPath?
  /// The sort descriptors of the next fetch, the most significant first.
  public var sort: [SortDescriptor]
  public var predicate: Predicate?
  /// The mode of the next fetch.
  public var mode: SectionMode
  /// The settings of the mode.
  public var settings: SectionSettings
  public var indexTitles: IndexTitles

  public init(
    _ source: any DataSource, key: ObjectKeyPath? = nil, sort: [SortDescriptor] = [],
    where predicate: Predicate? = nil, mode: SectionMode = .runs,
    settings: SectionSettings = SectionSettings(), indexTitles: IndexTitles = .firstCharacter,
    name: String = ""
  ) {
    self.source = source
    self.key = key
    self.sort = sort
    self.predicate = predicate
    self.mode = mode
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

  /// `sectioned by when, month, sorted by when desc`
  public var summary: String {
    var summary = key.map { "sectioned by \($0)" } ?? "sectioned"
    if mode.name != SectionMode.runs.name { summary += ", " + mode.name }
    if !sort.isEmpty {
      summary += ", sorted by " + sort.map(\.description).joined(separator: ", ")
    }
    if let predicate { summary += ", where \(predicate)" }
    return summary
  }

  public var plan: FetchPlan {
    let implied = sort.isEmpty ? key.map { mode.sort(by: $0, settings) } ?? [] : sort
    let request = ContentRequest(
      where: predicate, sort: implied, sections: .by(key, mode, settings))
    return FetchPlan(source, settings: [request, indexTitles]) { [indexTitles] inner, fetch in
      try await inner.answering(request, indexTitles: indexTitles, fetch.context)
    }
  }

  /// One array per section: its title, then the positions of its objects in the input. The input is
  /// the content of the wrapped source, before it is filtered and sorted.
  /// - Throws: ``SourceError/notFetched``.
  public func references(
    cancellation: Cancellation = Cancellation()
  ) async throws -> [[Value]] {
    try await content.references(cancellation: cancellation)
  }
}
