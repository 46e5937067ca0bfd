public import DataTables

/// A source whose objects a transport brings.
public protocol RequestingSource: ReadSource {
  /// What the next fetch asks for.
  var request: TransportRequest { get set }
  /// How the next fetch reads what is answered.
  var options: ReadOptions { get set }
  /// The rows that stand for what is not there.
  var placeholders: Set<Placeholder> { get set }
  /// The size of the bodies that the objects came in; nil before they came.
  var numberOfBytes: Int? { get }
}

/// A row that is drawn after the last object, and is none.
public enum Placeholder: String, Sendable, CaseIterable {
  /// While a fetch is under way.
  case loading
  /// When there are no objects.
  case noResults
  /// When the last fetch failed.
  case error

  /// The row of a source, for people; nil when none of the placeholders it has is due.
  ///
  /// A source without rows of its own takes those of the first source below that has some.
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
