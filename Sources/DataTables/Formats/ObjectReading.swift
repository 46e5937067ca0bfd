import Synchronization

/// A cache of recently read objects, so that an object that is accessed repeatedly is made once.
///
/// Memory: at most about 4 MiB, regardless of the rows.
final class RecentObjects: Sendable {
  private struct Entry {
    var row: Int
    var version: Int
    var object: Value
  }
  private let entries = Mutex<[Entry?]>([])
  /// A power of two.
  private let capacity: Int

  /// Objects made from more bytes are not cached.
  private static let maxBytes = 1_024
  private static let maxObjects = 1_024
  /// The maximum number of values of all objects together.
  private static let maxValues = 1 << 16

  /// - Parameter keys: the number of values of an object.
  init(keys: Int) {
    var capacity = Self.maxObjects
    while capacity > 1, capacity * keys > Self.maxValues { capacity /= 2 }
    self.capacity = capacity
  }

  /// The cached object of a row, or nil.
  /// - Parameter version: the version of the column types; objects of other versions are ignored.
  func object(at row: Int, version: Int) -> Value? {
    entries.withLock { entries in
      guard !entries.isEmpty, let entry = entries[row & (capacity - 1)], entry.row == row,
        entry.version == version
      else { return nil }
      return entry.object
    }
  }

  /// - Parameter bytes: the number of bytes the object was made from.
  func keep(_ object: Value, at row: Int, version: Int, bytes: Int) {
    guard bytes <= Self.maxBytes else { return }
    var entry: Entry? = Entry(row: row, version: version, object: object)
    entries.withLock { entries in
      if entries.isEmpty { entries = [Entry?](repeating: nil, count: capacity) }
      swap(&entries[row & (capacity - 1)], &entry)
    }
    // The replaced object is freed here, not while others wait for the lock.
  }
}

/// Idle row readers, each with the rows it read last.
final class ReaderPool<Reader: Sendable>: Sendable {
  private let idle = Mutex<[Reader]>([])

  /// Calls `body` with exclusive access to a reader: the one used last, or a new one if all are in
  /// use.
  ///
  /// A reader that failed is not used again.
  func withReader<Result>(
    make: () -> Reader, _ body: (Reader) throws -> Result
  ) rethrows -> Result {
    let reader = idle.withLock { $0.popLast() } ?? make()
    let result = try body(reader)
    // More readers than workers are not worth the memory of their windows.
    idle.withLock { if $0.count < Parallel.workers { $0.append(reader) } }
    return result
  }
}

extension [Int] {
  /// The indices of the elements in ascending order of elements: the order in which rows are read.
  var indicesInAscendingOrder: [Int] {
    // Adjacent rows are sorted already.
    let isAscending = zip(self, dropFirst()).allSatisfy { $0 <= $1 }
    return isAscending ? Array(indices) : indices.sorted { self[$0] < self[$1] }
  }
}
