import DataSources
import DataTables

/// The number of changes from one content to the next, by their kinds.
struct ChangeCounts {
  static let keys = [
    "inserted", "deleted", "moved", "updated", "insertedSections", "deletedSections",
  ]
  private let counts: [Int]

  /// The counts are kept with the new content; nil if a content is not in memory, or can no longer be
  /// read: counting copies nothing.
  /// - Throws: ``SourceError``, `cancelled`.
  init?(
    from old: KeptContent, to new: KeptContent, of source: any DataSource,
    _ context: RequestContext
  ) async throws {
    for snapshot in [old.snapshot, new.snapshot] {
      guard snapshot.store.local != nil || snapshot.isCopied else { return nil }
    }
    let basis = KeptCounts.Basis(from: old, of: source)
    if let counts = new.changeCounts[basis] {
      self.counts = counts
      return
    }
    var counts = Self.keys.map { _ in 0 }
    do {
      let changes = try await source.changes(from: old.snapshot, to: new.snapshot, context)
      for change in changes {
        if let index = change.countedAs { counts[index] += 1 }
      }
    } catch let error as SourceError where !error.isCancelled {
      return nil
    }
    new.changeCounts[basis] = counts
    self.counts = counts
  }

  var values: [Value] { counts.map(Value.integer) }

  /// `1 inserted, 2 moved, 1 section inserted`, `none`
  var phrase: String {
    let objects = zip(Self.keys, counts).prefix(4).map { ($1, "\($1.grouped) \($0)") }
    let sections = [
      (counts[4], "\(counted(counts[4], "section")) inserted"),
      (counts[5], "\(counted(counts[5], "section")) deleted"),
    ]
    let listed = (objects + sections).filter { $0.0 > 0 }.map(\.1)
    return listed.isEmpty ? "none" : listed.joined(separator: ", ")
  }
}

extension Change {
  /// The index of its kind in ``ChangeCounts/keys``; nil for an object that has not changed.
  fileprivate var countedAs: Int? {
    switch self {
    case .insert: 0
    case .delete: 1
    case .move, .moveSection: 2
    case .update: 3
    case .insertSection: 4
    case .deleteSection: 5
    case .reload, .reconfigure: nil
    }
  }
}
