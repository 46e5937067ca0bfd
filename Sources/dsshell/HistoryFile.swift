import DSInterpreter
import DataSources
import DataTables
import Glibc

/// The commands typed in all sessions, in a file that only its owner can read.
///
/// Each entry begins on a new line of the file; its further lines begin with a tab. Entries are
/// appended under a lock, so that concurrent sessions do not overwrite each other's entries.
///
/// Only a regular file is read, written or given another mode. Any other file, such as the device
/// `/dev/null`, remains unchanged, and no history is kept.
struct HistoryFile {
  let path: String

  init(path: String) { self.path = path }

  /// Uses the path in `DSSHELL_HISTORY`, else `dsshell/history` in `XDG_STATE_HOME`, else in
  /// `~/.local/state`.
  /// - Returns: nil if none of `DSSHELL_HISTORY`, `XDG_STATE_HOME` and `HOME` is set.
  init?() {
    let standard = Environment.stateFolder.map { $0 + "/history" }
    guard let path = Environment["DSSHELL_HISTORY"] ?? standard else { return nil }
    self.init(path: path)
  }

  /// The reason why no history is kept, as a clause; nil if history is kept, and for `/dev/null`,
  /// the usual path to keep no history.
  var problem: String? {
    if path == "/dev/null" { return nil }
    do throws(TableError) {
      try RegularFile.check(path)
      return nil
    } catch {
      return "no history is kept: \(error.message); set DSSHELL_HISTORY to a regular file"
    }
  }

  /// The newest entries, oldest first; none if the file cannot be read.
  func entries(limit: Int = 10_000) -> [String] {
    guard (try? RegularFile.check(path)) != nil else { return [] }
    // O_NONBLOCK: if a FIFO replaces the file now, opening it must not wait for a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    Self.lock(descriptor, LOCK_SH)
    var bytes: [UInt8] = []
    var chunk: [UInt8] = Array(repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count <= 0 { break }
      bytes += chunk.prefix(count)
    }
    return Array(Self.entries(in: String(decoding: bytes, as: UTF8.self)).suffix(limit))
  }

  static func entries(in text: String) -> [String] {
    var entries: [String] = []
    for line in text.split(separator: "\n") {
      if line.first == "\t", let last = entries.popLast() {
        entries.append(last + "\n" + line.dropFirst())
      } else {
        entries.append(String(line))
      }
    }
    return entries
  }

  /// - Returns: whether the entry was written.
  @discardableResult
  func append(_ entry: String) -> Bool {
    makeFolder()
    let flags = O_APPEND | O_CREAT
    guard let descriptor = try? RegularFile.open(path, flags: flags, mode: 0o600) else {
      return false
    }
    defer { close(descriptor) }
    // An existing file may be readable by others.
    fchmod(descriptor, 0o600)
    Self.lock(descriptor, LOCK_EX)
    let text = (endsWithinLine ? "\n" : "") + Self.text(of: entry)
    return (try? OutputStream(descriptor).writeAll(text)) != nil
  }

  /// Locks the file, unless another process holds the lock for more than half a second. Without the
  /// lock, an entry is still written whole, by a single call.
  private static func lock(_ descriptor: Int32, _ kind: Int32) {
    for _ in 0..<100 {
      if flock(descriptor, kind | LOCK_NB) == 0 || errno != EWOULDBLOCK { return }
      usleep(5_000)
    }
  }

  /// Whether the last entry has no line end, as after an edit by hand: a new one would continue it.
  private var endsWithinLine: Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    var last: UInt8 = 0
    guard fstat(descriptor, &status) == 0, status.st_size > 0,
      pread(descriptor, &last, 1, status.st_size - 1) == 1
    else { return false }
    return last != UInt8(ascii: "\n")
  }

  static func text(of entry: String) -> String {
    let lines = entry.split(separator: "\n", omittingEmptySubsequences: true)
    return lines.joined(separator: "\n\t") + "\n"
  }

  private func makeFolder() { Folder.make(FilePath.folder(of: path)) }
}
