public import DataTables

/// A source that can tell where in its input the objects of its sections stand.
public protocol ReferencingSource: DataSource {
  /// For each section its title, then the positions of its objects in the input, from 0.
  /// - Throws: ``SourceError/notFetched``.
  func references() throws -> [[Value]]
}
