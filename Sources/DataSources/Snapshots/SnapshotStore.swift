public import DataTables

/// The storage of a snapshot's sections and objects: rows in memory or in a file (``LocalStore``),
/// or a table of a database.
///
/// A store is immutable: it answers a request with another store.
public protocol SnapshotStore: Sendable {
  var numberOfSections: Int { get }
  var numberOfObjects: Int { get }
  /// The keys of the records, in order; empty when the objects are not records.
  var keys: [String] { get }
  /// Whether some objects are not records.
  var hasOtherObjects: Bool { get }
  /// The titles of all sections, including hidden ones; nil if no section can be hidden.
  var listedTitles: [ListedTitle]? { get }

  /// - Precondition: `section` is in `0..<numberOfSections`.
  func numberOfObjects(in section: Int) -> Int
  /// The title of a section if it is known without reading; nil otherwise.
  /// - Precondition: `section` is in `0..<numberOfSections`.
  func knownTitle(of section: Int) -> Value?
  /// The titles of a range of sections.
  func titles(of sections: Range<Int>) async throws -> [Value]
  /// A range of a section's objects.
  func objects(in section: Int, rows: Range<Int>) async throws -> [Value]
  /// The objects of consecutive sections: the last rows of the first one, all rows of those between,
  /// and the first rows of the last one.
  func objects(in ranges: [SectionRows]) async throws -> [Value]

  /// The content that a request selects, or as much of it as the store can compute.
  ///
  /// The default leaves the whole request to be computed over a copy.
  /// - Throws: ``SourceError`` or `TableError`: `unknownKey` for a key that no object has,
  ///   `sortMismatch`.
  func answer(_ request: ContentRequest, _ context: RequestContext) async throws -> StoreAnswer

  /// The index path of the first object, in the order of sections and rows, that has these values
  /// under these keys (null matches a missing key); nil without one.
  func indexPath(matching values: Record, cancellation: Cancellation) async throws -> IndexPath?
  /// The index path of the first object equal to `object`; nil without one.
  func indexPath(of object: Value, cancellation: Cancellation) async throws -> IndexPath?
  /// The index path of the first object that satisfies a predicate; nil without one.
  func indexPath(where predicate: Predicate, cancellation: Cancellation) async throws -> IndexPath?

  /// The value of a collection operator over the values of the steps after it, for each section or,
  /// with `asOne`, over all objects.
  func aggregates(
    of kind: CollectionOperator, _ steps: [ObjectKeyPath.Step], asOne: Bool,
    _ context: RequestContext
  ) async throws -> SectionAggregates
  /// The nulls, the distinct values and the extremes of a key over all objects.
  func summary(of key: ObjectKeyPath, _ context: RequestContext) async throws -> KeySummary
  /// The type of the values of a key, as `describe` shows it.
  func report(on key: String, _ context: RequestContext) async throws -> ColumnReport
  /// The types of the values of a key, in the order of ``ValueType``, without null.
  func types(of key: ObjectKeyPath, _ context: RequestContext) async throws -> [ValueType]

  /// For each section, the position of each object in the content that was sorted and split.
  func inputPositions(cancellation: Cancellation) async throws -> [[Int]]
  /// The identity of the object at an index path, which it has in all contents over the same data;
  /// nil without one.
  func identity(at path: IndexPath) async throws -> RowIdentity?
  /// The index path of the object with an identity; nil if the content lacks it.
  func indexPath(of identity: RowIdentity) async throws -> IndexPath?

  /// Reads what is necessary to find the changes to later content, if it may no longer be readable
  /// then.
  ///
  /// - Returns: false if the content must be copied.
  func prepareForChanges(_ context: RequestContext) async throws -> Bool
  /// The changes to other content of the same source; nil if both must be copied and compared.
  func changes(
    to other: any SnapshotStore, id: ObjectKeyPath?, movesSections: Bool, _ context: RequestContext
  ) async throws -> [Change]?

  /// The key of an object with its value, which ``prepareForChanges(_:)`` has read, even if the object
  /// can no longer be read; nil if it was not read.
  func trackedKey(at path: IndexPath) -> Record?

  /// The statements that computed the content and the pages that were read so far; nil for content
  /// that is not computed by an engine.
  var computation: StoreComputation? { get }
  /// The same content without the statements and pages so far; the store itself if it has none.
  func withoutComputation() -> any SnapshotStore

