/// The keys of the rows of one state of a table, with a hash of the values of each row, to find the
/// rows that differ in another state.
public struct TableDigest: Equatable, Sendable {
  /// Ascending.
  public private(set) var keys: [Int64] = []
  /// The hash of the row with each key.
  public private(set) var hashes: [UInt64] = []

  public init() {}

  /// - Precondition: `key` is greater than all keys before it.
  public mutating func add(_ key: Int64, hash: UInt64) {
    keys.append(key)
    hashes.append(hash)
  }

  public mutating func append(_ other: TableDigest) {
    keys += other.keys
    hashes += other.hashes
  }

  /// The keys of the rows that were deleted, inserted or changed between two states.
  struct Difference {
    var deleted: [Int64] = []
    var inserted: [Int64] = []
    var changed: [Int64] = []
  }

  /// - Complexity: O(rows).
  func difference(to new: TableDigest) -> Difference {
    var difference = Difference()
    var (old, next) = (0, 0)
    while old < keys.count || next < new.keys.count {
      if next == new.keys.count || old < keys.count && keys[old] < new.keys[next] {
        difference.deleted.append(keys[old])
        old += 1
      } else if old == keys.count || new.keys[next] < keys[old] {
        difference.inserted.append(new.keys[next])
        next += 1
      } else {
        if hashes[old] != new.hashes[next] { difference.changed.append(keys[old]) }
        old += 1
        next += 1
      }
    }
    return difference
  }
}
