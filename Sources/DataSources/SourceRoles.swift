public import DataTables

/// A source that wraps one other, replaceable source.
public protocol WrappingSource: DataSource {
  var source: any DataSource { get }
  /// Wraps another source from the next fetch on; until then the content does not change.
  /// - Throws: ``SourceError/data(_:)`` with `badArgument` when `other` is this source or wraps it,
  ///   directly or indirectly: a cycle could never be fetched. After an error, this source wraps
  ///   the same source as before.
  func wrap(_ other: any DataSource) throws(SourceError)
}

extension WrappingSource {
  public var children: [any DataSource] { [source] }

  /// Stops following ``source``, so that `other` can replace it.
  /// - Throws: the error of ``wrap(_:)``; after an error, ``source`` is still followed.
  func leaveSource(for other: any DataSource) throws(SourceError) {
    guard !other.wraps(self) else {
      throw .data(.badArgument("a source cannot wrap itself or a source that wraps it"))
    }
    source.state.remove(wrapper: self)
  }
}

/// A source that keeps only the objects that satisfy a predicate.
public protocol PredicatedSource: DataSource {
  /// The predicate of the next fetch; nil keeps all objects.
  var predicate: Predicate? { get set }
}

/// A source that keeps the positions of its objects in its input.
public protocol ReferencingSource: DataSource {
  /// One array per section: its title, then the positions of its objects in the input, from 0.
  /// - Throws: ``SourceError/notFetched``.
  func references(cancellation: Cancellation) async throws -> [[Value]]
}

/// A source whose objects were read from the bytes of a file or a response.
public protocol ReadSource: DataSource {
  /// The load report; nil before the first read.
  var report: LoadReport? { get }
  /// The objects; empty before the first read.
  var table: any Table { get }
}
