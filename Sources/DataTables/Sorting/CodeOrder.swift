/// The codes of the distinct values of a column, in ascending order of the values.
struct CodeOrder {
  /// If values compare the same, the lower code is first. Nulls are omitted.
  var codes: [UInt32]
  /// The positions in `codes`, ascending, whose value compares the same as the previous value.
  var repeats: [Int]

  /// One rank per value, and the number of different ranks. Values that compare the same share a
  /// rank; values that are not in the order have ``ValueRanks/null``, which is not counted.
  /// - Parameter count: the number of values.
  func ranks(of count: Int) -> (ranks: [UInt32], count: Int) {
    var ranks = [UInt32](repeating: ValueRanks.null, count: count)
    var rank: UInt32 = 0
    var next = 0
    for (position, code) in codes.enumerated() {
      if next < repeats.count, repeats[next] == position {
        next += 1
      } else if position > 0 {
        rank += 1
      }
      ranks[Int(code)] = rank
    }
    return (ranks, codes.isEmpty ? 0 : Int(rank) + 1)
  }

  /// Orders values that compare the same by a second criterion.
  /// - Parameter sort: sorts some codes, and returns the positions whose value still compares the
  ///   same as the previous value.
  mutating func refine(
    _ sort: (inout ArraySlice<UInt32>) throws -> [Int]
  ) rethrows {
    var remaining: [Int] = []
    var index = 0
    while index < repeats.count {
      let first = repeats[index] - 1
      var end = first + 1
      while index < repeats.count, repeats[index] == end {
        end += 1
        index += 1
      }
      remaining += try sort(&codes[first..<end])
    }
    repeats = remaining
  }
}

/// The ranks of distinct values in their order; values that compare the same share a rank.
struct ValueRanks {
  /// The rank of nulls.
  static let null = UInt32.max

  /// One rank per value: 0..<count, or ``null``.
  let ranks: [UInt32]
  /// The number of different ranks, without ``null``.
  let count: Int

  /// - Complexity: O(n log n) comparisons for values with equal first bytes, O(n) steps for all
  ///   others.
  /// - Throws: ``TableError/badArgument(_:)`` for a locale that does not exist.
  init(
    _ values: DistinctValues, by descriptor: SortDescriptor, cancellation: Cancellation
  ) throws {
    let compared: ValueRanks
    switch values.storage {
    case .values(let values):
      let comparer = try ValueComparer(values, descriptor, cancellation: cancellation)
      compared = ValueRanks(try comparer.order(cancellation: cancellation), of: values.count)
    case .texts(let texts):
      let order = try texts.sorted(by: descriptor, cancellation: cancellation)
      compared = ValueRanks(order, of: texts.count)
    }
    self = descriptor.list.isEmpty ? compared : compared.preferring(descriptor.list, among: values)
  }

  init(_ order: CodeOrder, of total: Int) {
    let (ranks, count) = order.ranks(of: total)
    self.init(ranks: ranks, count: count)
  }

  private init(ranks: [UInt32], count: Int) {
    self.ranks = ranks
    self.count = count
  }

  /// The ranks with the values of a list before all others, in the order of the list.
  private func preferring(_ list: [Value], among values: some Sequence<Value>) -> ValueRanks {
    let places = Dictionary(zip(list, 0...), uniquingKeysWith: { first, _ in first })
    // A rank in the new order before it is made dense: the place in the list, or the old rank.
    let sparse = zip(ranks, values).map { rank, value in
      rank == Self.null ? rank : places[value].map { UInt32($0) } ?? UInt32(list.count) + rank
    }
    var dense = [UInt32](repeating: Self.null, count: list.count + count)
    for rank in sparse where rank != Self.null { dense[Int(rank)] = 0 }
    var next: UInt32 = 0
    for rank in dense.indices where dense[rank] == 0 {
      dense[rank] = next
      next += 1
    }
    return ValueRanks(
      ranks: sparse.map { $0 == Self.null ? $0 : dense[Int($0)] }, count: Int(next))
  }
}
