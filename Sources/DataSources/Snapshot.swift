public import DataTables

/// The immutable content of a source after a fetch. It crosses isolation freely and outlives the
/// source.
public struct Snapshot: Sendable {
  public let store: any SnapshotStore
  /// Titles that several sections have, because the rows did not come in the order of the key.
  public let repeatedTitles: [RepeatedTitle]
  /// How the index beside the list is made.
  public let indexTitling: IndexTitles
  /// What is odd about the key of the sections.
  public let findings: [KeyFinding]
  /// What the rows were cut and sorted by; nil when they are as they came.
  public var arrangement: Arrangement?
  /// Where the sections were taken from, when their index titles come from there.
  var indexParts: [SectionIndexPart] = []
  /// The rows of the content that a wrapper has cut, in its order: what ``references()`` counts in.
  /// It is kept with the content, so that both are of one fetch.
  var input: RowOrder?
  /// The children that failed in the fetch and show their old content.
  public var failures: [ChildAnswer] = []

  public init(
    _ store: any SnapshotStore, repeatedTitles: [RepeatedTitle] = [],
    indexTitles: IndexTitles = .firstCharacter, findings: [KeyFinding] = [],
    arrangement: Arrangement? = nil
  ) {
    self.store = store
    self.repeatedTitles = repeatedTitles
    indexTitling = indexTitles
    self.findings = findings
    self.arrangement = arrangement
  }
}

/// What a snapshot answers from: rows in memory or a file (``LocalStore``), or the pages of a
/// database.
public protocol SnapshotStore: Sendable {
  var numberOfSections: Int { get }
  var numberOfObjects: Int { get }
  /// The keys of the records, in order; empty when the objects are not records.
  var keys: [String] { get }
  /// Whether there are objects that are not records.
  var hasOtherObjects: Bool { get }

  /// - Precondition: `section` is in `0..<numberOfSections`.
  func numberOfObjects(in section: Int) -> Int
  /// The titles of a range of sections.
  func titles(of sections: Range<Int>) async throws -> [Value]
  /// A range of a section's objects.
  func objects(in section: Int, rows: Range<Int>) async throws -> [Value]
  /// The first object, in the order of sections and rows, that has these values under these keys
  /// (null matches missing); nil when there is none.
  func indexPath(matching values: Record) async throws -> IndexPath?
  /// The first object equal to `object`; nil when there is none.
  func indexPath(of object: Value) async throws -> IndexPath?

  /// The store itself when all of its answers are at hand.
  var local: LocalStore? { get }
}

extension SnapshotStore {
  public var hasOtherObjects: Bool { local?.table.hasOtherRows ?? false }
}
