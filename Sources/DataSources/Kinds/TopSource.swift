public import DataTables

/// The first objects of another source in a sort order, without sorting all of them.
///
/// - Shape: one section, titled "", because the order of the objects is independent of the sections
///   below. A ``SectionedSource`` over this one splits them.
///
/// Objects that sort as equal keep the order of the source, so of several equal objects at the
/// limit the first ones are shown.
public final class TopSource: WrappingSource {
  public static let kind = "top"
  public let state: SourceState
  public private(set) var source: any DataSource
  /// The maximum number of objects of the next fetch.
  public var limit: Int
  /// The sort descriptors of the next fetch, the most significant first.
  public var sort: [SortDescriptor]

  public init(
    _ source: any DataSource, limit: Int, by sort: [SortDescriptor], name: String = ""
  ) {
    self.source = source
    self.limit = limit
    self.sort = sort
    state = SourceState(name: name)
    listenToChildren()
  }

  public func wrap(_ other: any DataSource) throws(SourceError) {
    try leaveSource(for: other)
    source = other
    listenToChildren()
  }

  /// `top 10 by price desc, name`
  public var summary: String {
    "top \(limit)" + (sort.isEmpty ? "" : " by \(sort.map(\.description).joined(separator: ", "))")
  }

  public var plan: FetchPlan {
    let request = ContentRequest(sort: sort, limit: limit, sections: .whole)
    return FetchPlan(source, settings: [request]) { inner, fetch in
      try await inner.answering(request, fetch.context)
    }
  }

  public func absence(
    of object: Value, at path: IndexPath, ofChild child: Int
  ) async throws -> String? {
    guard let snapshot = state.snapshot, snapshot.numberOfObjects > 0,
      snapshot.numberOfObjects < source.numberOfObjects
    else { return nil }
    let last = try await snapshot.object(
      at: IndexPath(section: 0, row: snapshot.numberOfObjects - 1))
    let values = sort.map { descriptor in
      let value = descriptor.keyPath.evaluate(on: object)
      return "\(descriptor.keyPath) is \(value.excerpt), and "
        + "\(descriptor.keyPath.evaluate(on: last).excerpt) in the last object shown"
    }
    return "\(summary) leaves it out; " + values.joined(separator: "; ")
  }
}
