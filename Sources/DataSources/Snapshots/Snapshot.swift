public import DataTables

/// The immutable content of a source after a fetch. It may cross isolations and outlive the source.
public struct Snapshot: Sendable {
  public let store: any SnapshotStore
  private var details: DetailsBox

  /// The properties of a snapshot other than its objects.
  private struct Details {
    var repeatedTitles: [RepeatedTitle]
    var indexTitling: IndexTitles
    var findings: [KeyFinding]
    var arrangement: Arrangement?
    var indexParts: [SectionIndexPart] = []
    var input: RowOrder?
    var failures: [ChildOutcome] = []
  }

  /// Keeps the details out of line: they are rarely read, and snapshots are often copied.
  private indirect enum DetailsBox {
    case details(Details)

    var value: Details {
      get {
        switch self {
        case .details(let details): details
        }
      }
      set { self = .details(newValue) }
    }
  }

  public init(
    _ store: any SnapshotStore, repeatedTitles: [RepeatedTitle] = [],
    indexTitles: IndexTitles = .firstCharacter, findings: [KeyFinding] = [],
    arrangement: Arrangement? = nil
  ) {
    self.store = store
    details = .details(
      Details(
        repeatedTitles: repeatedTitles, indexTitling: indexTitles, findings: findings,
        arrangement: arrangement))
  }

  /// The titles that more than one section has, because the rows were not sorted by the key.
  public var repeatedTitles: [RepeatedTitle] { details.value.repeatedTitles }

  /// How the titles of the section index are derived.
  public var indexTitling: IndexTitles { details.value.indexTitling }

  /// Unusual properties of the key of the sections.
  public var findings: [KeyFinding] { details.value.findings }

  /// The predicate, key and sort that determined the rows; nil for all rows in their original
  /// order.
  public var arrangement: Arrangement? {
    get { details.value.arrangement }
    set { details.value.arrangement = newValue }
  }

  /// The snapshots from which the sections were adopted, if those snapshots determine the index
  /// titles; empty otherwise.
  var indexParts: [SectionIndexPart] {
    get { details.value.indexParts }
    set { details.value.indexParts = newValue }
  }

  /// The order of the rows before the fetch sorted and split them; ``references(_:)`` returns
  /// positions in this order.
  var input: RowOrder? {
    get { details.value.input }
    set { details.value.input = newValue }
  }

  /// The children that failed in the fetch and kept their old content.
  public var failures: [ChildOutcome] {
    get { details.value.failures }
    set { details.value.failures = newValue }
  }
}

/// The outcome of the fetch of a child.
public struct ChildOutcome: Equatable, Sendable {
  /// The position of the child in ``DataSource/children``.
  public let index: Int
  /// The name of the child, which may be "".
  public let name: String
  /// The error that made the child keep its old content; nil when its fetch succeeded.
  public let error: SourceError?

  public init(index: Int, name: String, error: SourceError? = nil) {
    self.index = index
    self.name = name
    self.error = error
  }
}
