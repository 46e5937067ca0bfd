extension DataSource {
  /// The sources that a fetch of this one has brought up to date with it: those that wrap it or any
  /// source below it, each after all that it wraps.
  package var followers: [any DataSource] {
    let below = SourceGraph.depths(below: self)
    return SourceGraph.wrappers(above: SourceGraph.sources(below: self))
      .filter { below[ObjectIdentifier($0)] == nil && $0.state.heard === state.heard }
  }
}
