import DataTables

/// A content that a source has had.
public struct KeptContent: Sendable {
  /// Counted from 1 in each source. The numbers of contents that are no longer kept are not used again.
  public let number: Int
  public let cause: ContentCause
  /// The time at which the source received the content, in seconds since 1970.
  public let date: Int
  public let snapshot: Snapshot
  /// The numbers of changes from another content.
  package let changeCounts = KeptCounts()
}

/// The last contents of a source, oldest first.
///
/// Contents share their tables and are not copied. The current content and the one before it are kept
/// always; of the others those in memory, with at most ``maxObjects`` together, and at most
/// ``maxContents`` in all. The content of a database may hold a transaction open.
///
/// - Complexity: adding a content takes the same time for any number of objects.
struct ContentHistory {
  private(set) var contents: [KeptContent] = []
  /// The number of the content that the source shows; 0 without one.
  private(set) var shown = 0

  static let maxContents = 10
  /// The maximum number of objects of contents that share their rows with the newest one: for each of
  /// them, a content has an own row number of 4 bytes.
  static let maxObjects = 32_000_000
  /// An object of another table counts as this many.
  private static let costOfOwnRow = 8

  /// The content of the last fetch or edit; nil without one.
  var latest: KeptContent? { contents.last }

  /// Whether another content than the latest one is shown.
  var showsEarlier: Bool { latest.map { $0.number != shown } ?? false }

  subscript(number: Int) -> KeptContent? { contents.first { $0.number == number } }

  mutating func add(_ snapshot: Snapshot, _ cause: ContentCause) {
    shown = (latest?.number ?? 0) + 1
    let date = AdjustableClock.current.date
    contents.append(KeptContent(number: shown, cause: cause, date: date, snapshot: snapshot))
    if contents.count > 2 { drop(sharingRowsWith: snapshot) }
  }

  /// Replaces the latest content by one with the same objects, and shows it.
  mutating func replaceLatest(_ snapshot: Snapshot) {
    guard let latest = contents.popLast() else { return }
    shown = latest.number
    contents.append(
      KeptContent(
        number: shown, cause: latest.cause, date: latest.date, snapshot: snapshot))
  }

  /// - Precondition: the content is kept.
  mutating func show(_ number: Int) { shown = number }

  /// Drops the contents that are not kept beside a new one.
  private mutating func drop(sharingRowsWith newest: Snapshot) {
    var objects = 0
    var kept: [KeptContent] = []
    for content in contents.reversed() {
      if kept.count < 2 {
        kept.append(content)
        continue
      }
      let snapshot = content.snapshot
      guard kept.count < Self.maxContents, snapshot.store.local != nil else { continue }
      let cost = snapshot.sharesRows(with: newest) ? 1 : Self.costOfOwnRow
      objects += snapshot.numberOfObjects * cost
      if objects <= Self.maxObjects { kept.append(content) }
    }
    contents = kept.reversed()
  }
}

extension Snapshot {
  /// Whether two contents are rows of one table.
  fileprivate func sharesRows(with other: Snapshot) -> Bool {
    guard let store = store.local, let other = other.store.local else { return false }
    return EditedTable.haveSameRows(store.table, other.table)
  }
}
