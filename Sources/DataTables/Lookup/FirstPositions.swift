/// Finds the first position of a combination of values, one for each column.
protocol FirstPositions: Sendable {
  /// The first position; nil if no position has the values.
  func position(of values: [Value]) -> Int?
}

/// The next positions with the same values, collected while an index is built from the last
/// position to the first.
struct NextPositions {
  private let count: Int
  private let isKept: Bool
  private(set) var positions: [UInt32] = []
  /// The number of positions that have the same values as an earlier position.
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

/// The first position of each value of one column, in an array that is indexed by number. The
/// number of a value is its key in a numeric column whose keys are close together, as record
/// numbers usually are, or the group of its code in a coded column. Rows are not hashed.
struct NumberedPositions: FirstPositions {
  private let column: HashedColumn
  private let least: UInt64
  /// The first position of each number from ``least`` on. The last element is the first position of
  /// null.
  private let positions: [UInt32]

  /// nil if the numbers are too far apart, or the values have no numbers.
  init?(
    _ column: HashedColumn, order: RowOrder, nexts: inout NextPositions,
    cancellation: Cancellation
  ) throws {
    guard let bounds = column.bounds(order) else { return nil }
    self.column = column
    least = bounds.lowerBound
    var positions = [UInt32](repeating: PositionIndex.none, count: bounds.count + 1)
    for position in (0..<order.count).reversed() {
      if position & 0xFFF == 0 { try cancellation.check() }
      let slot = Self.slot(of: column.number(order[position]), least, positions.count)
      guard let slot else { continue }
      if positions[slot] != PositionIndex.none {
        nexts.note(position, before: Int(positions[slot]))
      }
      positions[slot] = UInt32(truncatingIfNeeded: position)
    }
    self.positions = positions
  }

  @inline(__always)
  private static func slot(of number: UInt64, _ least: UInt64, _ count: Int) -> Int? {
    if number == NumericColumn.null { return count &- 1 }
    let slot = number &- least
    return slot < UInt64(count &- 1) ? Int(slot) : nil
  }

  func position(of values: [Value]) -> Int? {
    guard let value = values.first, case .number(let number)? = column.searchValue(value),
      let slot = Self.slot(of: number, least, positions.count),
      positions[slot] != PositionIndex.none
    else { return nil }
    return Int(positions[slot])
  }
}

extension HashedColumn {
  /// The range of the numbers of the rows; nil if rows have no numbers, or if the range contains
  /// more than four numbers per row.
  fileprivate func bounds(_ order: RowOrder) -> Range<UInt64>? {
    switch self {
    case .values(_, let groups): return 0..<UInt64(groups.count)
    case .keys(let column):
      var least = UInt64.max
      var greatest = UInt64.min
      order.forEachRow(at: 0..<order.count) { _, row in
        let key = column.keys[Int(row)]
        guard key != NumericColumn.null else { return }
        least = min(least, key)
        greatest = max(greatest, key)
      }
      // If all rows are null, the range is empty.
      guard least <= greatest else { return 0..<0 }
      return greatest - least < UInt64(order.count) * 4 ? least..<greatest + 1 : nil
    case .texts, .nulls: return nil
    }
  }

  @inline(__always)
  fileprivate func number(_ row: Int) -> UInt64 {
    switch self {
    case .values(let codes, let groups): UInt64(groups[codes[row]])
    case .keys(let column): column.keys[row]
    case .texts, .nulls: 0
    }
  }
}

/// The first position of each combination of values of any columns, in a hash table.
struct HashedPositions: FirstPositions {
  private let columns: [HashedColumn]
  private let order: RowOrder
  private let slots: HashSlots

  init(
    _ columns: [HashedColumn], order: RowOrder, nexts: inout NextPositions,
    cancellation: Cancellation
  ) throws {
    var hashes = [UInt64](repeating: 0, count: order.count)
    for column in columns {
      try cancellation.check()
      column.combine(into: &hashes, order)
    }
    var slots = HashSlots()
    // From the end, so that the first position is stored last.
    for position in (0..<order.count).reversed() {
      if position & 0xFFF == 0 { try cancellation.check() }
      let hash = hashes[position]
      let row = order[position]
      let slot = slots.place(of: hash) { other in
        hashes[other] == hash && columns.allSatisfy { $0.areEqual(row, order[other]) }
      }
      if let next = slots[slot] {
        slots.replace(at: slot, with: position)
        nexts.note(position, before: next)
      } else {
        slots.insert(position, at: slot) { hashes[$0] }
      }
    }
    self.columns = columns
    self.order = order
    self.slots = slots
  }

  func position(of values: [Value]) -> Int? {
    if columns.count == 1, let value = values.first {
      let column = columns[0]
      guard let target = column.searchValue(value) else { return nil }
      return slots[
        slots.place(of: column.combine(target, into: 0)) { column.has(target, at: order[$0]) }]
    }
    var targets: [HashedColumn.SearchValue] = []
    targets.reserveCapacity(columns.count)
    var hash: UInt64 = 0
    for (column, value) in zip(columns, values) {
      guard let target = column.searchValue(value) else { return nil }
      hash = column.combine(target, into: hash)
      targets.append(target)
    }
    let slot = slots.place(of: hash) { position in
      let row = order[position]
      return columns.indices.allSatisfy { columns[$0].has(targets[$0], at: row) }
    }
    return slots[slot]
  }
}
