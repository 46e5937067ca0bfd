public import DataTables

/// Something with sections of objects, a name, a delegate and `fetchData`.
///
/// A kind of source says what it wraps and how its content is made (``makeSnapshot(_:)``); the
/// events, the joining of fetches and the updates of wrappers are the same for all and live in
/// ``SourceState``. Sources are confined to the isolation that made them; the work of a fetch is
/// done elsewhere, and a ``Snapshot`` may go anywhere.
///
/// The people of a file by city, the oldest first, as a table view wants them:
/// ```swift
/// import DataSources
/// import DataTables
///
/// final class PeopleController: DataSourceDelegate {
///   let people: SectionedSource
///
///   init(path: String) async throws {
///     people = SectionedSource(
///       try await SimpleSource.load(path), key: try ObjectKeyPath(parsing: "city"),
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
  /// The word for the kind: `simple`, `sectioned`.
  static var kind: String { get }
  var state: SourceState { get }
  /// Whether a fetch of its own takes what is at hand, memory and files, and waits for nobody; so
  /// unless the kind says otherwise.
  static var fetchesSynchronously: Bool { get }
  /// The sources it wraps, in order. None of them wraps this one.
  var children: [any DataSource] { get }
  /// How it is made, for people: `sectioned by name.firstCharacter, sorted by name`.
  var summary: String { get }
  /// Whether the source brings itself up to date when one that it wraps was fetched on its own.
  var followsChildren: Bool { get }
  /// Makes the content of a fetch; a wrapper asks `fetch` for that of its children first.
  ///
  /// A kind that wraps sources calls ``listenToChildren()`` at the end of its initialiser.
  /// - Throws: ``SourceError`` or `TableError`; the old content then stays.
  func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot

  /// What this kind did to put an object where it stands; of what is below, that tells itself.
  ///
  /// Unless the kind has more to tell, ``Snapshot/arrangement`` does.
  /// - Parameter snapshot: the content that has the object at `path`.
  func explanation(of path: IndexPath, in snapshot: Snapshot) async throws -> [ExplanationLine]
  /// Where the object at a path stands in one of ``children``; nil when that cannot be told, as
  /// the child has changed since.
  func origin(of path: IndexPath, in snapshot: Snapshot) -> ObjectOrigin?
  /// Why an object of a child is not shown, in a clause: `where: age >= 18 is false for it`; nil
  /// when this kind did not hide it.
  func absence(
    of object: Value, at path: IndexPath, ofChild child: Int
  ) async throws -> String?
}

/// What a delegate hears of a fetch: one will, any number of partials, one finished or failed. Of an
/// edit it hears will, changes and finished, or will and failed.
public enum SourceEvent: Sendable {
  case will
  /// A part has come, and what it is; nil when the source only has begun to wait for somebody.
  case partial(Part?)
  /// The content was edited; ``DataSource/changes(cancellation:)`` tells how.
  case changes
  case finished
  case failed(SourceError)

  /// What has come of a fetch.
  public enum Part: Equatable, Sendable {
    /// One of several sources answered.
    case child(ChildOutcome)
    /// So many bytes of an answer that takes long, or of all answers to the fetch.
    case bytes(Int)
  }

  /// `will`, `partial`, `changes`, `finished`, `failed`.
  public var name: String {
    switch self {
    case .will: "will"
    case .partial: "partial"
    case .changes: "changes"
    case .finished: "finished"
    case .failed: "failed"
    }
  }
}

/// Hears of the fetches of a source, in its isolation.
public protocol DataSourceDelegate: AnyObject {
  /// The state of `source` is that after the event: its new content on `finished`, its error on
  /// `failed`.
  func dataSource(_ source: any DataSource, did event: SourceEvent)
}
