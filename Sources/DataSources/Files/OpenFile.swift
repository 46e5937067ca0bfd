import DataTables
import Glibc
import Synchronization

/// A file that is open for reading; releasing the last reference closes it.
final class OpenFile: Sendable {
  let path: String
  private let descriptor: Int32
  /// The size of a regular file when it was opened; nil for pipes, terminals and other streams, and
  /// for a file of size 0.
  let size: Int?
  let stamp: FileStamp
  private let isNamedPipe: Bool
  /// Set if the file may grow.
  private let growth = Mutex<Growth?>(nil)

  private struct Growth {
    let print: FilePrint
    /// The last state that was found to begin with the content of ``print``.
    var accepted: FileStamp
  }

  /// - Throws: `TableError.io`, also for a folder.
  convenience init(path: String) throws(TableError) {
    // Non-blocking, because opening a pipe without a writer would block.
    let readablePath = FileOverlay.readable(path)
    let descriptor =
      EngineLocks.takeDescriptor(ofFileAt: readablePath)
      ?? Self.retrying { open(readablePath, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { throw Self.failure("cannot open", path) }
    try self.init(path: path, owning: descriptor)
  }

  /// A copy of a descriptor that is open for reading.
  convenience init(path: String, descriptor: Int32) throws(TableError) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw Self.failure("cannot open", path) }
    try self.init(path: path, owning: copy)
  }

  private init(path: String, owning descriptor: Int32) throws(TableError) {
    self.path = path
    self.descriptor = descriptor
    var status = stat()
    let isKnown = fstat(descriptor, &status) == 0
    stamp = FileStamp(status)
    let kind = status.st_mode & S_IFMT
    // Files in /proc have content although their size is 0.
    size = kind == S_IFREG && status.st_size > 0 ? Int(status.st_size) : nil
    // Pipes in /dev and /proc already have or had a writer.
    isNamedPipe = kind == S_IFIFO && !path.hasPrefix("/dev/") && !path.hasPrefix("/proc/")
    guard isKnown else { throw Self.failure("cannot read", path) }
    guard kind != S_IFDIR else { throw .io("`\(path)` is a folder") }
  }

  deinit { EngineLocks.close(descriptor) }

  /// - Throws: `TableError.changed` when the content has changed since the file was opened.
  func checkUnchanged() throws(TableError) {
    guard let now = FileStamp(of: descriptor) else { throw Self.failure("cannot read", path) }
    if !now.hasSameContent(as: stamp), !hasGrown(to: now) { throw changedError }
  }

  /// Accepts bytes that are appended to the content of `print` from now on.
  func allowGrowth(of print: FilePrint) {
    growth.withLock { $0 = Growth(print: print, accepted: stamp) }
  }

  /// Samples of the content to which bytes may be appended.
  var print: FilePrint? { growth.withLock { $0?.print } }

  private func hasGrown(to now: FileStamp) -> Bool {
    guard let known = growth.withLock({ $0 }) else { return false }
    if now.hasSameContent(as: known.accepted) { return true }
    guard now.size > known.accepted.size,
      (try? FilePrint(of: self, size: known.print.size)) == known.print
    else { return false }
    growth.withLock { $0?.accepted = now }
    return true
  }

  /// Reads bytes from `offset` on into `buffer` and returns their number, which is smaller than the
  /// size of the buffer only at the end of the file.
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

  /// Reads the available bytes, up to `count`; returns nil while no bytes are available, and an
  /// empty array at the end of the file.
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

  /// Waits briefly for bytes, or for the end of the file.
  func waitForBytes() {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&request, 1, Self.pollTime)
  }

  /// Whether an empty read means the end of the file; false for a pipe that has no writer yet.
  /// Waits briefly for a writer.
  func isAtEnd() -> Bool {
    guard isNamedPipe else { return true }
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&request, 1, Self.pollTime)
    return Int32(request.revents) & (POLLIN | POLLHUP) == POLLHUP
  }

  /// Milliseconds per wait; callers check for a cancellation between waits.
  private static let pollTime: Int32 = 50

  var changedError: TableError { .changed("`\(path)` has changed since it was loaded") }

  /// The error of a failed system call, with the reason from `errno`; `denied` for a path that
  /// ``SafeMode`` refuses.
  static func failure(_ action: String, _ path: String) -> TableError {
    let code = errno
    // The codes of a refused path.
    if [ENOTDIR, EACCES].contains(code), SafeMode.refusesReading(path) {
      return SafeMode.readingError(path)
    }
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    return .io("\(action) `\(path)`: \(reason)")
  }

  /// Makes a system call and repeats it while signals interrupt it.
  static func retrying<Number: SignedInteger>(_ call: () -> Number) -> Number {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }
}

