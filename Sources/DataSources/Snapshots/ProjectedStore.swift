import DataTables

/// Some values of the objects of a store that is not in memory, as records with keys of their own.
struct ProjectedStore: PagedStore {
  private let base: any SnapshotStore
  private let columns: [ProjectedTable.Column]
  private let shape: Record.Shape

  /// - Throws: `TableError.unknownKey` for a path that begins with no key of the objects.
  init(_ base: any SnapshotStore, _ columns: [ProjectedTable.Column]) throws(TableError) {
    for column in columns {
      guard case .key(let key)? = column.path.steps.first, key != "SELF" else { continue }
      guard base.keys.contains(key) else { throw .unknownKey(key, known: base.keys) }
    }
    self.base = base
    self.columns = columns
    shape = Record.Shape(columns.map(\.key))
  }

  var numberOfSections: Int { base.numberOfSections }
  var numberOfObjects: Int { base.numberOfObjects }
  var keys: [String] { shape.keys }
  var hasOtherObjects: Bool { false }
  var listedTitles: [ListedTitle]? { base.listedTitles }
  var computation: StoreComputation? { base.computation }

  func numberOfObjects(in section: Int) -> Int { base.numberOfObjects(in: section) }

  func titles(of sections: Range<Int>) async throws -> [Value] {
    try await base.titles(of: sections)
  }

  func objects(in section: Int, rows: Range<Int>) async throws -> [Value] {
    try await base.objects(in: section, rows: rows).map(projected)
  }

  func objects(in ranges: [SectionRows]) async throws -> [Value] {
    try await base.objects(in: ranges).map(projected)
  }

  private func projected(_ object: Value) -> Value {
    .record(Record(shape: shape, values: columns.map { $0.path.evaluate(on: object) }))
  }

  func identity(at path: IndexPath) async throws -> RowIdentity? {
    try await base.identity(at: path)
  }

  func indexPath(of identity: RowIdentity) async throws -> IndexPath? {
    try await base.indexPath(of: identity)
  }
}
