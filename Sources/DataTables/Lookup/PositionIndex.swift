/// For all values that objects have under some keys, the positions in an order at which they have
/// them.
///
/// Memory: 4 to 16 bytes for each combination of values, and for values that come again 4 bytes for
/// each position.
package final class PositionIndex: Sendable {
  private let firsts: any FirstPositions
  /// The next position with the same combination; ``none`` when there is none, empty when they are
  /// not kept or none comes again.
  private let nexts: [UInt32]
  /// The number of different combinations.
  package let count: Int
  /// Whether objects at the positions that are found have the values for sure. When not, different
  /// numbers may have been taken for equal.
  package let isExact: Bool

  static let none = UInt32.max

  /// - Parameters:
  ///   - columns: nil for keys that no object has.
  ///   - findsAll: whether the positions behind the first are wanted too.
  /// - Complexity: O(positions * columns) expected.
  init(
    _ columns: [KeyColumn?], order: RowOrder, findsAll: Bool, cancellation: Cancellation
  ) throws {
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

  /// The first position at which the object has these values, one for each key; nil when there is
  /// none.
  /// - Complexity: O(keys) expected.
  package func first(of values: [Value]) -> Int? { firsts.position(of: values) }

  /// The next position with the values of another one; nil when there is none.
  package func next(after position: Int) -> Int? {
    guard !nexts.isEmpty, nexts[position] != Self.none else { return nil }
    return Int(nexts[position])
  }
}

/// The first positions of combinations of values, one for each column.
protocol FirstPositions: Sendable {
  func position(of values: [Value]) -> Int?
}

/// Where positions go on with the same values, while an index is made from behind.
struct NextPositions {
  private let count: Int
  private let isKept: Bool
  private(set) var positions: [UInt32] = []
  /// How many positions have the values of an earlier one.
  private(set) var repeats = 0

  init(count: Int, isKept: Bool) {
    self.count = count
    self.isKept = isKept
  }

  @inline(__always)
  mutating func note(_ position: Int, before next: Int) {
    repeats &+= 1
    guard isKept else { return }
    if positions.isEmpty {
      positions = [UInt32](repeating: PositionIndex.none, count: count)
    }
    positions[position] = UInt32(truncatingIfNeeded: next)
  }
}

extension Table {
  /// An index of objects by their values under some keys, null where they lack one.
  ///
  /// - Parameter findsAll: whether the positions behind the first are wanted too.
  /// - Throws: what ``column(_:cancellation:)`` throws, but for a key that no object has.
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
