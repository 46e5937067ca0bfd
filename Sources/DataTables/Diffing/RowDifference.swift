/// The rows that differ between two orders of the same rows.
///
/// A row that has moved is in both lists.
struct RowDifference {
  /// A row that leaves its place in the old order.
  struct Removal {
    let row: Int
    let position: Int
  }

  /// A row that is placed in the new order.
  struct Addition {
    let row: Int
    let position: Int
    /// The old position of the last row before it that stays, or -1.
    let anchor: Int
    /// The row that left its place; nil unless as many rows left there as were placed.
    let replaced: Removal?
  }
  /// In the old order.
  private(set) var removed: [Removal] = []
  /// In the new order.
  private(set) var added: [Addition] = []

  /// - Returns: nil if so many rows differ, or differ in one place, that all rows are better sorted or
  ///   compared.
  /// - Complexity: O(rows), as fast as memory is read if few rows differ.
  init?(from old: RowOrder, to new: RowOrder) {
    let most = max(4_096, new.count / 8)
    var (left, right) = (0, 0)
    while true {
      let same = old.matches(from: left, new, from: right)
      left += same
      right += same
      let rest = (old.count - left, new.count - right)
      if rest == (0, 0) { return }
      guard let gap = Self.gap(old, left, new, right) else { return nil }
      let first = removed.count
      for position in left..<left + gap.old {
        removed.append(Removal(row: old[position], position: position))
      }
      for index in 0..<gap.new {
        added.append(
          Addition(
            row: new[right + index], position: right + index, anchor: left - 1,
            replaced: gap.old == gap.new ? removed[first + index] : nil))
      }
      left += gap.old
      right += gap.new
      if removed.count > most || added.count > most { return nil }
    }
  }

  /// A number of rows in each order.
  private typealias Gap = (old: Int, new: Int)

  /// The most rows that a gap may have in each order.
  private static let maxGap = 4_096
  /// The most rows of a gap, in both orders together, for which comparing pairs is faster than
  /// hashing.
  private static let maxShortGap = 16

  /// The numbers of rows after which both orders continue with the same row, or end; the pair with
  /// the least sum.
  ///
  /// - Returns: nil if more than `maxGap` rows of one order differ.
  /// - Complexity: O(rows of the gap); O(`maxGap`) if the result is nil.
  private static func gap(_ old: RowOrder, _ left: Int, _ new: RowOrder, _ right: Int) -> Gap? {
    let (oldRest, newRest) = (old.count - left, new.count - right)
    for sum in 1...maxShortGap {
      for length in 0...sum where sum - length < oldRest && length < newRest {
        if old[left + sum - length] == new[right + length] { return (sum - length, length) }
      }
    }
    return longGap(old, left, new, right)
  }

  private static func longGap(
    _ old: RowOrder, _ left: Int, _ new: RowOrder, _ right: Int
  ) -> Gap? {
    let (oldRest, newRest) = (old.count - left, new.count - right)
    // For each row so far, the number of rows before it in the gap.
    var oldLengths: [Int: Int] = [:]
    var newLengths: [Int: Int] = [:]
    var least: Gap = (maxGap + 1, maxGap + 1)
    for length in 0...maxGap {
      // A gap that ends with a later row is not smaller.
      if length >= least.old + least.new || length >= max(oldRest, newRest) { break }
      if length < oldRest {
        let row = old[left + length]
        oldLengths[row] = length
        if let other = newLengths[row], length + other < least.old + least.new {
          least = (length, other)
        }
      }
      if length < newRest {
        let row = new[right + length]
        newLengths[row] = length
        if let other = oldLengths[row], other + length < least.old + least.new {
          least = (other, length)
        }
      }
    }
    if least.old <= maxGap { return least }
    return max(oldRest, newRest) <= maxGap ? (oldRest, newRest) : nil
  }
}