  /// The same store if it can be read without waiting; nil otherwise.
  var local: LocalStore? { get }
  /// All objects in memory as columns, in the order of sections and rows; nil, the default, if the
  /// store reads only objects.
  func table(_ context: RequestContext) async throws -> (any Table)?
}

/// Identifies an object of a table, whatever its index path.
public enum RowIdentity: Sendable {
  /// A row of a table in memory or in a file.
  case row(any Table, Int)
  /// The values that identify a row of the table of a database.
  case key([Value], of: ObjectIdentifier)
}

/// How an engine computed the content of a store.
public struct StoreComputation: Sendable {
  /// The engine and the table: `sqlite, people of company.sqlite`.
  public var origin: String
  /// The statements that were sent so far, in order, with their values.
  public var statements: [String]
  /// The number of rows that the statements returned.
  public var rowsRead: Int
  /// The number of pages of objects that were read.
  public var pages: Int
  /// The pages that were read last, in order, at most ``maxReads``.
  public var reads: [PageRead] = []
  /// The assumptions about the data under which the engine's meaning is the shell's.
  public var assumptions: [String]

  /// The number of pages that are kept in ``reads``.
  package static let maxReads = 1_000

  public init(
    origin: String, statements: [String] = [], rowsRead: Int = 0, pages: Int = 0,
    assumptions: [String] = []
  ) {
    self.origin = origin
    self.statements = statements
    self.rowsRead = rowsRead
    self.pages = pages
    self.assumptions = assumptions
  }
}

/// A page of objects that was read from a database.
public struct PageRead: Sendable {
  /// The index path of its first object.
  public let first: IndexPath
  /// The index path of its last object.
  public let last: IndexPath
  public let objects: Int
  /// When it had arrived.
  public let time: ContinuousClock.Instant

  package init(first: IndexPath, last: IndexPath, objects: Int) {
    self.first = first
    self.last = last
    self.objects = objects
    time = .now
  }
}

extension SnapshotStore {
  public var hasOtherObjects: Bool { local?.table.hasOtherRows ?? false }
  public var computation: StoreComputation? { nil }
  public func withoutComputation() -> any SnapshotStore { self }

  public func knownTitle(of section: Int) -> Value? { local?.sections.titles[section] }

  public func prepareForChanges(_ context: RequestContext) async throws -> Bool { local != nil }

  public func trackedKey(at path: IndexPath) -> Record? { nil }

  public func table(_ context: RequestContext) async throws -> (any Table)? { nil }

  public func changes(
    to other: any SnapshotStore, id: ObjectKeyPath?, movesSections: Bool, _ context: RequestContext
  ) async throws -> [Change]? { nil }

  public func objects(in ranges: [SectionRows]) async throws -> [Value] {
    var objects: [Value] = []
    for range in ranges {
      objects += try await self.objects(in: range.section, rows: range.rows)
    }
    return objects
  }

  /// The index path of the object at a position, counted over all sections; nil past the end.
  package func indexPath(ofPosition position: Int) -> IndexPath? {
    var row = position
    for section in 0..<numberOfSections {
      let count = numberOfObjects(in: section)
      if row < count { return IndexPath(section: section, row: row) }
      row -= count
    }
    return nil
  }

  /// - Throws: `TableError.unknownKey` for a path that begins with no key of the objects, if there
  ///   are any.
  func check(_ paths: [ObjectKeyPath]) throws(TableError) {
    guard numberOfObjects > 0, !keys.isEmpty, !hasOtherObjects else { return }
    for path in paths {
      guard case .key(let key)? = path.steps.first, key != "SELF" else { continue }
      guard keys.contains(key) else { throw .unknownKey(key, known: keys) }
    }
  }

  /// The index path of the last object; nil without objects.
  package var lastIndexPath: IndexPath? {
    for section in (0..<numberOfSections).reversed() {
      let count = numberOfObjects(in: section)
      if count > 0 { return IndexPath(section: section, row: count - 1) }
    }
    return nil
  }

  /// The number of objects before an index path.
  package func position(of path: IndexPath) -> Int {
    (0..<min(path.section, numberOfSections)).reduce(path.row) { $0 + numberOfObjects(in: $1) }
  }
}
