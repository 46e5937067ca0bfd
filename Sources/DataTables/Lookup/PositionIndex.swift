/// Finds the positions, in an order, of the objects that have given values for the indexed keys.
///
/// Memory: 4 to 16 bytes for each combination of values, and 4 bytes for each position if
/// combinations repeat.
package final class PositionIndex: Sendable {
  private let firsts: any FirstPositions
  /// For each position, the next position with the same combination, or ``none``. Empty if next
  /// positions are not kept or no combination repeats.
  private let nexts: [UInt32]
  /// The number of distinct combinations.
  package let count: Int
  /// Whether the object at a found position always has the values. If false, unequal numbers may
  /// have compared as equal, and the object must be checked.
  package let isExact: Bool

  static let none = UInt32.max

  /// - Parameters:
  ///   - columns: one per key, nil for a key that no object has.
  ///   - findsAll: whether all positions are needed, not only the first ones.
  /// - Complexity: O(positions · columns) expected.
  init(
    _ columns: [KeyColumn?], order: RowOrder, findsAll: Bool, cancellation: Cancellation
  ) throws {
    let order = order.withList
    let columns = columns.map { HashedColumn($0) }
    let isExact = columns.allSatisfy(\.isExact)
    var nexts = NextPositions(count: order.count, isKept: findsAll || !isExact)
    if columns.count == 1,
      let numbered = try NumberedPositions(
        columns[0], order: order, nexts: &nexts, cancellation: cancellation)
    {
      firsts = numbered
    } else {
      firsts = try HashedPositions(
        columns, order: order, nexts: &nexts, cancellation: cancellation)
    }
    count = order.count - nexts.repeats
    self.isExact = isExact
    self.nexts = nexts.positions
  }

  /// The first position whose object has these values, one per key; nil if no object has them.
  /// - Complexity: O(keys) expected.
  package func first(of values: [Value]) -> Int? { firsts.position(of: values) }

  /// The next position with the same values; nil after the last one.
  package func next(after position: Int) -> Int? {
    guard !nexts.isEmpty, nexts[position] != Self.none else { return nil }
    return Int(nexts[position])
  }
}

extension Table {
  /// An index of objects by their values for some keys. A missing key counts as null.
  ///
  /// - Parameter findsAll: whether all positions are needed, not only the first ones.
  /// - Throws: the errors of ``column(_:cancellation:)``, except for a key that no object has.
  package func positions(
    by keys: some Sequence<String>, in order: RowOrder, findsAll: Bool,
    cancellation: Cancellation = Cancellation()
  ) throws -> PositionIndex {
    let paths = keys.map { ObjectKeyPath(key: $0) }
    let known = Set(self.keys)
    try decode(zip(paths, keys).filter { known.contains($1) }.map(\.0), cancellation: cancellation)
    let columns = try paths.map { path -> KeyColumn? in
      do {
        return try column(path, cancellation: cancellation)
      } catch TableError.unknownKey {
        return nil
      }
    }
    return try PositionIndex(
      columns, order: order, findsAll: findsAll, cancellation: cancellation)
  }
}
