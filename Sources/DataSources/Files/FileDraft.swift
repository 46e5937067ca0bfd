import DataTables
import Glibc

/// The next content of a file, which takes the file's name when it is complete: at any time, other
/// programs see the old content or the new one, whole.
///
/// Until then it has no name, and a process that is killed leaves nothing behind. There are two
/// exceptions. A draft that replaces a file gets a temporary name in the same folder just before the
/// replacement, because Linux cannot replace a file with an unnamed one. On file systems without
/// unnamed files, each draft has such a name from the start. A process that is killed while the draft
/// has a temporary name leaves it behind.
///
/// A symbolic link stays, and the file that it names is replaced. The permissions of a replaced file
/// are kept, and so are the owner and the group where the process may set them.
final class FileDraft {
  /// The path as the user knows it.
  private let path: String
  /// The path of the file that is replaced.
  private let target: String
  private let folder: String
  /// The state of the file when the draft began; nil without a file.
  let old: FileStamp?
  private let descriptor: Int32
  /// The path of the temporary file; nil while the draft has no name.
  private var draftPath: String?

  /// Linux's flag for a file without a name, which the Glibc module does not import.
  private static let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY

  /// - Throws: `TableError.io`, also for a path that names a device, a pipe or a socket.
  init(of path: String) throws(TableError) {
    let readable = FileOverlay.readable(path)
    try RegularFile.check(readable, named: path)
    let target = try Self.linkTarget(of: FileOverlay.writable(path), named: path)
    self.path = path
    self.target = target
    let slash = target.lastIndex(of: "/")
    folder = slash.map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
    old = FileStamp(ofFileAt: readable)
    if old != nil, access(readable, W_OK) != 0 { throw OpenFile.failure("cannot write", path) }
    var descriptor: Int32 = -1
    if access("/proc/self/fd", X_OK) == 0 {
      let folder = folder
      descriptor = OpenFile.retrying {
        open(folder, Self.unnamed | O_RDWR | O_CLOEXEC, 0o666 as mode_t)
      }
    }
    if descriptor < 0 {
      let name = Self.draftPath(of: target)
      draftPath = name
      descriptor = OpenFile.retrying {
        open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666 as mode_t)
      }
    }
    self.descriptor = descriptor
    guard descriptor >= 0 else {
      draftPath = nil
      throw OpenFile.failure("cannot write", path)
    }
    keepAttributes(of: readable)
  }

  deinit {
    removeName()
    if descriptor >= 0 { close(descriptor) }
  }

  private func removeName() {
    if let draftPath { unlink(draftPath) }
    draftPath = nil
  }

  /// Whether the file existed when the draft began.
  var replacesFile: Bool { old != nil }

  /// - Throws: `TableError.io`, for example for a full disk.
  func append(_ bytes: UnsafeRawBufferPointer) throws(TableError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = OpenFile.retrying { write(descriptor, rest.baseAddress, rest.count) }
      guard count > 0 else { throw OpenFile.failure("cannot write", path) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  func append(_ bytes: [UInt8]) throws(TableError) {
    let written = bytes.withUnsafeBytes { bytes in
      Result { () throws(TableError) in try append(bytes) }
    }
    try written.get()
  }

  /// Gives the draft the name of the file.
  ///
  /// - Parameters:
  ///   - isSynced: whether the content is on the disk first, so that the file is whole after a power
  ///     failure too.
  ///   - cancellation: ends the wait while another program has the file locked; nil to replace the
  ///     file without a wait.
  /// - Returns: the file; nil if another program has written it since the draft began, and it stays as
  ///   it is.
  /// - Throws: `TableError.io`; `TableError.cancelled`, and the file stays as it is.
  func commit(
    isSynced: Bool = true, cancellation: Cancellation?
  ) throws(TableError) -> OpenFile? {
    if isSynced, fsync(descriptor) != 0 { throw OpenFile.failure("cannot write", path) }
    let isNamed = access(target, F_OK) == 0 ? try replace(cancellation) : try create()
    guard isNamed else {
      removeName()
      return nil
    }
    if isSynced { syncFolder() }
    return try OpenFile(path: path, descriptor: descriptor)
  }

  /// Links the draft to the name of a file that does not exist.
  private func create() throws(TableError) -> Bool {
    // A file that was deleted meanwhile, or one that exists only outside of an overlay.
    if FileStamp(ofFileAt: FileOverlay.readable(path)) != old { return false }
    guard link(to: target) else {
      if errno == EEXIST { return false }
      throw OpenFile.failure("cannot write", path)
    }
    return true
  }

  private func replace(_ cancellation: Cancellation?) throws(TableError) -> Bool {
    // Another shell that replaces the same file waits here, and then finds it changed.
    let lock = try lockTarget(cancellation)
    defer {
      if let lock {
        // `EngineLocks` may keep the descriptor open, and the lock with it.
        _ = flock(lock, LOCK_UN)
        EngineLocks.close(lock)
      }
    }
    let now = FileStamp(ofFileAt: FileOverlay.readable(path))
    guard let old, let now, now.hasSameContent(as: old) else { return false }
    try RegularFile.check(target, named: path)
    // Not before the wait for the lock: a process that is killed now leaves the name behind.
    let name = try givenName()
    guard rename(name, target) == 0 else { throw OpenFile.failure("cannot write", path) }
    draftPath = nil
    return true
  }

  /// Microseconds between two attempts to lock a file.
  private static let lockPause: useconds_t = 20_000

  /// Locks the file that is replaced. The wait polls, because a cancellation does not end the wait of
  /// a blocking call.
  ///
  /// - Parameter cancellation: nil not to wait for another program.
  /// - Returns: a descriptor of the file, without a lock where none is possible; nil if the file
  ///   cannot be opened.
  /// - Throws: `TableError.cancelled`.
  private func lockTarget(_ cancellation: Cancellation?) throws(TableError) -> Int32? {
    let lock = OpenFile.retrying { open(target, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard lock >= 0 else { return nil }
    while OpenFile.retrying({ flock(lock, LOCK_EX | LOCK_NB) }) != 0, errno == EAGAIN,
      let cancellation
    {
      guard !cancellation.isCancelled else {
        EngineLocks.close(lock)
        throw .cancelled
      }
      usleep(Self.lockPause)
    }
    return lock
  }

  /// The path of the temporary file, to which an unnamed draft is linked first.
  private func givenName() throws(TableError) -> String {
    if let draftPath { return draftPath }
    let name = Self.draftPath(of: target)
    guard link(to: name) else { throw OpenFile.failure("cannot write", path) }
    draftPath = name
    return name
  }

  /// - Returns: false with `errno`; a file that exists is not replaced.
  private func link(to name: String) -> Bool {
    guard let draftPath else {
      return linkat(
        AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
    }
    if Glibc.link(draftPath, name) == 0 {
      unlink(draftPath)
    } else {
      // Some file systems have no hard links.
      let code = errno
      guard code == EPERM || code == ENOTSUP, access(name, F_OK) != 0 else {
        errno = code
        return false
      }
      guard rename(draftPath, name) == 0 else { return false }
    }
    self.draftPath = nil
    return true
  }

  /// The name is on the disk only when the folder is.
  private func syncFolder() {
    let folder = OpenFile.retrying { open(self.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    // A folder may be writable and not readable.
    guard folder >= 0 else { return }
    // A failure is not reported: the file has been replaced already, its content is on the disk, and
    // after a power failure the name has either the old content or the new one.
    _ = fsync(folder)
    close(folder)
  }

  private func keepAttributes(of path: String) {
    var status = stat()
    guard old != nil, stat(path, &status) == 0 else { return }
    // Only the administrator can keep another owner; a member of the group can keep the group.
    let isKept = fchown(descriptor, status.st_uid, status.st_gid) == 0
    if !isKept { _ = fchown(descriptor, uid_t.max, status.st_gid) }
    // With another owner or group, set-user-ID and set-group-ID would grant other rights. A change of
    // the owner resets some permissions, so that they are set after it.
    _ = fchmod(descriptor, status.st_mode & (isKept ? 0o7777 : 0o1777))
  }

  private static func draftPath(of target: String) -> String {
    "\(target).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).tmp"
  }

  /// The path that a symbolic link names, also if nothing exists there.
  private static func linkTarget(
    of path: String, named name: String
  ) throws(TableError) -> String {
    if let real = FileOverlay.realPath(path) { return real }
    var path = path
    for _ in 0..<SymbolicLink.maxLinks {
      guard let next = SymbolicLink.target(of: path) else { return path }
      let slash = path.lastIndex(of: "/")
      let folder = slash.map { path[...$0] } ?? ""
      path = next.hasPrefix("/") ? next : folder + next
    }
    errno = ELOOP
    throw OpenFile.failure("cannot write", name)
  }
}
