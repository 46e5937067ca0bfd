public import DataTables

// What every source answers, from its content. Before the first fetch there are no sections, and
// objects are ``SourceError/notFetched``.
extension DataSource {
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

  /// Why the last fetch failed; nil when it did not.
  public var error: SourceError? { state.error }

  public var numberOfSections: Int { state.snapshot?.numberOfSections ?? 0 }

  /// In all sections.
  public var numberOfObjects: Int { state.snapshot?.numberOfObjects ?? 0 }

  /// The content of the last successful fetch.
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

  /// - Throws: ``SourceError``, `outOfRange` when nothing stands there.
  public func object(at path: IndexPath) async throws -> Value {
    try await content.object(at: path)
  }

  /// The first place of an equal object; nil when there is none.
  public func indexPath(for object: Value) async throws -> IndexPath? {
    try await content.indexPath(of: object)
  }

  public func sectionTitles() async throws -> [Value] {
    try await state.snapshot?.titles() ?? []
  }

  public func sectionIndexTitles() async throws -> [String] {
    try await state.snapshot?.indexTitles() ?? []
  }

  /// All objects at once; ``Snapshot/batches(of:in:)`` gives them in pieces.
  public func allObjects() async throws -> [Value] {
    var objects: [Value] = []
    for try await batch in try content.batches() { objects += batch.objects }
    return objects
  }
}
