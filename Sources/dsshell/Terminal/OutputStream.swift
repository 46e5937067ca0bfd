import DataTables
import Glibc

/// The reason why text could not be written.
enum OutputError: Error, Equatable {
  /// The reader has closed its end (EPIPE).
  case closed
  /// `errno` of the failed write.
  case failed(Int32)

  /// The error message for results that were not written; nil for a reader such as `head` that has
  /// closed its end, which is not a failure.
  var message: String? {
    guard case .failed(let number) = self else { return nil }
    return "cannot write to standard output: \(String(cString: strerror(number)))"
  }
}

/// A buffered stream over a file descriptor; all text for standard output passes through one.
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

  /// Writes the buffer. After a failure, nothing more is written.
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
      // After an interrupted write to a slow reader, more text may follow.
      isClosed = number != EINTR
      throw number == EPIPE ? .closed : .failed(number)
    }
  }

  func writeAll(_ text: String) throws(OutputError) {
    try write(text)
    try flush()
  }
}

/// Standard input, standard output and standard error.
enum StandardStreams {
  /// Opens the streams that the parent process left closed. Otherwise, the next file that is opened
  /// would get the descriptor of such a stream, and results would be written into that file.
  static func open() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // `open` returns the lowest free descriptor, which is this one. Read-only, so that writing to
      // it still fails.
      _ = Glibc.open("/dev/null", O_RDONLY)
    }
  }
}
