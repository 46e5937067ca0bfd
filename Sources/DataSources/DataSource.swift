public import DataTables

/// A source of objects in sections, with a name, a delegate and `fetchData`.
///
/// A kind of source declares which sources it wraps and creates its content
/// (``makeSnapshot(_:)``). Events, joined fetches and updates of wrappers work the same for all
/// kinds: see ``SourceState``. A source is confined to the isolation in which it was created. A
/// fetch does its work outside of this isolation, and a ``Snapshot`` may cross isolations.
///
/// This controller groups the people of a file by city, the oldest first, for a table view:
/// ```swift
/// import DataSources
/// import DataTables
///
/// final class PeopleController: DataSourceDelegate {
///   let people: SectionedSource
///
///   init(path: String) async throws {
///     people = SectionedSource(
///       try await SimpleSource.load(path, formats: .core), key: try ObjectKeyPath(parsing: "city"),
///       sort: [
///         SortDescriptor(ObjectKeyPath(key: "city")),
///         SortDescriptor(ObjectKeyPath(key: "age"), direction: .descending),
///       ])
///     people.delegate = self
///   }
///
///   func dataSource(_ source: any DataSource, did event: SourceEvent) {
///     switch event {
///     case .will: print("loading …")
///     case .partial, .changes: break
///     case .finished: print("\(source.numberOfSections) cities")
///     case .failed(let error): print("kept the old list:", error.message)
///     }
///   }
///
///   func show() async throws {
///     try await people.fetchData()
///     let snapshot = try people.content
///     for (section, title) in try await snapshot.titles().enumerated() {
///       print(title, try snapshot.numberOfObjects(in: section))
///     }
///     print(try await people.object(at: IndexPath(section: 0, row: 0)))
///   }
/// }
/// ```
public protocol DataSource: AnyObject {
  /// The word for the kind, such as `simple` or `sectioned`.
  static var kind: String { get }
  var state: SourceState { get }
  /// Whether the kind's own part of a fetch only reads memory and files and never waits for a
  /// server. The default is true.
  static var fetchesSynchronously: Bool { get }
  /// The wrapped sources, in order. None of them wraps this one.
  var children: [any DataSource] { get }
  /// A readable description of the source: `sectioned by name.firstCharacter, sorted by name`.
  var summary: String { get }
  /// Whether the source updates itself after a fetch of a wrapped source. The default is true.
  var followsChildren: Bool { get }
  /// Creates the content for a fetch. A wrapper first requests the content of its children from
  /// `fetch`.
  ///
  /// A kind that wraps sources calls ``listenToChildren()`` at the end of its initializer.
  /// - Throws: ``SourceError`` or `TableError`; the source then keeps its old content.
  func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot

  /// Explains how this kind determined the index path of an object. Sources below explain their
  /// own part.
  ///
  /// The default explains ``Snapshot/request``.
  /// - Parameter snapshot: the content that has the object at `path`.
  func explanation(of path: IndexPath, in snapshot: Snapshot) async throws -> [ExplanationLine]
  /// The child that has the object at `path`, and the index path in the child; nil when both are
  /// unknown because the child has changed since `snapshot` was created.
  func origin(of path: IndexPath, in snapshot: Snapshot) async throws -> ObjectOrigin?
  /// The index paths at which `snapshot` shows an object of a child, or objects made from it; empty if
  /// it cannot be found.
  ///
  /// The default takes O(rows).
  /// - Parameters:
  ///   - path: the index path in the child.
  ///   - child: the index of the child.
  func indexPaths(
    ofObjectAt path: IndexPath, ofChild child: Int, in snapshot: Snapshot
  ) async -> [IndexPath]
  /// The key that identifies this source's objects where `id` identifies those of a child; nil if
  /// they lack it, or several have the same.
  ///
  /// The default, `id`, suits kinds that show the objects of their children unchanged.
  func id(ofObjectsWith id: ObjectKeyPath) -> ObjectKeyPath?
  /// The edits of the children that have the effect of an edit of this source; each child occurs once.
  ///
  /// The default suits kinds that show the objects of their children unchanged.
  /// - Parameter edit: its index paths have objects.
  /// - Throws: ``SourceError``: `badArgument` for an edit that the children cannot make; `conflict` for
  ///   an object that differs from that of the child.
  func editsBelow(_ edit: Edit) async throws -> [EditBelow]
  /// The place in a child at which to insert an object, so that it is shown at an index path; nil if
  /// any place will do.
  ///
  /// The default finds the place next to the object that the index path has, or next to the one before
  /// it.
  func origin(ofPlace path: IndexPath, in content: Snapshot) async throws -> ObjectOrigin?
  /// Explains in a clause why an object of a child is not shown: `where: age >= 18 is false for
  /// it`; nil when this kind did not hide the object.
  func absence(
    of object: Value, at path: IndexPath, ofChild child: Int
  ) async throws -> String?
}

