import Glibc

/// The commands typed in all sessions, in a file that only its owner can read.
///
/// A line is the first line of an entry, or, after a tab, the next line of the same entry. Entries are
/// appended under a lock, so that concurrent sessions do not overwrite each other's.
///
/// Only a regular file is read, written or changed in mode: a device such as `/dev/null` stays as it
/// is, and no history is kept.
struct HistoryFile {
  let path: String

  init(path: String) { self.path = path }

  /// `DSSHELL_HISTORY`, or `dsshell/history` in `XDG_STATE_HOME`, or in `~/.local/state`.
  /// - Returns: nil if none of these variables is set.
  init?() {
    if let path = Environment["DSSHELL_HISTORY"] {
      self.init(path: path)
    } else if let state = Environment["XDG_STATE_HOME"] {
      self.init(path: state + "/dsshell/history")
    } else if let home = Environment["HOME"] {
      self.init(path: home + "/.local/state/dsshell/history")
    } else {
      return nil
    }
  }

  /// Why no history is kept, as a clause; nil if it is. `/dev/null` is the usual way to keep none.
  var problem: String? {
    var status = stat()
    guard path != "/dev/null", stat(path, &status) == 0, !Self.isRegular(status) else { return nil }
    return "no history is kept: `\(path)` is not a regular file; set DSSHELL_HISTORY to one"
  }

  /// The newest entries, oldest first; none if the file cannot be read.
  func entries(limit: Int = 10_000) -> [String] {
    guard let descriptor = openRegularFile(O_RDONLY) else { return [] }
    defer { close(descriptor) }
    flock(descriptor, LOCK_SH)
    var bytes: [UInt8] = []
    var piece: [UInt8] = Array(repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count <= 0 { break }
      bytes += piece.prefix(count)
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
    guard let descriptor = openRegularFile(O_WRONLY | O_APPEND | O_CREAT) else { return false }
    defer { close(descriptor) }
    // An existing file may be readable by others.
    fchmod(descriptor, 0o600)
    flock(descriptor, LOCK_EX)
    let text = Self.text(of: entry)
    return (try? OutputStream(descriptor).writeAll(text)) != nil
  }

  static func text(of entry: String) -> String {
    let lines = entry.split(separator: "\n", omittingEmptySubsequences: true)
    return lines.joined(separator: "\n\t") + "\n"
  }

  /// - Returns: nil if the file cannot be opened or is not a regular one.
  private func openRegularFile(_ flags: Int32) -> Int32? {
    // O_NONBLOCK: opening a FIFO would wait for its other end.
    let descriptor = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    if fstat(descriptor, &status) == 0, Self.isRegular(status) { return descriptor }
    close(descriptor)
    return nil
  }

  private static func isRegular(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }

  private func makeFolder() {
    let folders = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    var folder = ""
    for part in folders {
      folder += part + "/"
      mkdir(folder, 0o700)
    }
  }
}
