import DataTables
import Glibc

/// Files that are written atomically: readers see either the old or the new content, and a crash
/// leaves the old content.
enum WholeFile {
  /// - Throws: `TableError.io`, also for a path that names a device, a pipe or a socket.
  static func write(_ bytes: [UInt8], to path: String) throws(TableError) {
    try RegularFile.check(FileOverlay.readable(path), named: path)
    let writablePath = try FileOverlay.writable(path)
    let target = FileOverlay.realPath(writablePath) ?? writablePath
    let draft = "\(target).\(getpid()).tmp"
    // A crashed process with the same id may have left a draft.
    unlink(draft)
    let descriptor = OpenFile.retrying {
      open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode(of: target))
    }
    guard descriptor >= 0 else { throw OpenFile.failure("cannot write", path) }
    var isWritten = write(bytes, to: descriptor)
    var code = errno
    if close(descriptor) != 0, isWritten {
      isWritten = false
      code = errno
    }
    if isWritten, rename(draft, target) != 0 {
      isWritten = false
      code = errno
    }
    guard !isWritten else { return }
    unlink(draft)
    errno = code
    throw OpenFile.failure("cannot write", path)
  }

  static func exists(_ path: String) -> Bool { access(FileOverlay.readable(path), F_OK) == 0 }

  /// Checks that a file can be created or replaced, without writing it.
  /// - Throws: `TableError.io`, also for a path that names a device, a pipe or a socket.
  static func check(_ path: String) throws(TableError) {
    try RegularFile.check(FileOverlay.readable(path), named: path)
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { path[...$0] } ?? "."
    // A file in an overlay needs no permission for the original folder, but the folder must exist.
    let permissions = FileOverlay.current == nil ? W_OK | X_OK : F_OK
    guard access(String(folder), permissions) == 0 else {
      throw OpenFile.failure("cannot write", path)
    }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
        let count = OpenFile.retrying { Glibc.write(descriptor, rest.baseAddress, rest.count) }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
  }

  /// The permissions of the existing file, or 0o666 for a new one.
  private static func mode(of path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0o666
  }
}
