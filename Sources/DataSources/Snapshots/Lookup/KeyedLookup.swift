import DataTables
import Synchronization

/// Finds objects by their values under a fixed list of keys.
final class KeyedLookup: Sendable {
  let keys: [String]
  private let table: any Table
  private let order: RowOrder
  private let state = Mutex(State())

  private struct State {
    var uses = 0
    var index: PositionIndex?
  }

  init(table: any Table, order: RowOrder, keys: [String]) {
    self.table = table
    self.order = order
    self.keys = keys
  }

  /// The first position at which the object has these values.
  /// - Parameter values: the values of ``keys``, in the same order.
  func position(of values: Record) throws -> Int? {
    guard let index = try index() else {
      return try table.firstPosition(in: order, matching: values)
    }
    var found = index.first(of: values.values)
    if index.isExact { return found }
    while let position = found {
      let object = try table.object(at: order[position])
      let isMatch = zip(keys, values.values).allSatisfy { key, value in
        ObjectKeyPath(key: key).evaluate(on: object) == value
      }
      if isMatch { return position }
      found = index.next(after: position)
    }
    return nil
  }

  /// The number of lookups before an index is built. A scan of 2,000,000 sorted rows takes about 5 ms,
  /// and building the index takes about 260 ms.
  private static let scans = 8

  /// The index, which is built when there were many uses; nil before.
  private func index() throws -> PositionIndex? {
    try state.withLock { state in
      if let index = state.index { return index }
      state.uses += 1
      guard state.uses > Self.scans else { return nil }
      let index = try table.positions(by: keys, in: order, findsAll: false)
      state.index = index
      return index
    }
  }
}
