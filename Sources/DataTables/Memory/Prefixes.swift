extension RandomAccessCollection where Index == Int {
  /// The first index whose element satisfies a condition that all later elements satisfy too; the
  /// end without one.
  package func partitionPoint(where holds: (Element) throws -> Bool) rethrows -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if try holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension ArraySlice {
  /// Removes and returns the first elements that satisfy a condition.
  mutating func popPrefix(while holds: (Element) -> Bool) -> ArraySlice {
    let first = prefix(while: holds)
    self = dropFirst(first.count)
    return first
  }
}
