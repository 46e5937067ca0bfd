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

  private static let maxGap = 4_096

  /// The least numbers of rows after which both orders continue with the same row, or end; nil if
  /// there are too many.
  private static func gap(
    _ old: RowOrder, _ left: Int, _ new: RowOrder, _ right: Int
  ) -> (old: Int, new: Int)? {
    let (oldRest, newRest) = (old.count - left, new.count - right)
    for length in 1...maxGap {
      if length < oldRest, newRest > 0, old[left + length] == new[right] { return (length, 0) }
      if length < newRest, oldRest > 0, old[left] == new[right + length] { return (0, length) }
      if length < oldRest, length < newRest, old[left + length] == new[right + length] {
        return (length, length)
      }
      if length >= oldRest, length >= newRest { return (oldRest, newRest) }
    }
    return nil
  }
}