/// Identifies a file and the state of its content.
struct FileStamp: Equatable, Sendable {
  let device: UInt64
  let inode: UInt64
  let size: Int
  let modified: Time
  /// Time of the last change of the content or the inode; renaming the file or changing its
  /// permissions also sets it.
  let changed: Time

  struct Time: Equatable, Sendable {
    let seconds: Int
    let nanoseconds: Int

    static var now: Time {
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      return Time(seconds: now.tv_sec, nanoseconds: now.tv_nsec)
    }
  }

  /// The state of the file at a path; nil if it does not exist.
  init?(ofFileAt path: String) {
    var status = stat()
    guard OpenFile.retrying({ stat(path, &status) }) == 0 else { return nil }
    self.init(status)
  }

  /// The state of an open file; nil if it cannot be determined.
  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int(status.st_size)
    modified = Time(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    changed = Time(seconds: status.st_ctim.tv_sec, nanoseconds: status.st_ctim.tv_nsec)
  }

  /// Whether a write after `time` can leave the stamp as it is: file systems count time in steps of
  /// up to 10 ms.
  func isFresh(at time: Time) -> Bool {
    let milliseconds =
      (time.seconds &- modified.seconds).multipliedReportingOverflow(by: 1_000).partialValue
      &+ (time.nanoseconds - modified.nanoseconds) / 1_000_000
    return milliseconds < 20
  }

  /// Whether both are states of one file, whatever its content.
  func isSameFile(as other: FileStamp) -> Bool { device == other.device && inode == other.inode }

  /// Whether an open file has the same content, even if it was renamed or deleted.
  func hasSameContent(as other: FileStamp) -> Bool {
    device == other.device && inode == other.inode && size == other.size
      && modified == other.modified
  }
}

/// The bytes of a large file, read when they are accessed.
///
/// The file remains open, so renaming or deleting it has no effect, and bytes may be appended. After it
/// is rewritten in place, reads throw `changed`.
struct FileBytes: ByteStore {
  let file: OpenFile
  let count: Int

  func checkUnchanged() throws { try file.checkUnchanged() }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    try file.checkUnchanged()
    guard offset >= 0, offset < count, buffer.count > 0 else { return 0 }
    let length = min(buffer.count, count - offset)
    let filled = try file.read(
      at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<length]))
    // The file was truncated between the check and the read.
    guard filled == length else { throw file.changedError }
    return filled
  }
}

/// The state of the file at a path: missing, or with a stamp.
struct FileState: Equatable, Sendable {
  private let stamp: FileStamp?
  /// Distinguishes states whose stamps may be equal although the content differs.
  private let freshness: FileStamp.Time?

  var isMissing: Bool { stamp == nil }

  init(of path: String) {
    let now = FileStamp.Time.now
    stamp = FileStamp(ofFileAt: path)
    freshness = stamp.flatMap { $0.isFresh(at: now) ? now : nil }
  }

  /// Whether the file had the same size and times in another state. Its content may differ if it was
  /// written again at once.
  func hasStamp(of other: FileState) -> Bool { stamp == other.stamp }

  /// The state of a file that counts as missing while it is empty.
  init(ofContentAt path: String) {
    let state = FileState(of: path)
    let isEmpty = state.stamp?.size == 0
    stamp = isEmpty ? nil : state.stamp
    freshness = isEmpty ? nil : state.freshness
  }

  /// The states of some files, and of the files in some folders.
  static func all(of paths: ObservedPaths) -> [FileState] {
    paths.files.map { FileState(of: $0) }
      + paths.folders.flatMap { folder in
        [FileState(of: folder)]
          + ((try? Folder.entries(in: folder)) ?? []).filter { $0.kind != .folder }
          .map { FileState(of: folder + "/" + $0.name) }
      }
  }
}
