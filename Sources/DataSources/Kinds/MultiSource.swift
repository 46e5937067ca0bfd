public import DataTables

/// Several sources as one, in their order.
///
/// - Shape: one section per child, titled with the child's name; with ``preservesSections`` the
///   sections, titles and index titles of the children. No sections without children.
///
/// A fetch fetches all children. It reports `will`, a `partial` when a child ends (except for the
/// last child), and `finished` when all children have ended. The `partial` events of a child are
/// not forwarded.
///
/// A failed child is listed in ``Snapshot/failures`` and keeps its old content. Without old
/// content, it has an empty section, or no sections with ``preservesSections``. When all children
/// fail, the fetch fails with the error of the first child.
///
/// Objects of local children are not copied, and a wrapper that sorts and splits all objects uses
/// the columns of the children:
/// ```swift
/// let foods = try await SimpleSource.load("foods.csv", formats: .core, name: "Foods")
/// let drinks = try await SimpleSource.load("drinks.csv", formats: .core, name: "Drinks")
/// let menu = MultiSource([foods, drinks])
/// let letters = SectionedSource(menu, key: try ObjectKeyPath(parsing: "name.firstCharacter"))
/// try await letters.fetchData()
/// ```
public final class MultiSource: EditedSource {
  public static let kind = "multi"
  public let state: SourceState
  public private(set) var children: [any DataSource]
  /// The children, as positions in ``pool``.
  public let history: EditHistory
  /// All sources that are children, or that undo or redo can make children again.
  var pool: [any DataSource]
  /// Whether the next fetch keeps the sections of the children.
  public var preservesSections: Bool
  /// Whether the last successful fetch kept the sections of the children; nil before the first one.
  private var preservedSections: Bool?
  /// The files that the children read; nil unless each child is one of several files.
  let family: FileFamily?

  /// - Parameter children: a source that occurs more than once is fetched once.
  public init(_ children: [any DataSource], preservesSections: Bool = false, name: String = "") {
    self.children = children
    self.preservesSections = preservesSections
    pool = children
    history = EditHistory(count: children.count)
    family = nil
    state = SourceState(name: name)
    listenToChildren()
    history.didChange = { [weak self] in
      guard let self else { return }
      follow(history.rows.rows.map { self.pool[Int($0)] })
    }
  }

  /// - Parameter sources: the sources of the files of `family`.
  init(_ sources: [SimpleSource], of family: FileFamily, name: String) {
    children = sources
    preservesSections = false
    pool = []
    history = EditHistory(count: 0)
    self.family = family
    state = SourceState(name: name)
    listenToChildren()
  }

