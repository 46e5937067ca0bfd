/// Orders of the sources that wrap each other. A source is made after those it wraps, and refuses to
/// wrap what wraps it, so there are no circles.
enum SourceGraph {
  /// How many wrappings lie between a source and each of those below it, on the longest way.
  static func depths(below source: any DataSource) -> [ObjectIdentifier: Int] {
    var depths = [ObjectIdentifier(source): 0]
    for next in order(from: [source], next: \.children) {
      let depth = (depths[ObjectIdentifier(next)] ?? 0) + 1
      for child in next.children {
        depths[ObjectIdentifier(child)] = max(depths[ObjectIdentifier(child)] ?? 0, depth)
      }
    }
    return depths
  }

  /// Whether a source and all below it take what is at hand.
  static func fetchesSynchronously(_ source: any DataSource) -> Bool {
    order(from: [source], next: \.children).allSatisfy { type(of: $0).fetchesSynchronously }
  }

  /// A source and all that it wraps, each before those it wraps.
  static func sources(below source: any DataSource) -> [any DataSource] {
    order(from: [source], next: \.children)
  }

  /// The sources that wrap any of `sources`, at whatever distance, and these themselves; each after
  /// all that it wraps.
  static func wrappers(above sources: [any DataSource]) -> [any DataSource] {
    order(from: sources) { $0.state.wrappers }
  }

  /// All that can be reached, each before all that is reached from it.
  // Without recursion, as the depth is what a script makes it.
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

  /// The same where each leads to one more at most, which needs no putting in order; nil elsewhere.
  private static func chain(
    from sources: [any DataSource], next: (any DataSource) -> [any DataSource]
  ) -> [any DataSource]? {
    guard sources.count == 1 else { return nil }
    var chain = sources
    while let last = chain.last {
      let following = next(last)
      if following.isEmpty { return chain }
      guard following.count == 1, chain.count < longestChain else { return nil }
      chain += following
    }
    return chain
  }

  private static let longestChain = 16
}
