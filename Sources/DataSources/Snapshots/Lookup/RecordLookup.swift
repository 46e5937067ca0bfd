import DataTables
import Synchronization

/// Finds a record by the values of all its keys.
///
/// An index covers as many of the table's first keys as distinguish most objects, often only one.
/// The few objects with equal indexed values are read and compared.
final class RecordLookup: Sendable {
  private let table: any Table
  private let order: RowOrder
  private let keys: [ObjectKeyPath]
  private let names: Set<String>
  /// In ascending order of length.
  private let indexes = Mutex<[PrefixIndex]>([])

  private struct PrefixIndex: Sendable {
    /// Number of indexed keys.
    let length: Int
    let positions: PositionIndex
  }

  /// Maximum number of objects with equal indexed values to compare before more keys are indexed.
  private static let maxCandidates = 64
  /// Maximum number of objects for which comparing all of them costs less than an index.
  private static let maxScanned = 8

  init(table: any Table, order: RowOrder) {
    self.table = table
    self.order = order
    keys = table.keys.map { ObjectKeyPath(key: $0) }
    names = Set(table.keys)
  }

  /// The first position of an equal record; nil without one.
  func position(of record: Record) throws -> Int? {
    // Compare the arrays first: it is faster, and the keys are usually the same.
    guard record.keys == table.keys || record.keys.allSatisfy(names.contains) else { return nil }
    let object = Value.record(record)
    if order.count <= Self.maxScanned {
      return try (0..<order.count).first { try table.object(at: order[$0]) == object }
    }
    var indexedKeys = -1
    while true {
      let index = try index(longerThan: indexedKeys)
      var found = index.positions.first(
        of: keys.prefix(index.length).map { $0.evaluate(on: object) })
      var left = index.length < keys.count ? Self.maxCandidates : .max
      while let position = found, left > 0 {
        if try table.object(at: order[position]) == object { return position }
        found = index.positions.next(after: position)
        left -= 1
      }
      if found == nil { return nil }
      indexedKeys = index.length
    }
  }

  /// An index of more keys than `length`.
  /// - Precondition: the table has more than `length` keys.
  private func index(longerThan length: Int) throws -> PrefixIndex {
    try indexes.withLock { indexes in
      if let known = indexes.first(where: { $0.length > length }) { return known }
      var next = min((indexes.last?.length ?? 0) + 1, keys.count)
      while true {
        let positions = try table.positions(
          by: table.keys.prefix(next), in: order, findsAll: true)
        if next == keys.count || positions.count * 2 >= order.count {
          let index = PrefixIndex(length: next, positions: positions)
          indexes.append(index)
          return index
        }
        next += 1
      }
    }
  }
}
