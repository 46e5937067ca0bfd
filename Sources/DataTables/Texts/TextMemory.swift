/// Memory that blocks of texts share.
///
/// Sendable although unchecked: a ``TextWriter`` writes each byte before it gives the block away that
/// has it, and nothing reads it before.
final class TextMemory: @unchecked Sendable {
  let bytes: UnsafeMutablePointer<UInt8>
  let capacity: Int

  init(capacity: Int) {
    let memory = LargePages.allocate(UInt8.self, capacity: capacity)
    bytes = memory.baseAddress.unsafelyUnwrapped
    self.capacity = capacity
  }

  deinit { bytes.deallocate() }
}
