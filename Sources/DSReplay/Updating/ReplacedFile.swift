import Glibc

/// Replaces a file as a whole: a reader sees the old content or the new one, never a part.
enum ReplacedFile {
  /// Writes beside the file, with its permissions, and gives the name over when all is on the disk.
  static func write(_ text: String, to path: String) throws(UpdateError) {
    // Through a symbolic link the file itself is replaced, not the link.
    let target = resolved(path)
    let temporary = "\(target).\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .io(reason("cannot write `\(temporary)`")) }
    do throws(UpdateError) {
      try fill(descriptor, text, named: temporary)
      var status = stat()
      let mode = stat(target, &status) == 0 ? status.st_mode & 0o7777 : 0o644
      guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0 else {
        throw .io(reason("cannot write `\(temporary)`"))
      }
      close(descriptor)
    } catch {
      close(descriptor)
      unlink(temporary)
      throw error
    }
    guard rename(temporary, target) == 0 else {
      let error = UpdateError.io(reason("cannot replace `\(target)`"))
      unlink(temporary)
      throw error
    }
  }

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

  private static func resolved(_ path: String) -> String {
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
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .io(ReplacedFile.reason("cannot read `\(path)`")) }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      close(descriptor)
      throw .locked
    }
  }

  func release() { close(descriptor) }
}
