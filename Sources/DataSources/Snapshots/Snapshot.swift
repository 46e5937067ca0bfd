public import DataTables

/// The immutable content of a source after a fetch. It crosses isolation freely and outlives the
/// source.
public struct Snapshot: Sendable {
  public let store: any SnapshotStore
  private var remarks: Shared

  /// What a snapshot knows beside its objects.
  private struct Remarks {
    var repeatedTitles: [RepeatedTitle]
    var indexTitling: IndexTitles
    var findings: [KeyFinding]
    var arrangement: Arrangement?
    var indexParts: [SectionIndexPart] = []
    var input: RowOrder?
    var failures: [ChildOutcome] = []
  }

  /// Looked at seldom, and copied with the snapshot whenever one is passed on: so it stands apart.
  private indirect enum Shared {
    case remarks(Remarks)

    var value: Remarks {
      get {
        switch self {
        case .remarks(let remarks): remarks
        }
      }
      set { self = .remarks(newValue) }
    }
  }

  public init(
    _ store: any SnapshotStore, repeatedTitles: [RepeatedTitle] = [],
    indexTitles: IndexTitles = .firstCharacter, findings: [KeyFinding] = [],
    arrangement: Arrangement? = nil
  ) {
    self.store = store
    remarks = .remarks(
      Remarks(
        repeatedTitles: repeatedTitles, indexTitling: indexTitles, findings: findings,
        arrangement: arrangement))
  }
}

extension Snapshot {
  /// Titles that several sections have, because the rows did not come in the order of the key.
  public var repeatedTitles: [RepeatedTitle] { remarks.value.repeatedTitles }

  /// How the index beside the list is made.
  public var indexTitling: IndexTitles { remarks.value.indexTitling }

  /// What is odd about the key of the sections.
  public var findings: [KeyFinding] { remarks.value.findings }

  /// What the rows were cut and sorted by; nil when they are as they came.
  public var arrangement: Arrangement? {
    get { remarks.value.arrangement }
    set { remarks.value.arrangement = newValue }
  }

  /// Where the sections were taken from, when their index titles come from there.
  var indexParts: [SectionIndexPart] {
    get { remarks.value.indexParts }
    set { remarks.value.indexParts = newValue }
  }

  /// The rows of the content that a wrapper has cut, in its order: what ``references()`` counts in.
  /// It is kept with the content, so that both are of one fetch.
  var input: RowOrder? {
    get { remarks.value.input }
    set { remarks.value.input = newValue }
  }

  /// The children that failed in the fetch and show their old content.
  public var failures: [ChildOutcome] {
    get { remarks.value.failures }
    set { remarks.value.failures = newValue }
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
