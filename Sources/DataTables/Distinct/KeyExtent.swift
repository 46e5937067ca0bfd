/// The rows of the least and of the greatest key, of equal ones the first, and how many are null.
struct KeyExtent {
  private(set) var nulls = 0
  private(set) var least: (key: UInt64, row: Int)?
  private(set) var greatest: (key: UInt64, row: Int)?

  /// - Complexity: O(rows).
  init(_ keys: NumericKeys) {
    let found = WorkerSlots<KeyExtent>(Parallel.parts(of: keys.count))
    keys.withUnsafeBufferPointer { keys in
      Parallel.forEachPart(of: keys.count) { part, rows in
        found[part] = KeyExtent(keys, rows)
      }
    }
    for part in 0..<Parallel.parts(of: keys.count) {
      guard let other = found[part] else { continue }
      nulls += other.nulls
      if let key = other.least, least.map({ key.key < $0.key }) ?? true { least = key }
      if let key = other.greatest, greatest.map({ key.key > $0.key }) ?? true { greatest = key }
    }
  }

  private init(_ keys: UnsafeBufferPointer<UInt64>, _ rows: Range<Int>) {
    var nulls = 0
    // No key is null's, which is the greatest number there is.
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
