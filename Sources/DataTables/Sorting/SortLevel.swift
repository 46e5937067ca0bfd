/// What one descriptor gives for every row: a number that ascends in the descriptor's order, its
/// direction and the place of nulls folded in.
enum SortLevel {
  /// `ranks[code]` is in `0..<count`.
  case ranks(RowCodes, ranks: [UInt32], count: Int)
  case keys(NumericKeys, KeyFolding)

  init(
    _ column: KeyColumn, _ descriptor: SortDescriptor, cancellation: Cancellation
  ) throws {
    let isDescending = descriptor.direction == .descending
    let nullsFirst = descriptor.putsNullsFirst
    switch column {
    case .keyed(let column):
      self = .keys(
        column.keys, KeyFolding(isDescending: isDescending, nullsFirst: nullsFirst))
    case .coded(let codes, let values):
      let ranks = try ValueRanks(values, by: descriptor, cancellation: cancellation)
      self.init(codes, ranks, descriptor)
    }
  }

  init(_ codes: RowCodes, _ ranks: ValueRanks, _ descriptor: SortDescriptor) {
    let (folded, count) = ranks.folded(
      isDescending: descriptor.direction == .descending, nullsFirst: descriptor.putsNullsFirst)
    self = .ranks(codes, ranks: folded, count: count)
  }
}

extension SortLevel {
  /// Whether rows of one rank share a code too.
  var ranksTellCodes: Bool {
    guard case .ranks(_, let ranks, let count) = self else { return false }
    return ranks.count == count
  }
}

/// Turns the keys of a ``NumericColumn`` into others that ascend in a descriptor's order.
struct KeyFolding {
  // key' = (key ^ flip) + shift reaches all four ways, without a branch a row: null is all ones.
  private let flip: UInt64
  private let shift: UInt64

  init(isDescending: Bool, nullsFirst: Bool) {
    // Flipped, null becomes 0 and stands first; a further 1 taken off makes it the last again.
    flip = isDescending ? .max : 0
    switch (isDescending, nullsFirst) {
    case (false, false), (true, true): shift = 0
    case (false, true): shift = 1
    case (true, false): shift = .max
    }
  }

  @inline(__always) func callAsFunction(_ key: UInt64) -> UInt64 { (key ^ flip) &+ shift }
}

extension ValueRanks {
  /// A rank for every code, in a direction, nulls among them; and how many ranks there are.
  func folded(isDescending: Bool, nullsFirst: Bool) -> (ranks: [UInt32], count: Int) {
    let hasNulls = ranks.contains(Self.null)
    let first: UInt32 = hasNulls && nullsFirst ? 1 : 0
    let null: UInt32 = nullsFirst ? 0 : UInt32(count)
    let last = UInt32(count) &- 1
    let folded = ranks.map { rank in
      rank == Self.null ? null : first + (isDescending ? last - rank : rank)
    }
    return (folded, count + (hasNulls ? 1 : 0))
  }
}
