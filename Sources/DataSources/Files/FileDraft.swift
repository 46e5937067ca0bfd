import DataTables
import Glibc

/// The next content of a file, which takes the file's name when it is complete: at any time, other
/// programs see the old content or the new one, whole.
///
/// Until then it has no name, so that a process that is killed leaves nothing behind; on file systems
/// without unnamed files it is a temporary file in the same folder. A symbolic link stays, and the file
/// that it names is replaced. The permissions and the owner of a replaced file are kept.
final class FileDraft {
  /// The path as the user knows it.
  private let path: String
  /// The path of the file that is replaced.
  private let target: String
  private let folder: String
  /// The state of the file when the draft began; nil without a file.
  private let old: FileStamp?
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
  /// - Parameter isSynced: whether the content is on the disk first, so that the file is whole after
  ///   a power failure too.
  /// - Returns: the file; nil if another program has written it since the draft began, and it stays as
  ///   it is.
  /// - Throws: `TableError.io`.
  func commit(isSynced: Bool = true) throws(TableError) -> OpenFile? {
    if isSynced, fsync(descriptor) != 0 { throw OpenFile.failure("cannot write", path) }
    let isNamed = access(target, F_OK) == 0 ? try replace() : try create()
    guard isNamed else {
      removeName()
      return nil
    }
    if isSynced { try syncFolder() }
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

  private func replace() throws(TableError) -> Bool {
    if draftPath == nil {
      let name = Self.draftPath(of: target)
      guard link(to: name) else { throw OpenFile.failure("cannot write", path) }
      draftPath = name
    }
    guard let draftPath else { return false }
    // Another shell that replaces the same file waits here, and then finds it changed.
    let lock = OpenFile.retrying { open(target, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    defer { if lock >= 0 { EngineLocks.close(lock) } }
    if lock >= 0 { _ = OpenFile.retrying { flock(lock, LOCK_EX) } }
    let now = FileStamp(ofFileAt: FileOverlay.readable(path))
    guard let old, let now, now.hasSameContent(as: old) else { return false }
    try RegularFile.check(target, named: path)
    guard rename(draftPath, target) == 0 else { throw OpenFile.failure("cannot write", path) }
    self.draftPath = nil
    return true
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
  private func syncFolder() throws(TableError) {
    let folder = OpenFile.retrying { open(self.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    // A folder may be writable and not readable.
    guard folder >= 0 else { return }
    defer { close(folder) }
    // Some file systems cannot sync a folder.
    if fsync(folder) != 0, errno != EINVAL, errno != ENOTSUP {
      throw OpenFile.failure("cannot write", path)
    }
  }

  private func keepAttributes(of path: String) {
    var status = stat()
    guard old != nil, stat(path, &status) == 0 else { return }
    // Only the administrator can keep another owner. The change of the owner resets some permissions.
    _ = fchown(descriptor, status.st_uid, status.st_gid)
    _ = fchmod(descriptor, status.st_mode & 0o7777)
  }

  private static func draftPath(of target: String) -> String {
    "\(target).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).tmp"
  }

  private static let maxLinks = 40

  /// The path that a symbolic link names, also if nothing exists there.
  private static func linkTarget(
    of path: String, named name: String
  ) throws(TableError) -> String {
    if let real = FileOverlay.realPath(path) { return real }
    var path = path
    for _ in 0..<maxLinks {
      var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = buffer.withUnsafeMutableBufferPointer { buffer in
        buffer.withMemoryRebound(to: CChar.self) { bytes in
          bytes.baseAddress.map { readlink(path, $0, bytes.count) } ?? -1
        }
      }
      guard count > 0 else { return path }
      let next = String(decoding: buffer[..<count], as: UTF8.self)
      let slash = path.lastIndex(of: "/")
      let folder = slash.map { path[...$0] } ?? ""
      path = next.hasPrefix("/") ? next : folder + next
    }
    errno = ELOOP
    throw OpenFile.failure("cannot write", name)
  }
}
