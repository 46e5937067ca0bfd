/// First positions by the values of one column that are numbers close together, as those of records
/// mostly are, or numbered because rows share them: nothing is hashed but the value that is looked
/// for.
struct NumberedPositions: FirstPositions {
  private let column: HashedColumn
  private let least: UInt64
  /// From the least number on; the last one is that of null keys.
  private let positions: [UInt32]

  /// nil when the numbers lie too far apart, or are none.
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
      let place = Self.place(of: column.number(order[position]), least, positions.count)
      guard let place else { continue }
      if positions[place] != PositionIndex.none {
        nexts.note(position, before: Int(positions[place]))
      }
      positions[place] = UInt32(truncatingIfNeeded: position)
    }
    self.positions = positions
  }

  @inline(__always)
  private static func place(of number: UInt64, _ least: UInt64, _ count: Int) -> Int? {
    if number == NumericColumn.null { return count &- 1 }
    let place = number &- least
    return place < UInt64(count &- 1) ? Int(place) : nil
  }

  func position(of values: [Value]) -> Int? {
    guard let value = values.first, case .number(let number)? = column.sought(value),
      let place = Self.place(of: number, least, positions.count),
      positions[place] != PositionIndex.none
    else { return nil }
    return Int(positions[place])
  }
}

extension HashedColumn {
  /// The numbers of rows in an order; nil when they are none, or more than a few times as many as
  /// the rows.
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
      // Nothing but nulls.
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
