import DataTables
import Synchronization

/// Finds objects by equality or by some of their values. Indexes are built when they save time, and
/// all copies of a store share them.
///
/// A lock is held while an index is built: other threads that need the same index wait for it.
final class ObjectLookup: Sendable {
  private let table: any Table
  private let order: RowOrder
  /// The lookups for the most recently used keys, the latest first.
  private let lookups = Mutex<[KeyedLookup]>([])
  private let records: RecordLookup
  /// The first position of every object that is not a record.
  private let others = Mutex<[Value: Int]?>(nil)

  /// Small, because an index may have an entry for each object.
  private static let maxLookups = 8

  init(table: any Table, order: RowOrder) {
    self.table = table
    self.order = order
    records = RecordLookup(table: table, order: order)
  }

  /// The first position at which the object has these values under these keys; null matches a
  /// missing key.
  /// - Complexity: O(keys) expected; O(positions) the first times for the same keys.
  func position(matching values: Record) throws -> Int? {
    try lookup(by: values.keys).position(of: values)
  }

  /// The first position of an equal object; nil without one.
  /// - Complexity: O(1) expected; O(positions) the first time.
  func position(of object: Value) throws -> Int? {
    if case .record(let record) = object { return try records.position(of: record) }
    if table.hasUniformRows { return nil }
    return try others.withLock { others in
      if let others { return others[object] }
      let positions = try positionsOfOthers()
      others = positions
      return positions[object]
    }
  }

  private func lookup(by keys: [String]) -> KeyedLookup {
    lookups.withLock { lookups in
      if let first = lookups.first, first.keys == keys { return first }
      let known = lookups.firstIndex { $0.keys == keys }
      let lookup =
        known.map { lookups.remove(at: $0) } ?? KeyedLookup(table: table, order: order, keys: keys)
      lookups.insert(lookup, at: 0)
      if lookups.count > Self.maxLookups { lookups.removeLast() }
      return lookup
    }
  }

  private func positionsOfOthers() throws -> [Value: Int] {
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
