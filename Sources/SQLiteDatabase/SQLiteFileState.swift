import DataTables
import Glibc

/// The state of a database file, for other sessions to recognize.
enum SQLiteFileState {
  /// Further bytes of the log's index are locks, which readers change.
  private static let maxPart = 96

  /// A text that differs after every change of the database by any program; nil if the file cannot be
  /// read.
  ///
  /// A transaction changes the counter in the header of the file
  /// (https://www.sqlite.org/fileformat2.html#file_change_counter), or in WAL mode the log and the
  /// header of its index (https://www.sqlite.org/walformat.html#wal_index_format).
  static func text(ofFileAt path: String) -> String? {
    guard let file = part(path) else { return nil }
    let log = part(path + "-wal") ?? ""
    let index = part(path + "-shm", isStamped: false) ?? ""
    return "\(file);\(log);\(index)"
  }

  private static func part(_ path: String, isStamped: Bool = true) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: maxPart)
    let count = max(0, read(descriptor, &bytes, maxPart))
    let content = bytes[..<count].map(\.hexadecimal).joined()
    let time = facts.st_mtim
    return isStamped
      ? "\(facts.st_ino).\(facts.st_size).\(time.tv_sec).\(time.tv_nsec).\(content)" : content
  }
}
