public import DataTables

/// A source that fetches its objects through a transport.
public protocol RequestingSource: ReadSource {
  /// The request of the next fetch.
  var request: TransportRequest { get set }
  /// How the next fetch reads the response.
  var options: ReadOptions { get set }
  /// The rows that are shown in the place of missing objects.
  var placeholders: Set<Placeholder> { get set }
  /// The size of the bodies that the objects were read from; nil before the first fetch.
  var numberOfBytes: Int? { get }
}

/// A row that is drawn after the last object and has no object.
public enum Placeholder: String, Sendable, CaseIterable {
  /// During a fetch.
  case loading
  /// When there are no objects.
  case noResults
  /// When the last fetch failed.
  case error

  /// The row of a source, as it is shown; nil if none of its placeholders applies.
  ///
  /// A source without placeholders takes those of the first wrapped source that has some.
  public static func row(of source: any DataSource) -> String? {
    let chosen = SourceGraph.sources(below: source).lazy
      .compactMap { ($0 as? any RequestingSource)?.placeholders }.first { !$0.isEmpty }
    guard let chosen else { return nil }
    if source.isFetching { return chosen.contains(.loading) ? "loading …" : nil }
    if let error = source.error, chosen.contains(.error) { return error.message }
    let isEmpty = source.state.snapshot.map { $0.numberOfObjects == 0 } ?? false
    return isEmpty && chosen.contains(.noResults) ? "no results" : nil
  }
}
