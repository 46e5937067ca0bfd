import DataTables
import Glibc

/// A file that is open for reading; closed with its last owner.
final class OpenFile: Sendable {
  let path: String
  private let descriptor: Int32
  /// The size of a regular file when it was opened; nil for pipes, terminals and other streams.
  let size: Int?
  let stamp: FileStamp
  private let isNamedPipe: Bool

  /// - Throws: `TableError.io`, for a folder too.
  init(path: String) throws(TableError) {
    self.path = path
    // Without waiting: the open of a pipe that nobody writes to would hang.
    let place = FileOverlay.readable(path)
    let descriptor = Self.retrying { open(place, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { throw Self.failure("cannot open", path) }
    self.descriptor = descriptor
    var facts = stat()
    let isKnown = fstat(descriptor, &facts) == 0
    stamp = FileStamp(facts)
    let kind = facts.st_mode & S_IFMT
    // The files of /proc have content, though their size is 0.
    size = kind == S_IFREG && facts.st_size > 0 ? Int(facts.st_size) : nil
    // The others have their writer already, who may even be gone.
    isNamedPipe = kind == S_IFIFO && !path.hasPrefix("/dev/") && !path.hasPrefix("/proc/")
    guard isKnown else { throw Self.failure("cannot read", path) }
    guard kind != S_IFDIR else { throw .io("`\(path)` is a folder") }
  }

  deinit { close(descriptor) }

  /// - Throws: `TableError.changed` when the content is not what it was.
  func checkUnchanged() throws(TableError) {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw Self.failure("cannot read", path) }
    guard FileStamp(facts).hasSameContent(as: stamp) else { throw changed }
  }

  /// Fills as much of `buffer` as there is from `offset` on, and returns how many bytes that is.
  func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(TableError) -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = Self.retrying { pread(descriptor, rest.baseAddress, rest.count, offset + filled) }
      guard count >= 0 else { throw Self.failure("cannot read", path) }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Bytes that have come, up to `count`; nil while there are none, empty at the end.
  func readNext(_ count: Int) throws(TableError) -> [UInt8]? {
    var status = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      status = Self.retrying { Glibc.read(descriptor, buffer.baseAddress, count) }
      filled = max(0, status)
    }
    if status >= 0 { return bytes }
    if errno == EAGAIN { return nil }
    throw Self.failure("cannot read", path)
  }

  /// Waits a little for bytes, or for the end.
  func waitForBytes() {
    var wish = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&wish, 1, Self.patience)
  }

  /// Whether no bytes mean the end, and not a pipe that nobody has opened for writing yet; waits a
  /// little for one who does.
  func isAtEnd() -> Bool {
    guard isNamedPipe else { return true }
    var wish = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&wish, 1, Self.patience)
    return Int32(wish.revents) & (POLLIN | POLLHUP) == POLLHUP
  }

  /// Milliseconds until somebody who cancels is noticed.
  private static let patience: Int32 = 50

  var changed: TableError { .changed("`\(path)` was changed since it was loaded") }

  static func failure(_ what: String, _ path: String) -> TableError {
    let code = errno
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    return .io("\(what) `\(path)`: \(reason)")
  }

  /// A system call, made again when a signal came between.
  static func retrying<Number: SignedInteger>(_ call: () -> Number) -> Number {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }
}
