/// The bytes of a file that was read whole.
///
/// Sendable although unchecked: nothing is written after they were filled in.
package final class WholeBytes: ByteStore, @unchecked Sendable {
  private let memory: UnsafeMutableBufferPointer<UInt8>
  package let count: Int

  /// - Parameter fill: gets all of the memory, and fills it from end to end.
  package init(count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
    memory = LargePages.allocate(UInt8.self, capacity: count)
    self.count = count
    try fill(UnsafeMutableRawBufferPointer(memory))
  }

  deinit { memory.deallocate() }

  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard offset < count else { return 0 }
    let length = min(buffer.count, count - offset)
    buffer.copyMemory(
      from: UnsafeRawBufferPointer(
        rebasing: UnsafeRawBufferPointer(memory)[offset..<offset + length]))
    return length
  }
}
