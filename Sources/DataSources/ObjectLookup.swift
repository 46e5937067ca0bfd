import DataTables
import Synchronization

/// Finds objects by equality. What that needs is made when it is first asked for, and shared by all
/// copies of a store.
final class ObjectLookup: Sendable {
  private let table: any Table
  private let order: RowOrder
  /// The first position of every object that is no record.
  private let positions = Mutex<[Value: Int]?>(nil)

  init(table: any Table, order: RowOrder) {
    self.table = table
    self.order = order
  }

  /// The first position of an equal object; nil when there is none.
  func position(of object: Value) throws -> Int? {
    if case .record(let record) = object { return try position(of: record) }
    if let positions = positions.withLock({ $0 }) { return positions[object] }
    let made = try makePositions()
    positions.withLock { $0 = made }
    return made[object]
  }

  /// The columns of the table are the index of records: only those that have the same values are
  /// looked at whole, as they may have further keys.
  private func position(of record: Record) throws -> Int? {
    var start = 0
    while let position = try table.firstPosition(in: order, from: start, matching: record) {
      if try table.object(at: order[position]) == .record(record) { return position }
      start = position + 1
    }
    return nil
  }

  private func makePositions() throws -> [Value: Int] {
    var positions: [Value: Int] = [:]
    for start in stride(from: 0, to: order.count, by: 4_096) {
      let batch = start..<min(order.count, start + 4_096)
      let objects = try table.objects(at: batch.map { order[$0] })
      for (position, object) in zip(batch, objects) where object.type != .record {
        if positions[object] == nil { positions[object] = position }
      }
    }
    return positions
  }
}
