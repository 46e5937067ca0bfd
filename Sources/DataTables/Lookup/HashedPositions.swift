/// First positions by the values of any columns.
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
    // From behind, so that the first position is the last one put in.
    for position in (0..<order.count).reversed() {
      if position & 0xFFF == 0 { try cancellation.check() }
      let hash = hashes[position]
      let row = order[position]
      let place = slots.place(of: hash) { other in
        hashes[other] == hash && columns.allSatisfy { $0.areEqual(row, order[other]) }
      }
      if let next = slots[place] {
        slots.replace(at: place, with: position)
        nexts.note(position, before: next)
      } else {
        slots.insert(position, at: place) { hashes[$0] }
      }
    }
    self.columns = columns
    self.order = order
    self.slots = slots
  }

  func position(of values: [Value]) -> Int? {
    if columns.count == 1, let value = values.first {
      let column = columns[0]
      guard let sought = column.sought(value) else { return nil }
      return slots[
        slots.place(of: column.combine(sought, into: 0)) { column.has(sought, at: order[$0]) }]
    }
    var sought: [HashedColumn.Sought] = []
    sought.reserveCapacity(columns.count)
    var hash: UInt64 = 0
    for (column, value) in zip(columns, values) {
      guard let found = column.sought(value) else { return nil }
      hash = column.combine(found, into: hash)
      sought.append(found)
    }
    let place = slots.place(of: hash) { position in
      let row = order[position]
      return columns.indices.allSatisfy { columns[$0].has(sought[$0], at: row) }
    }
    return slots[place]
  }
}
