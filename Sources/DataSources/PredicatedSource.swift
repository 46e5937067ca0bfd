public import DataTables

/// A source that keeps only the objects that satisfy a predicate.
public protocol PredicatedSource: DataSource {
  /// What the next fetch keeps objects by; nil keeps all.
  var predicate: Predicate? { get set }
}
