import DataTables

/// Some values of the objects of a store that is not in memory, as records with keys of their own.
struct ProjectedStore: PagedStore {
  private let base: any SnapshotStore
  private let columns: [ProjectedTable.Column]
  private let shape: Record.Shape

  /// - Throws: `TableError.unknownKey` for a path that begins with no key of the objects.
  init(_ base: any SnapshotStore, _ columns: [ProjectedTable.Column]) throws(TableError) {
    try base.check(columns.map(\.path))
    self.base = base
    self.columns = columns
    shape = Record.Shape(columns.map(\.key))
  }

  var numberOfSections: Int { base.numberOfSections }
  var numberOfObjects: Int { base.numberOfObjects }
  var keys: [String] { shape.keys }
  var hasOtherObjects: Bool { false }
  var computation: StoreComputation? { base.computation }

  func numberOfObjects(in section: Int) -> Int { base.numberOfObjects(in: section) }

  func knownTitle(of section: Int) -> Value? { base.knownTitle(of: section) }

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

  func table(_ context: RequestContext) async throws -> (any Table)? {
    try await base.table(context).map { ProjectedTable($0, columns) }
  }

  // MARK: Reductions

  func aggregates(
    of kind: CollectionOperator, _ steps: [ObjectKeyPath.Step], asOne: Bool,
    _ context: RequestContext
  ) async throws -> SectionAggregates {
    guard kind != .count, !steps.isEmpty else {
      return try await reducedAggregates(of: kind, steps, asOne: asOne, context)
    }
    return try await base.aggregates(
      of: kind, try basePath(of: ObjectKeyPath(steps)).steps, asOne: asOne, context)
  }

  func summary(of key: ObjectKeyPath, _ context: RequestContext) async throws -> KeySummary {
    try await base.summary(of: try basePath(of: key), context)
  }

  func types(of key: ObjectKeyPath, _ context: RequestContext) async throws -> [ValueType] {
    try await base.types(of: try basePath(of: key), context)
  }

  /// The path in the objects below of a path in the objects of this store.
  private func basePath(of path: ObjectKeyPath) throws(TableError) -> ObjectKeyPath {
    try check([path])
    guard let column = columns.first(where: { path.steps.first == .key($0.key) }) else {
      return path
    }
    return ObjectKeyPath(column.path.steps + path.steps.dropFirst())
  }
}
