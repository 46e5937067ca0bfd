import DataTables
import Synchronization

/// Finds objects by their values under a fixed list of keys.
final class KeyedLookup: Sendable {
  let keys: [String]
  private let table: any Table
  private let order: RowOrder
  private let state = Mutex(State())

  private struct State {
    var hasBeenUsed = false
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

  /// The index, which is built on the second use. nil on the first use, because a scan of all rows
  /// is faster and needs less memory for a single lookup.
  private func index() throws -> PositionIndex? {
    try state.withLock { state in
      if let index = state.index { return index }
      guard state.hasBeenUsed else {
        state.hasBeenUsed = true
        return nil
      }
      let index = try table.positions(by: keys, in: order, findsAll: false)
      state.index = index
      return index
    }
  }
}
