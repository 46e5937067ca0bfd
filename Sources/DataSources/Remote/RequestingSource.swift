public import DataTables

/// A source that fetches its objects through a transport.
public protocol RequestingSource: ReadSource {
  /// The request of the next fetch.
  var request: TransportRequest { get set }
  /// How the next fetch reads the response.
  var options: ReadOptions { get set }
  /// The rows that are shown in place of missing objects.
  var placeholders: Set<Placeholder> { get set }
  /// The total size of the bodies from which the objects were read; nil before the first fetch.
  var numberOfBytes: Int? { get }
  /// The requests since the last fetch began, and their responses; the fetch of a further page adds
  /// its own.
  var exchanges: [LoggedExchange] { get }
}

/// A row without an object, shown after the last object.
public enum Placeholder: String, Sendable, CaseIterable {
  /// During a fetch.
  case loading
  /// When the source is empty.
  case noResults
  /// When the last fetch failed.
  case error

  /// The text of the row that a source shows; nil if none of its placeholders applies.
  ///
  /// A source without placeholders uses those of the first wrapped source that has some.
  public static func row(of source: any DataSource) -> String? {
    let placeholders = SourceGraph.sources(below: source).lazy
      .compactMap { ($0 as? any RequestingSource)?.placeholders }.first { !$0.isEmpty }
    guard let placeholders else { return nil }
    if source.isFetching { return placeholders.contains(.loading) ? "loading …" : nil }
    if let error = source.error, placeholders.contains(.error) { return error.message }
    let isEmpty = source.state.snapshot.map { $0.numberOfObjects == 0 } ?? false
    return isEmpty && placeholders.contains(.noResults) ? "no results" : nil
  }
}
