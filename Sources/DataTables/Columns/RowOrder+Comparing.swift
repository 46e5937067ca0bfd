internal import Glibc

extension RowOrder {
  /// Whether two orders have the same rows at the same positions.
  package func isIdentical(to other: RowOrder) -> Bool {
    count == other.count && matches(from: 0, other, from: 0) == count
  }

  private static let blockSize = 4_096

  /// The number of rows that are the same from two positions on.
  package func matches(from start: Int, _ other: RowOrder, from otherStart: Int) -> Int {
    let end = min(count - start, other.count - otherStart)
    if case .deferred(let rows) = self, case .deferred(let others) = other, rows === others,
      start == otherStart
    {
      return end
    }
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
    switch (list, other.list) {
    case (nil, nil): start != otherStart
    case (nil, let rows?): Self.differs(rows[otherStart..<otherStart + length], start)
    case (let rows?, nil): Self.differs(rows[start..<start + length], otherStart)
    case (let rows?, let others?):
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
