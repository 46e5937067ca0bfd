public import DataTables

/// The objects of another source that satisfy a predicate, in its order and its sections.
///
/// Empty sections are removed unless ``showsEmpty`` is set; the single untitled section of a flat
/// source is always kept. When the fetch of the wrapped source fails, the fetch of this source
/// fails too and keeps the old content.
public final class FilteredSource: WrappingSource, PredicatedSource {
  public static let kind = "filtered"
  public let state: SourceState
  public private(set) var source: any DataSource
  public var predicate: Predicate?
  /// Whether the next fetch keeps empty sections.
  public var showsEmpty: Bool

  public init(
    _ source: any DataSource, where predicate: Predicate?, showsEmpty: Bool = false,
    name: String = ""
  ) {
    self.source = source
    self.predicate = predicate
    self.showsEmpty = showsEmpty
    state = SourceState(name: name)
    listenToChildren()
  }

  public func wrap(_ other: any DataSource) throws(SourceError) {
    try leaveSource(for: other)
    source = other
    listenToChildren()
  }

  /// `filtered by age >= 18`
  public var summary: String { predicate.map { "filtered by \($0)" } ?? "filtered" }

  public var plan: FetchPlan {
    let request = ContentRequest(where: predicate, sections: .kept(showsEmpty: showsEmpty))
    return FetchPlan(source, settings: [request]) { inner, fetch in
      try await inner.answering(request, fetch.context)
    }
  }

  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    let title = try await snapshot.title(of: path.section)
    let section = title == "" ? "the only section" : "the section titled \(title.json)"
    let line = ExplanationLine("section \(path.section)", "\(section) of the source below")
    return [line] + (try await IndexPathExplanation(of: path, in: snapshot)?.lines() ?? [])
  }
}
