/// The keys of a numeric column, one a row.
///
/// In memory of their own, as threads fill them at the same time, each the rows that it reads.
public struct NumericKeys: RandomAccessCollection, Sendable {
  private let memory: NumericKeyMemory

  init(_ memory: NumericKeyMemory) { self.memory = memory }

  init(_ keys: some Collection<UInt64>) {
    memory = NumericKeyMemory(rows: keys.count)
    _ = memory.keys.initialize(fromContentsOf: keys)
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { memory.keys.count }

  public subscript(row: Int) -> UInt64 {
    precondition(row >= 0 && row < memory.keys.count, "no such row")
    return memory.keys[row]
  }

  func withUnsafeBufferPointer<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt64>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeBufferPointer(memory.keys))
  }

  public func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<UInt64>) throws -> Result
  ) rethrows -> Result? {
    try body(UnsafeBufferPointer(memory.keys))
  }
}

/// Memory for the keys of a column.
///
/// Sendable although unchecked: while it is filled each row is written by one thread, and it is read
/// only after these are joined.
final class NumericKeyMemory: @unchecked Sendable {
  let keys: UnsafeMutableBufferPointer<UInt64>

  init(rows: Int) { keys = LargePages.allocate(UInt64.self, capacity: rows) }

  deinit { keys.deallocate() }
}
