import DataTables
import Glibc

/// Why text could not be written.
enum OutputError: Error, Equatable {
  /// Whoever read it is gone.
  case closed
  /// The number of the system's error.
  case failed(Int32)
}

/// The one place through which text leaves for standard output, gathered into large writes.
final class OutputStream {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var isClosed = false
  private static let capacity = 1 << 16

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// - Throws: ``OutputError``.
  func write(_ text: String) throws(OutputError) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Writes what was gathered. After a failure nothing more is written.
  /// - Throws: ``OutputError``.
  func flush() throws(OutputError) {
    defer { buffer.removeAll(keepingCapacity: true) }
    if isClosed { return }
    var start = 0
    while start < buffer.count {
      let written = buffer.withUnsafeBytes { bytes in
        Glibc.write(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
      }
      if written >= 0 {
        start += written
        continue
      }
      let number = errno
      if number == EINTR && !Interrupts.cancellation.isCancelled { continue }
      // What was interrupted, because its reader is slow, may be followed by more.
      isClosed = number != EINTR
      throw number == EPIPE ? .closed : .failed(number)
    }
  }
}
