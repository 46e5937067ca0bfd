/// One number per row for one sort descriptor. The numbers ascend in the order of the descriptor,
/// including its direction and its order of nulls.
enum SortLevel: Sendable {
  /// `ranks[code]` is in `0..<count`.
  case ranks(RowCodes, ranks: [UInt32], count: Int)
  /// Numbers on a grid.
  case points(NumericKeys, PointFolding)
  case keys(NumericKeys, KeyFolding)

  /// - Parameter usesGrid: whether numbers may be those of a grid, which several levels can share a
  ///   word with.
  init(
    _ column: KeyColumn, _ descriptor: SortDescriptor, usesGrid: Bool = true,
    cancellation: Cancellation
  ) throws {
    let isDescending = descriptor.direction == .descending
    let nullsFirst = descriptor.putsNullsFirst
    switch column {
    case .keyed(let column) where !descriptor.list.isEmpty:
      let coded = column.coded()
      let ranks = try ValueRanks(
        DistinctValues(coded.values), by: descriptor, cancellation: cancellation)
      self.init(coded.codes, ranks, descriptor)
    case .keyed(let column):
      if usesGrid, let grid = column.grid {
        self = .points(
          column.keys, PointFolding(grid, isDescending: isDescending, nullsFirst: nullsFirst))
      } else {
        self = .keys(
          column.keys, KeyFolding(isDescending: isDescending, nullsFirst: nullsFirst))
      }
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

  /// Greater than the number of every row; nil if a number can be any 64-bit value.
  var bound: UInt64? {
    switch self {
    case .ranks(_, _, let count): UInt64(count)
    case .points(_, let folding): folding.count
    case .keys: nil
    }
  }

  /// The column, if it has keys.
  var numericKeys: NumericKeys? {
    switch self {
    case .ranks: nil
    case .points(let keys, _), .keys(let keys, _): keys
    }
  }

  /// Whether rows with equal ranks have equal codes.
  var ranksDetermineCodes: Bool {
    guard case .ranks(_, let ranks, let count) = self else { return false }
    return ranks.count == count
  }
}

extension NumericColumn {
  /// The same values as codes of the distinct values, ascending.
  /// - Complexity: O(rows + distinct · log distinct) expected.
  fileprivate func coded() -> (codes: RowCodes, values: [Value]) {
    let distinct = Set(keys).sorted()
    let codes = Dictionary(
      zip(distinct, 0..<UInt32(distinct.count)), uniquingKeysWith: { first, _ in first })
    return (.wide(keys.map { codes[$0] ?? 0 }), distinct.map(value))
  }
}

/// Maps the keys of a ``NumericColumn`` to keys that ascend in the order of a descriptor.
struct KeyFolding {
  // The key of null is all ones, so key' = (key ^ flip) + shift covers both directions and both
  // orders of nulls without a branch.
  private let flip: UInt64
  private let shift: UInt64

  init(isDescending: Bool, nullsFirst: Bool) {
    // Flipped, the key of null is 0 and first; subtracting 1 wraps it around to the last key.
    flip = isDescending ? .max : 0
    switch (isDescending, nullsFirst) {
    case (false, false), (true, true): shift = 0
    case (false, true): shift = 1
    case (true, false): shift = .max
    }
  }

  @inline(__always) func callAsFunction(_ key: UInt64) -> UInt64 { (key ^ flip) &+ shift }
}

/// Maps the keys of a ``NumericColumn`` to small numbers that ascend in the order of a descriptor.
struct PointFolding: Sendable {
  let grid: KeyGrid
  private let isDescending: Bool
  /// The number of the least value in the order, and that of null.
  private let first: UInt64
  private let null: UInt64
  /// Greater than every number.
  let count: UInt64

  init(_ grid: KeyGrid, isDescending: Bool, nullsFirst: Bool) {
    self.grid = grid
    self.isDescending = isDescending
    first = grid.hasNulls && nullsFirst ? 1 : 0
    null = nullsFirst ? 0 : grid.count
    count = grid.count + (grid.hasNulls ? 1 : 0)
  }

  @inline(__always) func callAsFunction(_ key: UInt64) -> UInt64 {
    if key == NumericColumn.null { return null }
    let point = grid.number(of: key)
    return first &+ (isDescending ? grid.count &- 1 &- point : point)
  }
}

extension ValueRanks {
  /// The rank of each code in the requested direction, including nulls; and the number of different
  /// ranks.
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

extension SortLevel {
  /// Appends the level to the numbers of the rows at `range`, as their least significant part.
  /// `numbers[0]` is the number of the row at the first position in `range`.
  @inline(__always)
  func add<Number: FixedWidthInteger>(
    _ order: RowOrder, _ range: Range<Int>, to numbers: UnsafeMutablePointer<Number>,
    isFirst: Bool
  ) {
    switch self {
    case .keys(let keys, let folding):
      keys.withUnsafeBufferPointer { keys in
        Self.fill(order, range, numbers) { row, _ in
          Number(truncatingIfNeeded: folding(keys[row]))
        }
      }
    case .points(let keys, let folding):
      keys.withUnsafeBufferPointer { keys in
        let factor = isFirst ? 0 : Number(truncatingIfNeeded: folding.count)
        Self.fill(order, range, numbers) { row, number in
          number &* factor &+ Number(truncatingIfNeeded: folding(keys[row]))
        }
      }
    case .ranks(let codes, let ranks, let count):
      ranks.withUnsafeBufferPointer { ranks in
        switch codes {
        case .narrow(let codes):
          Self.rank(order, range, numbers, codes, ranks, isFirst ? 0 : Number(count))
        case .wide(let codes):
          Self.rank(order, range, numbers, codes, ranks, isFirst ? 0 : Number(count))
        case .natural:
          Self.rankRows(order, range, numbers, ranks, isFirst ? 0 : Number(count))
        }
      }
    }
  }

  @inline(__always)
  private static func rankRows<Number: FixedWidthInteger>(
    _ order: RowOrder, _ range: Range<Int>, _ numbers: UnsafeMutablePointer<Number>,
    _ ranks: UnsafeBufferPointer<UInt32>, _ factor: Number
  ) {
    // The first level replaces the old numbers, which belong to other rows.
    if factor == 0 {
      fill(order, range, numbers) { row, _ in Number(truncatingIfNeeded: ranks[row]) }
    } else {
      fill(order, range, numbers) { row, number in
        number &* factor &+ Number(truncatingIfNeeded: ranks[row])
      }
    }
  }

  @inline(__always)
  private static func rank<Number: FixedWidthInteger, Code: FixedWidthInteger>(
    _ order: RowOrder, _ range: Range<Int>, _ numbers: UnsafeMutablePointer<Number>,
    _ codes: [Code], _ ranks: UnsafeBufferPointer<UInt32>, _ factor: Number
  ) {
    codes.withUnsafeBufferPointer { codes in
      if factor == 0 {
        fill(order, range, numbers) { row, _ in
          Number(truncatingIfNeeded: ranks[Int(codes[row])])
        }
      } else {
        fill(order, range, numbers) { row, number in
          number &* factor &+ Number(truncatingIfNeeded: ranks[Int(codes[row])])
        }
      }
    }
  }

  // The closure is inlined: one loop per case, and no call per row.
  @inline(__always)
  private static func fill<Number: FixedWidthInteger>(
    _ order: RowOrder, _ range: Range<Int>, _ numbers: UnsafeMutablePointer<Number>,
    _ number: (_ row: Int, _ before: Number) -> Number
  ) {
    order.forEachRow(at: range) { index, row in
      numbers[index] = number(Int(row), numbers[index])
    }
  }
}
