import DataTables
import Synchronization

/// Finds objects by equality. Indexes are made as soon as they save time, and all copies of a store
/// share them.
///
/// A lock is held while an index is made: other threads that need the same index wait for it.
final class ObjectLookup: Sendable {
  private let table: any Table
  private let order: RowOrder
  /// The lookups for the most recently used keys, the latest first.
  private let indexes = Mutex<[KeyedLookup]>([])
  private let records: RecordLookup
  /// The first position of every object that is not a record.
  private let others = Mutex<[Value: Int]?>(nil)

  /// Few, as an index may have as many entries as there are objects.
  private static let mostIndexes = 8

  init(table: any Table, order: RowOrder) {
    self.table = table
    self.order = order
    records = RecordLookup(table: table, order: order)
  }

  /// The first position at which the object has these values under these keys; null matches
  /// missing.
  /// - Complexity: O(keys) expected; O(positions) the first two times for the same keys.
  func position(matching values: Record) throws -> Int? {
    try lookup(by: values.keys).position(of: values)
  }

  /// The first position of an equal object; nil when there is none.
  /// - Complexity: O(1) expected; O(positions) the first time.
  func position(of object: Value) throws -> Int? {
    if case .record(let record) = object { return try records.position(of: record) }
    if table.hasUniformRows { return nil }
    return try others.withLock { others in
      if let others { return others[object] }
      let made = try makeOthers()
      others = made
      return made[object]
    }
  }

  private func lookup(by keys: [String]) -> KeyedLookup {
    indexes.withLock { indexes in
      if let first = indexes.first, first.keys == keys { return first }
      let known = indexes.firstIndex { $0.keys == keys }
      let lookup =
        known.map { indexes.remove(at: $0) } ?? KeyedLookup(table: table, order: order, keys: keys)
      indexes.insert(lookup, at: 0)
      if indexes.count > Self.mostIndexes { indexes.removeLast() }
      return lookup
    }
  }

  private func makeOthers() throws -> [Value: Int] {
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
