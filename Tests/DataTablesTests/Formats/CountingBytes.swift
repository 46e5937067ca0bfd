import DataTables
import Synchronization

/// Bytes in memory that count the bytes read, and can pretend to have changed.
final class CountingBytes: ByteStore {
  private let bytes: MemoryBytes
  private let total = Mutex(0)
  private let isChanged = Mutex(false)

  init(_ text: String) { bytes = MemoryBytes(Array(text.utf8)) }

  var bytesRead: Int { total.withLock { $0 } }
  var count: Int { bytes.count }

  func change() { isChanged.withLock { $0 = true } }

  func checkUnchanged() throws {
    if isChanged.withLock({ $0 }) { throw TableError.changed("the bytes changed") }
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    try checkUnchanged()
    total.withLock { $0 += buffer.count }
    return try bytes.read(at: offset, into: buffer)
  }
}
