import Synchronization

/// Memory for the rows of a column, handed out to all workers batch by batch.
///
/// Sharing keeps a column's memory close to the size of its rows, even with large pages.
final class RunMemory: Sendable {
  private let expectedRows: Int
  private let parts = Mutex<[Part]>([])

  /// The estimate may be wrong, and not every machine can allocate larger blocks.
  private static let maxPartSize = 64 << 20

  /// - Parameter expectedRows: an estimate of the number of rows.
  init(expectedRows: Int) { self.expectedRows = expectedRows }

  deinit { parts.withLock { for part in $0 { part.bytes.deallocate() } } }

  /// Uninitialized memory for `count` rows, valid for the lifetime of this object.
  func take<Element: BitwiseCopyable>(
    _ count: Int, of type: Element.Type
  ) -> UnsafeMutablePointer<Element> {
    let stride = MemoryLayout<Element>.stride
    // Multiples of words, so that every kind of row is aligned.
    let size = (count * stride + 7) & ~7
    let bytes = parts.withLock { parts in
      if parts.last.map({ $0.room < size }) ?? true {
        parts.append(Part(bytes: max(size, expectedBytes(stride, isFirst: parts.isEmpty))))
      }
      nonisolated(unsafe) let bytes = parts[parts.count - 1].take(size)
      return bytes
    }
    return UnsafeMutableRawPointer(bytes).bindMemory(to: type, capacity: count)
  }

  /// Parts beyond the estimate are smaller, because most of the last part may remain unused.
  private func expectedBytes(_ stride: Int, isFirst: Bool) -> Int {
    let bytes = isFirst ? expectedRows * stride + expectedRows / 64 : expectedRows * stride / 4
    return min(bytes, Self.maxPartSize)
  }

  private struct Part: @unchecked Sendable {
    // Unchecked Sendable: every byte is handed out only once.
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
