extension Table {
  /// The first rows of `order` as ``sorted(_:by:cancellation:)`` sorts it, without sorting all rows
  /// where `count` is small. Rows that sort as equal keep their order.
  ///
  /// - Complexity: O(rows) for numbers, dates, and strings that differ in their first eight bytes
  ///   or have few distinct values; like a sort in other cases, or if `count` is more than an
  ///   eighth of the rows.
  /// - Throws: the errors of ``sorted(_:by:cancellation:)``.
  package func leading(
    _ count: Int, of order: RowOrder, by descriptors: [SortDescriptor],
    cancellation: Cancellation = Cancellation()
  ) throws -> RowOrder {
    let count = max(0, min(count, order.count))
    try decode(descriptors.map(\.keyPath), cancellation: cancellation)
    guard count > 0, !descriptors.isEmpty else { return order.rows(at: 0..<count) }
    guard count <= order.count / 8 else {
      return try sorted(order, by: descriptors, cancellation: cancellation).rows(at: 0..<count)
    }
    let keys = try LeadingKeys(self, descriptors, cancellation: cancellation)
    let positions = try keys.leading(count, in: order, cancellation: cancellation)
    if keys.isExact { return .rows(positions.map { UInt32(truncatingIfNeeded: order[Int($0)]) }) }
    // The sort is stable, so the candidates must be in their original order.
    let candidates = positions.sorted().map { UInt32(truncatingIfNeeded: order[Int($0)]) }
    guard candidates.count <= max(4_096, count * 2) else {
      return try sorted(.rows(candidates), by: descriptors, cancellation: cancellation)
        .rows(at: 0..<count)
    }
    return .rows(
      try sorted(candidates, by: descriptors, cancellation: cancellation).prefix(count).map { $0 })
  }

  /// Sorts few rows by values that are read from their objects, without ranking all values of the
  /// columns.
  private func sorted(
    _ rows: [UInt32], by descriptors: [SortDescriptor], cancellation: Cancellation
  ) throws -> [UInt32] {
    let keys = descriptors.indices.map { "\($0)" }
    let shape = Record.Shape(keys)
    let values = try objects(at: rows.map { Int($0) }).map { object in
      Value.record(
        Record(shape: shape, values: descriptors.map { $0.keyPath.evaluate(on: object) }))
    }
    let table = ValueTable(values)
    let plain = zip(descriptors, keys).map { descriptor, key in
      var plain = descriptor
      plain.keyPath = ObjectKeyPath(key: key)
      return plain
    }
    let order = try table.sorted(.natural(rows.count), by: plain, cancellation: cancellation)
    return (0..<order.count).map { rows[order[$0]] }
  }
}