// The properties of every source. Before the first fetch a source has no sections, and reading its
// objects throws ``SourceError/notFetched``.
extension DataSource {
  public static var fetchesSynchronously: Bool { true }

  public func id(ofObjectsWith id: ObjectKeyPath) -> ObjectKeyPath? { id }

  public var followsChildren: Bool { true }

  public var name: String {
    get { state.name }
    set { state.name = newValue }
  }

  /// Held weakly.
  public var delegate: (any DataSourceDelegate)? {
    get { state.delegate }
    set { state.delegate = newValue }
  }

  public var isFetching: Bool { state.isFetching }

  /// The error of the last fetch; nil when it succeeded.
  public var error: SourceError? { state.error }

  public var numberOfSections: Int { state.snapshot?.numberOfSections ?? 0 }

  /// In all sections.
  public var numberOfObjects: Int { state.snapshot?.numberOfObjects ?? 0 }

  /// The content of the last successful fetch or edit, or the initial content of the source.
  /// - Throws: ``SourceError/notFetched``.
  public var content: Snapshot {
    get throws(SourceError) {
      guard let snapshot = state.snapshot else { throw .notFetched }
      return snapshot
    }
  }

  /// - Throws: ``SourceError/notFetched``, ``SourceError/sectionOutOfRange(_:sections:)``.
  public func numberOfObjects(inSection section: Int) throws -> Int {
    try content.numberOfObjects(in: section)
  }

  /// - Throws: ``SourceError``, `outOfRange` when no object exists at `path`.
  public func object(at path: IndexPath) async throws -> Value {
    try await content.object(at: path)
  }

  /// The index path of the first equal object; nil without one.
  public func indexPath(for object: Value) async throws -> IndexPath? {
    try await content.indexPath(of: object)
  }

  public func sectionTitles() async throws -> [Value] {
    try await state.snapshot?.titles() ?? []
  }

  public func sectionIndexTitles() async throws -> [String] {
    try await state.snapshot?.indexTitles() ?? []
  }

  /// All objects in one array; ``Snapshot/batches(of:in:)`` returns them in batches.
  public func allObjects() async throws -> [Value] {
    var objects: [Value] = []
    for try await batch in try content.batches() { objects += batch.objects }
    return objects
  }

  /// The key that identifies an object across changes: the one set on this source, or else on the
  /// nearest source below it, unless a wrapper's objects lack it. Without a key (nil) objects are the
  /// same only if they are equal.
  public var id: ObjectKeyPath? {
    get {
      var level: [(source: any DataSource, above: [any DataSource])] = [(self, [])]
      var seen: Set<ObjectIdentifier> = []
      while !level.isEmpty {
        for (source, above) in level {
          guard let id = source.state.id else { continue }
          return above.reversed().reduce(id as ObjectKeyPath?) { id, wrapper in
            id.flatMap(wrapper.id(ofObjectsWith:))
          }
        }
        level = level.flatMap { source, above in
          // Another source to wrap provides the content from the next fetch on.
          (source.state.plan.map { [$0.source] } ?? source.children).map { ($0, above + [source]) }
        }
        // Only a level with several sources can contain a source twice.
        if level.count > 1 {
          level.removeAll { !seen.insert(ObjectIdentifier($0.source)).inserted }
        }
      }
      return nil
    }
    set { state.id = newValue }
  }

  /// The changes from the previous content to the current one, in the order in which a table view
  /// applies them; empty while no content has been replaced. An edit creates new content; a failed
  /// fetch does not.
  /// - Parameter movesSections: whether sections in another order are moved; otherwise they are
  ///   deleted and inserted, and their objects moved.
  /// - Throws: ``SourceError``: `unknownKey` when no object has the ``id`` that was set on this source.
  public func changes(
    movesSections: Bool = false, _ context: RequestContext = RequestContext()
  ) async throws -> [Change] {
    guard let old = state.previous, let new = state.snapshot else { return [] }
    return try await changes(from: old, to: new, movesSections: movesSections, context)
      + state.refreshes
  }

  /// The changes between two contents of this source.
  package func changes(
    from old: Snapshot, to new: Snapshot, movesSections: Bool = false,
    _ context: RequestContext = RequestContext()
  ) async throws -> [Change] {
    do {
      return try await old.changes(to: new, id: id, movesSections: movesSections, context)
    } catch SourceError.data(.unknownKey) where state.id == nil {
      // The source has the `id` of one of several sources below, and shows objects of others only.
      return try await old.changes(to: new, movesSections: movesSections, context)
    }
  }
}
