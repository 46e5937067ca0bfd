/// Traverses the graph of sources and their children. The graph has no cycles: a source is created
/// after its children, and cannot later wrap a source that wraps it.
package enum SourceGraph {
  /// The depths of `source` (0) and of each source below it: the length of the longest path from
  /// `source`.
  static func depths(below source: any DataSource) -> [ObjectIdentifier: Int] {
    var depths = [ObjectIdentifier(source): 0]
    for wrapper in sources(below: source) {
      let depth = (depths[ObjectIdentifier(wrapper)] ?? 0) + 1
      for child in wrapper.children {
        depths[ObjectIdentifier(child)] = max(depths[ObjectIdentifier(child)] ?? 0, depth)
      }
    }
    return depths
  }

  /// The number of sources from `source` down to the lowest one below it, without `source`.
  /// - Complexity: O(sources below).
  package static func depth(of source: any DataSource) -> Int {
    depths(below: source).values.max() ?? 0
  }

  /// Whether a fetch of a source and all sources below it only reads memory and files.
  static func fetchesSynchronously(_ source: any DataSource) -> Bool {
    sources(below: source).allSatisfy { type(of: $0).fetchesSynchronously }
  }

  /// A source and all sources below it, each before its children.
  package static func sources(below source: any DataSource) -> [any DataSource] {
    order(from: [source], next: \.children)
  }

  /// `sources` and all sources above them, each after its children.
  static func wrappers(above sources: [any DataSource]) -> [any DataSource] {
    order(from: sources) { $0.state.wrappers }
  }

  /// All sources reachable from `sources`, including these, each before the sources that `next`
  /// returns for it.
  // Not recursive, because a script determines the depth of the graph.
  private static func order(
    from sources: [any DataSource], next: (any DataSource) -> [any DataSource]
  ) -> [any DataSource] {
    if let chain = chain(from: sources, next: next) { return chain }
    var finished: [any DataSource] = []
    var seen: Set<ObjectIdentifier> = []
    var stack = sources.map { (source: $0, isOpen: false) }
    while let (source, isOpen) = stack.popLast() {
      if isOpen {
        finished.append(source)
      } else if seen.insert(ObjectIdentifier(source)).inserted {
        stack.append((source, true))
        stack += next(source).map { ($0, false) }
      }
    }
    return finished.reversed()
  }

  /// The same order without sorting, for a chain: each source leads to at most one other. Returns
  /// nil for other graphs, and for a chain of more than ``maxChainLength`` sources.
  private static func chain(
    from sources: [any DataSource], next: (any DataSource) -> [any DataSource]
  ) -> [any DataSource]? {
    guard sources.count == 1 else { return nil }
    var chain = sources
    while let last = chain.last {
      let following = next(last)
      if following.isEmpty { return chain }
      guard following.count == 1, chain.count < maxChainLength else { return nil }
      chain += following
    }
    return chain
  }

  private static let maxChainLength = 16
}

extension DataSource {
  /// Whether `other` is this source or below it.
  public func wraps(_ other: any DataSource) -> Bool {
    SourceGraph.depths(below: self)[ObjectIdentifier(other)] != nil
  }

  /// The wrappers that the last fetch of this source updated: those above this source or above any
  /// source below it, each after its children.
  package var followers: [any DataSource] {
    let sources = SourceGraph.sources(below: self)
    // The usual case: no other source wraps any of these sources.
    if sources.count == 1 + children.count, state.wrappers.isEmpty,
      children.allSatisfy({ $0.state.wrappers.allSatisfy { $0 === self } })
    {
      return []
    }
    let below = SourceGraph.depths(below: self)
    return SourceGraph.wrappers(above: sources)
      .filter { below[ObjectIdentifier($0)] == nil && $0.state.eventLog === state.eventLog }
  }
}
