public import DataTables

/// Another source, sorted and cut into sections by a key.
///
/// On a fetch it takes all objects of the source it wraps, in their order, sorts them (stable) and
/// cuts them as its ``mode`` says: in runs, a section begins wherever the key differs from the row
/// before. Without a key there is exactly one section, titled "", even with no rows; with a key and
/// no rows there are none but those of a list. When the inner fetch fails, this one fails too and
/// keeps its sections.
public final class SectionedSource: WrappingSource, PredicatedSource, ReferencingSource {
  public static let kind = "sectioned"
  public let state: SourceState
  public private(set) var source: any DataSource
  /// What the next fetch cuts by; nil for one section.
  public var key: ObjectKeyPath?
  /// What the next fetch sorts by, the first counting most.
  public var sort: [SortDescriptor]
  public var predicate: Predicate?
  /// How the next fetch cuts.
  public var mode: SectionMode
  /// What the mode is told.
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

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    let sectioning = Sectioning(
      key: key, sort: sort, mode: mode, settings: settings, indexTitles: indexTitles)
    let predicate = predicate
    let inner = try await fetch.snapshot(of: source)
    let kept = try await inner.filtered(by: predicate, cancellation: fetch.cancellation)
    var snapshot = try await sectioning.snapshot(
      of: kept, cancellation: fetch.cancellation, progress: fetch.progress)
    snapshot.arrangement?.predicate = predicate
    snapshot.input = inner.store.local?.order
    return snapshot
  }

  /// For each section its title, then the positions of its objects in the untouched input: the
  /// content of the source it wraps, in its order.
  /// - Throws: ``SourceError/notFetched``.
  public func references() throws -> [[Value]] { try content.references() }
}
