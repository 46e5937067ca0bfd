import DataTables
import Synchronization

/// Bytes in memory that count how many were asked for.
final class CountingBytes: ByteStore {
  private let bytes: MemoryBytes
  private let total = Mutex(0)

  init(_ text: String) { bytes = MemoryBytes(Array(text.utf8)) }

  var bytesRead: Int { total.withLock { $0 } }
  var count: Int { bytes.count }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    total.withLock { $0 += buffer.count }
    return try bytes.read(at: offset, into: buffer)
  }
}
