import DataTables

extension SectionedSource {
  /// Wraps another source from the next fetch on; the sections stay until then.
  /// - Throws: ``SourceError/data(_:)`` with `badArgument` when `other` wraps this source, at
  ///   whatever distance: a circle could never be fetched. The old source is wrapped on.
  public func wrap(_ other: any DataSource) throws(SourceError) {
    guard !other.wraps(self) else {
      throw .data(.badArgument("a source cannot wrap what wraps it, or itself"))
    }
    source.state.remove(wrapper: self)
    source = other
    listenToChildren()
  }
}

extension DataSource {
  /// Whether `other` is this source, or one below it.
  public func wraps(_ other: any DataSource) -> Bool {
    SourceGraph.depths(below: self)[ObjectIdentifier(other)] != nil
  }
}
