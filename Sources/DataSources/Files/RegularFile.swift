package import DataTables
package import Glibc

/// Guards writes: only regular files are created, replaced, changed or given another mode.
///
/// A symbolic link counts as the file it leads to.
package enum RegularFile {
  /// Checks that a path names a regular file, or nothing yet.
  ///
  /// Call it immediately before a rename onto `path`: a rename replaces a device or a pipe without
  /// an error.
  /// - Parameter name: the path that errors show; nil for `path`.
  /// - Throws: `TableError.io` if something else exists there.
  package static func check(_ path: String, named name: String? = nil) throws(TableError) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return }
    try check(facts, name ?? path)
  }

  /// Opens a file for writing, without waiting for a reader if it is a pipe.
  ///
  /// - Parameters:
  ///   - flags: added to `O_WRONLY | O_CLOEXEC`, such as `O_APPEND | O_CREAT`.
  ///   - mode: the permissions of a file that is created.
  ///   - name: the path that errors show; nil for `path`.
  /// - Returns: A descriptor that the caller closes.
  /// - Throws: `TableError.io` if the file cannot be opened or is not a regular file.
  package static func open(
    _ path: String, flags: Int32, mode: mode_t = 0o666, named name: String? = nil
  ) throws(TableError) -> Int32 {
    let name = name ?? path
    // A pipe without a reader and a socket cannot be opened at all; say what they are.
    try check(path, named: name)
    let descriptor = OpenFile.retrying {
      Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags, mode)
    }
    guard descriptor >= 0 else { throw OpenFile.failure("cannot write", name) }
    do throws(TableError) {
      var facts = stat()
      guard fstat(descriptor, &facts) == 0 else { throw OpenFile.failure("cannot write", name) }
      try check(facts, name)
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  private static func check(_ facts: stat, _ name: String) throws(TableError) {
    switch facts.st_mode & S_IFMT {
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
