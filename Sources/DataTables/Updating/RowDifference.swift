internal import Glibc

/// The rows that differ between two orders of the same rows.
///
/// A row that has moved is in both lists.
struct RowDifference {
  /// A row of the new order.
  struct Addition {
    let row: Int
    /// The old position of the last row before it that stays, or -1.
    let anchor: Int
  }
  /// The rows that leave their places, in the old order.
  private(set) var removed: [Int] = []
  /// The rows that are placed, in the new order.
  private(set) var added: [Addition] = []

  /// - Returns: nil if so many rows differ, or differ in one place, that all rows are better sorted
  ///   again.
  /// - Complexity: O(rows), as fast as memory is read if few rows differ.
  init?(from old: RowOrder, to new: RowOrder) {
    let most = max(4_096, new.count / 64)
    var (left, right) = (0, 0)
    while true {
      let same = old.matches(from: left, new, from: right)
      left += same
      right += same
      let rest = (old.count - left, new.count - right)
      if rest == (0, 0) { return }
      guard let gap = Self.gap(old, left, new, right) else { return nil }
      for position in left..<left + gap.old { removed.append(old[position]) }
      for position in right..<right + gap.new {
        added.append(Addition(row: new[position], anchor: left - 1))
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

/// A set of row numbers.
struct RowSet {
  private var words: [UInt64]

  /// - Precondition: each row is in `0..<count`.
  init(_ rows: [Int], below count: Int) {
    words = [UInt64](repeating: 0, count: count / 64 + 1)
    for row in rows { words[row >> 6] |= 1 << UInt64(row & 63) }
  }

  @inline(__always) func contains(_ row: Int) -> Bool {
    words[row >> 6] >> UInt64(row & 63) & 1 == 1
  }
}

extension RowOrder {
  /// Whether two orders have the same rows at the same positions.
  package func isIdentical(to other: RowOrder) -> Bool {
    count == other.count && matches(from: 0, other, from: 0) == count
  }

  private static let blockSize = 4_096

  /// The number of rows that are the same from two positions on.
  package func matches(from start: Int, _ other: RowOrder, from otherStart: Int) -> Int {
    let end = min(count - start, other.count - otherStart)
    var same = 0
    // Many runs are short.
    while same < min(32, end), self[start + same] == other[otherStart + same] { same += 1 }
    guard same == 32 else { return same }
    while same < end {
      let length = min(Self.blockSize, end - same)
      if differs(at: start + same, from: other, at: otherStart + same, length: length) { break }
      same += length
    }
    while same < end, self[start + same] == other[otherStart + same] { same += 1 }
    return same
  }

  /// Whether two ranges of positions have different rows.
  private func differs(
    at start: Int, from other: RowOrder, at otherStart: Int, length: Int
  ) -> Bool {
    switch (self, other) {
    case (.natural, .natural): start != otherStart
    case (.natural, .rows(let rows)): Self.differs(rows[otherStart..<otherStart + length], start)
    case (.rows(let rows), .natural): Self.differs(rows[start..<start + length], otherStart)
    case (.rows(let rows), .rows(let others)):
      rows.withUnsafeBufferPointer { rows in
        others.withUnsafeBufferPointer { others in
          guard let left = rows.baseAddress, let right = others.baseAddress else { return false }
          return memcmp(left + start, right + otherStart, length * MemoryLayout<UInt32>.size) != 0
        }
      }
    }
  }

  /// Whether rows are not those from `first` on.
  private static func differs(_ rows: ArraySlice<UInt32>, _ first: Int) -> Bool {
    rows.withUnsafeBufferPointer { rows in
      var difference: UInt32 = 0
      var next = UInt32(truncatingIfNeeded: first)
      for row in rows {
        difference |= row ^ next
        next &+= 1
      }
      return difference != 0
    }
  }
}
