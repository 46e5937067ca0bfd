import DataTables
import Synchronization

/// Bytes in memory that count how many were asked for, and can pretend to be others than they were.
final class CountingBytes: ByteStore {
  private let bytes: MemoryBytes
  private let total = Mutex(0)
  private let isChanged = Mutex(false)

  init(_ text: String) { bytes = MemoryBytes(Array(text.utf8)) }

  var bytesRead: Int { total.withLock { $0 } }
  var count: Int { bytes.count }

  func change() { isChanged.withLock { $0 = true } }

  func checkUnchanged() throws {
    if isChanged.withLock({ $0 }) { throw TableError.changed("the bytes are others") }
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    try checkUnchanged()
    total.withLock { $0 += buffer.count }
    return try bytes.read(at: offset, into: buffer)
  }
}
