import DataSources
import DataTables
import Glibc

/// A file that is replaced as a whole: a reader sees the old content or the new one, never a part.
struct ReplacedFile {
  private let target: String
  private let temporary: String

  /// Writes a text to a file, which is made when it is not there.
  static func write(_ text: String, to path: String) throws(UpdateError) {
    try ReplacedFile(text, for: path).take()
  }

  /// Writes beside the file, with its permissions; when this returns, all is on the disk.
  init(_ text: String, for path: String) throws(UpdateError) {
    // Through a symbolic link the file itself is replaced, not the link.
    target = Self.resolved(path)
    try Self.checkIsRegular(target, named: path)
    temporary = "\(target).\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .io(Self.reason("cannot write `\(temporary)`")) }
    do throws(UpdateError) {
      try Self.fill(descriptor, text, named: temporary)
      var status = stat()
      let mode = stat(target, &status) == 0 ? status.st_mode & 0o7777 : 0o644
      guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0 else {
        throw .io(Self.reason("cannot write `\(temporary)`"))
      }
      close(descriptor)
    } catch {
      close(descriptor)
      unlink(temporary)
      throw error
    }
  }

  /// Gives the name of the file to what was written.
  func take() throws(UpdateError) {
    do throws(UpdateError) {
      try Self.checkIsRegular(target, named: target)
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, target) == 0 else {
      let error = UpdateError.io(Self.reason("cannot replace `\(target)`"))
      unlink(temporary)
      throw error
    }
  }

  private static func checkIsRegular(_ path: String, named name: String) throws(UpdateError) {
    do {
      try RegularFile.check(path, named: name)
    } catch {
      throw .io(error.message)
    }
  }

  /// Leaves the file as it is.
  func discard() { unlink(temporary) }

  /// Writes all of a text to what is open already.
  static func fill(
    _ descriptor: Int32, _ text: String, named name: String
  ) throws(UpdateError) {
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .io(reason("cannot write `\(name)`")) }
      start += count
    }
  }

  static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  static func reason(_ what: String) -> String { "\(what): \(String(cString: strerror(errno)))" }
}

/// Keeps two updates of a script apart.
struct FileLock {
  private let descriptor: Int32

  /// - Throws: ``UpdateError/locked`` when another process holds it; it is not waited for, as the
  ///   script will be another one then.
  init(_ path: String) throws(UpdateError) {
    // Without waiting: the open of a pipe without a writer would hang.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .io(ReplacedFile.reason("cannot read `\(path)`")) }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      close(descriptor)
      throw .locked
    }
  }

  func release() { close(descriptor) }
}
