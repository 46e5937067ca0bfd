import DataTables

/// A source of one other source, which can be exchanged.
public protocol WrappingSource: DataSource {
  var source: any DataSource { get }
  /// Wraps another source from the next fetch on; the content stays until then.
  /// - Throws: ``SourceError/data(_:)`` with `badArgument` when `other` wraps this source, at
  ///   whatever distance: a circle could never be fetched. The old source is wrapped on.
  func wrap(_ other: any DataSource) throws(SourceError)
}

extension WrappingSource {
  public var children: [any DataSource] { [source] }

  /// Leaves ``source``, so that `other` can take its place.
  /// - Throws: ``SourceError/data(_:)`` as ``wrap(_:)``, and leaves nothing.
  func leaveSource(for other: any DataSource) throws(SourceError) {
    guard !other.wraps(self) else {
      throw .data(.badArgument("a source cannot wrap what wraps it, or itself"))
    }
    source.state.remove(wrapper: self)
  }
}

extension DataSource {
  /// Whether `other` is this source, or one below it.
  public func wraps(_ other: any DataSource) -> Bool {
    SourceGraph.depths(below: self)[ObjectIdentifier(other)] != nil
  }
}
