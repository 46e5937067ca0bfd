public import DataTables
import Synchronization

/// The immutable content of a source after a fetch. It may cross isolations and outlive the source.
public struct Snapshot: Sendable {
  public let store: any SnapshotStore
  private var details: DetailsBox
  /// Shared by the snapshots with the same objects in the same sections.
  private let identity: Identity

  /// The properties of a snapshot other than its objects.
  private struct Details {
    var repeatedTitles: [RepeatedTitle]
    var indexTitling: IndexTitles
    var findings: [KeyFinding]
    var request: ContentRequest?
    var indexParts: [SectionIndexPart] = []
    var shortfall: Shortfall?
    var failures: [ChildOutcome] = []
    var isFromCache = false
  }

  /// The identity of a content, with a copy of its objects that is made when it is first needed.
  private final class Identity: Sendable {
    let copy = Mutex<LocalStore?>(nil)
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
    request: ContentRequest? = nil
  ) {
    self.store = store
    identity = Identity()
    details = .details(
      Details(
        repeatedTitles: repeatedTitles, indexTitling: indexTitles, findings: findings,
        request: request))
  }

  private init(_ store: any SnapshotStore, sharing other: Snapshot) {
    self.store = store
    details = other.details
    identity = other.identity
  }

  /// The same content for a source that found it in a cache: the statements of another source are
  /// not its own.
  ///
  /// - Parameter old: the content of the source until now, which is returned if it is the same.
  func forReuse(after old: Snapshot?) -> Snapshot {
    if let old, old.isSame(as: self) { return old }
    return Snapshot(store.withoutComputation(), sharing: self)
  }

  /// The same content for a wrapper that passes it on: what the source below did for it is not its own.
  ///
  /// - Parameter old: see ``forReuse(after:)``.
  func passedOn(after old: Snapshot?) -> Snapshot {
    var snapshot = forReuse(after: old)
    snapshot.request = nil
    snapshot.failures = []
    snapshot.isFromCache = false
    return snapshot
  }

  /// Whether one of two contents is the other, perhaps passed on by a wrapper: everything that is made
  /// from their objects and sections is the same.
  func isSame(as other: Snapshot) -> Bool { identity === other.identity }

  /// The copy of a store that is not local; nil until it is made.
  var copy: LocalStore? {
    get { identity.copy.withLock { $0 } }
    nonmutating set { identity.copy.withLock { $0 = newValue } }
  }

  /// Whether two contents have the same rows at the same index paths; false if finding out would take
  /// time for all rows.
  package func isIdentical(to other: Snapshot) -> Bool {
    if isSame(as: other) { return true }
    guard let store = store.local, let other = other.store.local else { return false }
    return store.table === other.table && store.order.isIdentical(to: other.order)
      && store.sections.offsets == other.sections.offsets
  }

  /// The titles that more than one section has, because the rows were not sorted by the key.
  public var repeatedTitles: [RepeatedTitle] { details.value.repeatedTitles }

  /// How the titles of the section index are derived.
  public var indexTitling: IndexTitles { details.value.indexTitling }

  /// Unusual properties of the key of the sections.
  public var findings: [KeyFinding] { details.value.findings }

  /// The request that determined the rows; nil for all rows in their original order.
  public var request: ContentRequest? {
    get { details.value.request }
    set { details.value.request = newValue }
  }

  /// The part of the request that was computed over a copy; nil if none was.
  public internal(set) var shortfall: Shortfall? {
    get { details.value.shortfall }
    set { details.value.shortfall = newValue }
  }

  /// Whether the fetch found the sections in a cache.
  public internal(set) var isFromCache: Bool {
    get { details.value.isFromCache }
    set { details.value.isFromCache = newValue }
  }

  /// The snapshots from which the sections were adopted, if those snapshots determine the index
  /// titles; empty otherwise.
  var indexParts: [SectionIndexPart] {
    get { details.value.indexParts }
    set { details.value.indexParts = newValue }
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
