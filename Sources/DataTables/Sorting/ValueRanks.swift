/// The places of distinct values in their order; values that compare the same share one.
struct ValueRanks {
  /// What nulls have for a rank.
  static let null = UInt32.max

  /// One rank a value: 0..<count, or ``null``.
  let ranks: [UInt32]
  let count: Int

  /// - Complexity: O(n log n) comparisons for values that do not differ in their first bytes, O(n)
  ///   steps for those that do.
  /// - Throws: ``TableError/badArgument(_:)`` for a locale that does not exist.
  init(
    _ values: DistinctValues, by descriptor: SortDescriptor, cancellation: Cancellation
  ) throws {
    switch values.storage {
    case .values(let values):
      let comparer = try ValueComparer(values, descriptor, cancellation: cancellation)
      self.init(try comparer.order(cancellation: cancellation), of: values.count)
    case .texts(let texts):
      let order = try texts.sorted(by: descriptor, cancellation: cancellation)
      self.init(order, of: texts.count)
    }
  }

  init(_ order: CodeOrder, of total: Int) {
    (ranks, count) = order.ranks(of: total)
  }
}
