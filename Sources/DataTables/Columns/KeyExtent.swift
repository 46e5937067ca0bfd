/// The least and the greatest key of a column, each with its first row, and the number of nulls.
struct KeyExtent {
  private(set) var nulls = 0
  private(set) var least: (key: UInt64, row: Int)?
  private(set) var greatest: (key: UInt64, row: Int)?

  /// - Complexity: O(rows).
  init(_ keys: NumericKeys) {
    let extents = WorkerSlots<KeyExtent>(Parallel.parts(of: keys.count))
    keys.withUnsafeBufferPointer { keys in
      Parallel.forEachPart(of: keys.count) { part, rows in
        extents[part] = KeyExtent(keys, rows)
      }
    }
    for part in 0..<Parallel.parts(of: keys.count) {
      guard let other = extents[part] else { continue }
      nulls += other.nulls
      if let key = other.least, least.map({ key.key < $0.key }) ?? true { least = key }
      if let key = other.greatest, greatest.map({ key.key > $0.key }) ?? true { greatest = key }
    }
  }

  private init(_ keys: UnsafeBufferPointer<UInt64>, _ rows: Range<Int>) {
    var nulls = 0
    // The key of null is the greatest possible number, so every other key is less.
    var least = (key: NumericColumn.null, row: 0)
    var greatest = (key: UInt64.min, row: -1)
    for row in rows {
      let key = keys[row]
      if key == NumericColumn.null {
        nulls &+= 1
      } else {
        if key < least.key { least = (key, row) }
        if key > greatest.key || greatest.row < 0 { greatest = (key, row) }
      }
    }
    self.nulls = nulls
    guard nulls < rows.count else { return }
    self.least = least
    self.greatest = greatest
  }
}
