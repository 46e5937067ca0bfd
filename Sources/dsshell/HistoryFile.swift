import Glibc

/// What was typed in all sessions, in a file that only its owner reads.
///
/// A line is the beginning of an entry, or, after a tab, the next line of one. Entries are appended
/// under a lock, so that sessions at the same time lose nothing of each other.
struct HistoryFile {
  let path: String

  init(path: String) { self.path = path }

  /// `DSSHELL_HISTORY`, else `dsshell/history` in `XDG_STATE_HOME`, else in `~/.local/state`.
  /// - Returns: nil when there is no place for one.
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

  /// The newest entries, oldest first; none when the file cannot be read.
  func entries(limit: Int = 10_000) -> [String] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
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

  /// - Returns: whether the entry was kept.
  @discardableResult
  func append(_ entry: String) -> Bool {
    makeFolder()
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // A file that was there before may be readable by others.
    fchmod(descriptor, 0o600)
    flock(descriptor, LOCK_EX)
    let text = Self.text(of: entry)
    return (try? OutputStream(descriptor).writeAll(text)) != nil
  }

  static func text(of entry: String) -> String {
    let lines = entry.split(separator: "\n", omittingEmptySubsequences: true)
    return lines.joined(separator: "\n\t") + "\n"
  }

  private func makeFolder() {
    let folders = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    var folder = ""
    for part in folders {
      folder += part + "/"
      mkdir(folder, 0o700)
    }
  }
}
