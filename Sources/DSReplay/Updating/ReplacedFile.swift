import DataSources
import DataTables
import Glibc

/// A file that is replaced atomically: readers see either the old or the new content.
struct ReplacedFile {
  private let target: String
  private let temporary: String

  /// Writes a text to a file, and creates the file if it does not exist.
  static func write(_ text: String, to path: String) throws(UpdateError) {
    try ReplacedFile(text, for: path).replaceTarget()
  }

  /// Writes a temporary file next to the file, with the same permissions. On return, the temporary
  /// file is on disk.
  init(_ text: String, for path: String) throws(UpdateError) {
    // A symbolic link is kept; its target is replaced.
    target = Self.resolved(path)
    try Self.checkIsRegular(target, named: path)
    temporary = "\(target).\(getpid()).new"
    Self.removeAbandoned(besides: target)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .io(Self.creationError(path)) }
    do throws(UpdateError) {
      try Self.writeAll(descriptor, text, named: path)
      var status = stat()
      let mode = stat(target, &status) == 0 ? status.st_mode & 0o7777 : 0o644
      guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0 else {
        throw .io(Self.systemError("cannot write `\(path)`"))
      }
    } catch {
      Glibc.close(descriptor)
      unlink(temporary)
      throw error
    }
    do throws(UpdateError) {
      try Self.close(descriptor, named: path)
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Replaces the target with the temporary file by a rename.
  func replaceTarget() throws(UpdateError) {
    do throws(UpdateError) {
      try Self.checkIsRegular(target, named: target)
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, target) == 0 else {
      let error = UpdateError.io(Self.systemError("cannot replace `\(target)`"))
      unlink(temporary)
      throw error
    }
  }

  /// Removes temporary files for the same target of processes that were killed.
  private static func removeAbandoned(besides target: String) {
    let slash = target.lastIndex(of: "/")
    let folder = slash.map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
    let start = slash.map { String(target[target.index(after: $0)...]) } ?? target
    for name in Folder.readNames(in: folder) ?? [] {
      guard name.hasPrefix(start + "."), name.hasSuffix(".new"),
        let process = pid_t(name.dropFirst(start.count + 1).dropLast(4)), process > 0,
        // In a container, a process that was killed often had the number of this one.
        process == getpid() || (kill(process, 0) != 0 && errno == ESRCH)
      else { continue }
      unlink(folder + "/" + name)
    }
  }

  private static func checkIsRegular(_ path: String, named name: String) throws(UpdateError) {
    do {
      try RegularFile.check(path, named: name)
    } catch {
      throw .io(error.message)
    }
  }

  /// Removes the temporary file.
  func discard() { unlink(temporary) }

  /// Writes a whole text to an open descriptor.
  static func writeAll(
    _ descriptor: Int32, _ text: String, named name: String
  ) throws(UpdateError) {
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .io(systemError("cannot write `\(name)`")) }
      start += count
    }
  }

  /// Closes a file after writing; some file systems report a full disk only then.
  static func close(_ descriptor: Int32, named name: String) throws(UpdateError) {
    // On Linux the descriptor is closed even when a signal interrupts the call.
    guard Glibc.close(descriptor) == 0 || errno == EINTR else {
      throw .io(systemError("cannot write `\(name)`"))
    }
  }

  /// The error of a file that cannot be created beside another one, with the reason from `errno`.
  private static func creationError(_ path: String) -> String {
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      return systemError("cannot write `\(path)`")
    }
    return "cannot write `\(path)`: the folder `\(path[..<slash])` does not exist"
  }

  static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  static func systemError(_ what: String) -> String {
    "\(what): \(String(cString: strerror(errno)))"
  }
}

/// Prevents concurrent updates of a file.
struct FileLock {
  private let descriptor: Int32

  /// - Throws: ``UpdateError/locked`` if another process holds the lock. Waiting would not help:
  ///   the other process changes the script.
  init(_ path: String) throws(UpdateError) {
    // O_NONBLOCK: otherwise, opening a FIFO without a writer would block.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .io(ReplacedFile.systemError("cannot read `\(path)`")) }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      close(descriptor)
      throw .locked
    }
  }

  /// Waits for processes that hold the lock for some milliseconds.
  /// - Returns: nil if the file cannot be opened, or is locked for half a second.
  static func waiting(for path: String) -> FileLock? {
    for _ in 0..<100 {
      do throws(UpdateError) {
        return try FileLock(path)
      } catch {
        guard case .locked = error else { return nil }
        usleep(5_000)
      }
    }
    return nil
  }

  func release() { close(descriptor) }
}
