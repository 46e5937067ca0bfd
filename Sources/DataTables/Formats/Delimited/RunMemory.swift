import Synchronization

/// Memory for the rows of a column, handed out batch by batch to all workers.
///
/// They share it so that one column takes hardly more than its rows, large pages or not.
final class RunMemory: Sendable {
  private let expectedRows: Int
  private let parts = Mutex<[Part]>([])

  /// Expectations are wrong at times, and a part of more bytes is not to be had on every machine.
  private static let mostBytes = 64 << 20

  /// - Parameter expectedRows: about as many as there will be.
  init(expectedRows: Int) { self.expectedRows = expectedRows }

  deinit { parts.withLock { for part in $0 { part.bytes.deallocate() } } }

  /// Room for some rows, which lives as long as the memory.
  func take<Element: BitwiseCopyable>(
    _ count: Int, of type: Element.Type
  ) -> UnsafeMutablePointer<Element> {
    let size = MemoryLayout<Element>.stride
    // In steps of words, so that every kind of row is aligned.
    let wanted = (count * size + 7) & ~7
    let bytes = parts.withLock { parts in
      if parts.last.map({ $0.room < wanted }) ?? true {
        parts.append(Part(bytes: max(wanted, expectedBytes(size, isFirst: parts.isEmpty))))
      }
      nonisolated(unsafe) let bytes = parts[parts.count - 1].take(wanted)
      return bytes
    }
    return UnsafeMutableRawPointer(bytes).bindMemory(to: type, capacity: count)
  }

  /// More than expected comes in smaller parts, as most of the last one may lie idle.
  private func expectedBytes(_ size: Int, isFirst: Bool) -> Int {
    let bytes = isFirst ? expectedRows * size + expectedRows / 64 : expectedRows * size / 4
    return min(bytes, Self.mostBytes)
  }

  private struct Part: @unchecked Sendable {
    // Sendable although unchecked: every byte is handed out once.
    let bytes: UnsafeMutableBufferPointer<UInt8>
    private var used = 0

    init(bytes: Int) { self.bytes = LargePages.allocate(UInt8.self, capacity: bytes) }

    var room: Int { bytes.count - used }

    mutating func take(_ count: Int) -> UnsafeMutablePointer<UInt8> {
      defer { used += count }
      return bytes.baseAddress.unsafelyUnwrapped + used
    }
  }
}
