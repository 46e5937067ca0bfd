import DSReplay
import DataSources
import DataTables
import Glibc

/// The editor of the user (`VISUAL`, else `EDITOR`, else `vi`).
struct ExternalEditor {
  private let command: String = Environment["VISUAL"] ?? Environment["EDITOR"] ?? "vi"

  /// Opens a temporary file with lines in the editor and waits for its end.
  /// - Returns: the lines of the file afterwards; nil if the editor failed, or wrote no text.
  func edited(_ lines: [String]) -> [String]? {
    var template = Array(((Environment["TMPDIR"] ?? "/tmp") + "/dsshell-review-XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { return nil }
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { unlink(path) }
    let text = lines.map { $0 + "\n" }.joined()
    let isWritten = (try? OutputStream(descriptor).writeAll(text)) != nil
    close(descriptor)
    guard isWritten, run(path) == 0,
      let edited = try? TextFile.read(path, cancellation: Cancellation())
    else { return nil }
    // The line end of the last line is not a line.
    var new = edited.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if new.last == "" { new.removeLast() }
    return new
  }

  /// Runs the command of the editor, which may have options, with a path.
  private func run(_ path: String) -> Int32 {
    let words: [String] = ["/bin/sh", "-c", "\(command) \"$1\"", "sh", path]
    let arguments = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The editor handles the signals of the terminal itself.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var child: pid_t = 0
    guard posix_spawn(&child, "/bin/sh", nil, &attributes, arguments, environ) == 0 else {
      return -1
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 { if errno != EINTR { return -1 } }
    return status
  }
}
