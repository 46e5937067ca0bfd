extension Table {
  /// The positions in `order` of the rows that equal no earlier one.
  ///
  /// - Parameter paths: the key paths whose values are compared, null like any other value; empty
  ///   to compare whole objects.
  /// - Returns: ascending positions.
  /// - Complexity: O(rows · paths) expected. Without paths, all objects are read unless all rows
  ///   are records with the same keys.
  /// - Throws: ``TableError/unknownKey(_:known:)`` for a key that no object has; the errors of
  ///   reading the table.
  package func firstOfEach(
    in order: RowOrder, by paths: [ObjectKeyPath], cancellation: Cancellation = Cancellation()
  ) throws -> [UInt32] {
    let numbers =
      paths.isEmpty
      ? try RowClasses.numbers(of: [self], id: nil, cancellation: cancellation)[0]
      : try RowClasses.numbers(of: self, by: paths, cancellation: cancellation)
    var seen = [UInt64](repeating: 0, count: Int(numbers.max() ?? 0) / 64 + 1)
    var positions: [UInt32] = []
    for start in stride(from: 0, to: order.count, by: 1 << 16) {
      try cancellation.check()
      numbers.withUnsafeBufferPointer { numbers in
        seen.withUnsafeMutableBufferPointer { seen in
          order.forEachRow(at: start..<min(order.count, start + 1 << 16)) { index, row in
            let number = Int(numbers[Int(row)])
            let bit = UInt64(1) << UInt64(number & 63)
            if seen[number >> 6] & bit != 0 { return }
            seen[number >> 6] |= bit
            positions.append(UInt32(truncatingIfNeeded: start + index))
          }
        }
      }
    }
    return positions
  }
}
