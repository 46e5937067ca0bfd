package import DataTables
import Glibc

/// Restricts writes to regular files: nothing else is replaced, changed or given another mode.
///
/// A symbolic link counts as its target.
package enum RegularFile {
  /// Checks that a path names a regular file or does not exist yet.
  ///
  /// Call it immediately before a rename onto `path`: a rename replaces a device or a pipe without
  /// an error.
  /// - Parameter name: the path that errors show; nil for `path`.
  /// - Throws: `TableError.io` if another kind of file exists at `path`.
  package static func check(_ path: String, named name: String? = nil) throws(TableError) {
    guard !isStream(path) else {
      throw .io("`\(name ?? path)` is an open stream, not a regular file")
    }
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    try check(status, name ?? path)
  }

  /// Opens a regular file for writing. Fails for a pipe, without waiting for a reader.
  ///
  /// - Parameters:
  ///   - flags: flags in addition to `O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY`, such as
  ///     `O_APPEND | O_CREAT`.
  ///   - mode: the permissions of a file that is created.
  ///   - name: the path that errors show; nil for `path`.
  /// - Returns: a descriptor that the caller closes.
  /// - Throws: `TableError.io` if the file cannot be opened or is not a regular file.
  package static func open(
    _ path: String, flags: Int32, mode: UInt32 = 0o666, named name: String? = nil
  ) throws(TableError) -> Int32 {
    let name = name ?? path
    // Opening a socket, or a pipe without a reader, fails with an error that does not say what the
    // path is.
    try check(path, named: name)
    let descriptor = OpenFile.retrying {
      Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags, mode)
    }
    guard descriptor >= 0 else { throw OpenFile.failure("cannot write", name) }
    do throws(TableError) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw OpenFile.failure("cannot write", name) }
      try check(status, name)
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Whether a path names an open file of a process, such as `/dev/stdout` or `/dev/fd/3`, also through
  /// symbolic links.
  ///
  /// With a redirected stream, it looks like a regular file, and a rename would separate that from
  /// the stream.
  package static func isStream(_ path: String) -> Bool {
    var path = path
    for _ in 0..<SymbolicLink.maxLinks {
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
      let names = FileOverlay.realPath(folder)?.split(separator: "/") ?? []
      if names.first == "proc", names.last == "fd" { return true }
      guard let target = SymbolicLink.target(of: path) else { return false }
      path = target.hasPrefix("/") ? target : folder + target
    }
    return false
  }

  private static func check(_ status: stat, _ name: String) throws(TableError) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw .io("`\(name)` is a folder")
    case S_IFCHR: throw .io("`\(name)` is a character device, not a regular file")
    case S_IFBLK: throw .io("`\(name)` is a block device, not a regular file")
    case S_IFIFO: throw .io("`\(name)` is a named pipe, not a regular file")
    case S_IFSOCK: throw .io("`\(name)` is a socket, not a regular file")
    default: throw .io("`\(name)` is not a regular file")
    }
  }
}
