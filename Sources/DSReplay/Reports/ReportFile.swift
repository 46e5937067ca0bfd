import DSInterpreter
import DataSources
import DataTables
import Glibc

/// The file of a report.
enum ReportFile {
  /// Replaces or creates a file; writes to a FIFO, a device or an open stream.
  static func write(_ text: String, to path: String) throws(UpdateError) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return try ReplacedFile.write(text, to: path) }
    // Replacing the file behind an open stream would detach the stream.
    if let stream = [STDOUT_FILENO, STDERR_FILENO].first(where: { isStream($0, facts) }) {
      return try ReplacedFile.writeAll(stream, text, named: path)
    }
    if facts.st_mode & S_IFMT == S_IFREG { return try ReplacedFile.write(text, to: path) }
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else { throw .io(ReplacedFile.systemError("cannot write `\(path)`")) }
    do throws(UpdateError) {
      try ReplacedFile.writeAll(descriptor, text, named: path)
    } catch {
      close(descriptor)
      throw error
    }
    try ReplacedFile.close(descriptor, named: path)
  }

  /// Whether a report can be written to a file without the loss of anything but an earlier report.
  static func isReplaceable(_ path: String) -> Bool {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size > 0 else {
      return true
    }
    if [STDOUT_FILENO, STDERR_FILENO].contains(where: { isStream($0, facts) }) { return true }
    let text = try? TextFile.read(path, cancellation: Cancellation())
    return text.map(TestReports.wrote) ?? false
  }

  private static func isStream(_ descriptor: Int32, _ facts: stat) -> Bool {
    var stream = stat()
    return fstat(descriptor, &stream) == 0 && stream.st_dev == facts.st_dev
      && stream.st_ino == facts.st_ino
  }

  /// A string that is the same for all paths of a file, even if the file does not exist yet.
  static func identity(of path: String) -> String {
    if let real = real(path) { return real }
    guard let slash = path.lastIndex(of: "/") else { return (real(".") ?? "") + "/" + path }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (real(folder) ?? folder) + "/" + path[path.index(after: slash)...]
  }

  private static func real(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
