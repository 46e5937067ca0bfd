extension DataSource {
  /// The sources that a fetch of this one has brought up to date with it: those that wrap it or any
  /// source below it, each after all that it wraps.
  package var followers: [any DataSource] {
    let sources = SourceGraph.sources(below: self)
    // Mostly nothing else wraps any of them.
    if sources.count == 1 + children.count, state.wrappers.isEmpty,
      children.allSatisfy({ $0.state.wrappers.allSatisfy { $0 === self } })
    {
      return []
    }
    let below = SourceGraph.depths(below: self)
    return SourceGraph.wrappers(above: sources)
      .filter { below[ObjectIdentifier($0)] == nil && $0.state.heard === state.heard }
  }
}