  /// `multi`, `multi, preserving sections`
  public var summary: String { preservesSections ? "multi, preserving sections" : "multi" }

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    guard let family else { return try await joined(fetch) }
    let old = children
    do {
      follow(
        try await family.sources(
          replacing: old.compactMap { $0 as? SimpleSource }, cancellation: fetch.cancellation))
      return try await joined(fetch)
    } catch {
      // The old content belongs to the old children.
      follow(old)
      throw error
    }
  }

  private func follow(_ sources: [any DataSource]) {
    let (old, new) = (children, sources)
    let kept = Set(old.map { ObjectIdentifier($0) }).intersection(new.map { ObjectIdentifier($0) })
    for child in old where !kept.contains(ObjectIdentifier(child)) {
      child.state.remove(wrapper: self)
    }
    for child in new where !kept.contains(ObjectIdentifier(child)) {
      child.state.add(wrapper: self)
    }
    children = new
  }

  private func joined(_ fetch: Fetch) async throws -> Snapshot {
    // A setting waits for the next fetch of this source.
    let preserves = fetch.isUpdate ? hasPreservedSections : preservesSections
    let children = children
    let results = await fetch.childSnapshots()
    try fetch.cancellation.check()
    var contents: [ChildContent] = []
    for (child, result) in zip(children, results) { contents.append(ChildContent(child, result)) }
    let errors = contents.compactMap(\.error)
    if errors.count == children.count, let error = errors.first { throw error }
    // Without an error, all children have contents.
    let settings: [AnyHashable]? = errors.isEmpty ? [preserves, contents.map(\.name)] : nil
    let snapshots = contents.compactMap(\.snapshot)
    let snapshot: Snapshot
    if let settings, let kept = state.content(madeFrom: snapshots, by: settings) {
      snapshot = kept
    } else {
      snapshot = try await JoinedChildren(contents, preservesSections: preserves).snapshot()
    }
    if !fetch.isPreview {
      state.whenStored { [weak self, state] in
        self?.preservedSections = preserves
        state.keepContent(madeFrom: snapshots, by: settings)
      }
    }
    return snapshot
  }

  /// Whether the content has the sections of the children.
  var hasPreservedSections: Bool { preservedSections ?? preservesSections }

  public func editedContent(cancellation: Cancellation) async throws -> Snapshot {
    let contents = children.map { child in
      ChildContent(
        child,
        child.error.map { .failure($0) } ?? child.state.snapshot.map { .success($0) }
          ?? .failure(.notFetched))
    }
    return try await JoinedChildren(contents, preservesSections: hasPreservedSections).snapshot()
  }

  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    // The children may have changed since an earlier content.
    guard !showsEarlierContent, let origin = childOrigin(of: path) else { return [] }
    let whole = hasPreservedSections ? "section \(origin.path.section)" : "all objects"
    return [
      ExplanationLine(
        "section \(path.section)",
        "\(whole) of source \(origin.child + 1) of \(children.count)")
    ]
  }

  public func origin(of path: IndexPath, in snapshot: Snapshot) -> ObjectOrigin? {
    // A child that has changed may show another object at the path.
    guard JoinedChildren.shows(snapshot, children) else { return nil }
    return childOrigin(of: path)
  }

  public func indexPaths(
    ofObjectAt path: IndexPath, ofChild child: Int, in snapshot: Snapshot
  ) -> [IndexPath] {
    guard let store = children[child].state.snapshot?.store else { return [] }
    // An earlier content may join other children, or other contents of them.
    if showsEarlierContent || !JoinedChildren.shows(snapshot, children) {
      guard let store = store.local, let row = try? store.row(at: path) else { return [] }
      return JoinedChildren.indexPaths(showing: row, of: store.table, in: snapshot)
    }
    guard hasPreservedSections else {
      return [IndexPath(section: child, row: store.position(of: path))]
    }
    let before = children[..<child].reduce(0) { $0 + ($1.state.snapshot?.numberOfSections ?? 0) }
    return [IndexPath(section: before + path.section, row: path.row)]
  }

  /// The section determines the child, even if it is empty.
  public func origin(
    ofPlace path: IndexPath, in content: Snapshot
  ) throws(SourceError) -> ObjectOrigin? {
    guard JoinedChildren.shows(content, children) else { throw .outdatedObject }
    if hasPreservedSections { return childOrigin(of: path) }
    if let origin = childOrigin(of: path) { return origin }
    guard children.indices.contains(path.section),
      let store = children[path.section].state.snapshot?.store
    else { return nil }
    // The end of the last section of the child.
    let last = store.numberOfSections - 1
    guard last >= 0 else { return nil }
    return ObjectOrigin(
      child: path.section,
      path: IndexPath(section: last, row: store.numberOfObjects(in: last)))
  }

  /// The child that has the object at `path`, and the index path in it.
  func childOrigin(of path: IndexPath) -> ObjectOrigin? {
    let stores = children.map { $0.state.snapshot?.store }
    guard hasPreservedSections else {
      guard children.indices.contains(path.section),
        let childPath = stores[path.section]?.indexPath(ofPosition: path.row)
      else { return nil }
      return ObjectOrigin(child: path.section, path: childPath)
    }
    var section = path.section
    for (child, store) in stores.enumerated() {
      let count = store?.numberOfSections ?? 0
      if section < count {
        return ObjectOrigin(child: child, path: IndexPath(section: section, row: path.row))
      }
      section -= count
    }
    return nil
  }
}
