import Synchronization

/// Objects of a file that were read lately, so that what is looked at again and again is made once.
///
/// Memory: at most about 4 MiB, whatever the rows hold.
final class RecentObjects: Sendable {
  private struct Entry {
    var row: Int
    var version: Int
    var object: Value
  }
  private let entries = Mutex<[Entry?]>([])
  /// A power of two.
  private let capacity: Int

  /// Objects made of more bytes are not kept.
  private static let mostBytes = 1_024
  private static let mostObjects = 1_024
  /// Of all objects together.
  private static let mostValues = 1 << 16

  /// - Parameter keys: how many values an object has.
  init(keys: Int) {
    var capacity = Self.mostObjects
    while capacity > 1, capacity * keys > Self.mostValues { capacity /= 2 }
    self.capacity = capacity
  }

  /// The object at a row; nil when it is not here.
  /// - Parameter version: of how rows are read: what was made in another way is not given.
  func object(at row: Int, version: Int) -> Value? {
    entries.withLock { entries in
      guard !entries.isEmpty, let entry = entries[row & (capacity - 1)], entry.row == row,
        entry.version == version
      else { return nil }
      return entry.object
    }
  }

  /// - Parameter bytes: how many the object was made of.
  func keep(_ object: Value, at row: Int, version: Int, bytes: Int) {
    guard bytes <= Self.mostBytes else { return }
    var entry: Entry? = Entry(row: row, version: version, object: object)
    entries.withLock { entries in
      if entries.isEmpty { entries = [Entry?](repeating: nil, count: capacity) }
      swap(&entries[row & (capacity - 1)], &entry)
    }
    // The object that gave way is freed here, and not while others wait for the lock.
  }
}
