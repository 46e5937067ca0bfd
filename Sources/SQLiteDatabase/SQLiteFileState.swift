import Glibc

/// The state of a database file, for other sessions to recognize.
///
/// Only the facts that the system knows are read: opening and closing the file would drop the locks of
/// the connections of this process.
enum SQLiteFileState {
  /// Changes that follow one another faster than this may have the same time, in nanoseconds.
  private static let coarseness = 50_000_000

  /// A text that differs after every change of the database by any program; nil if the file cannot be
  /// found, or was changed so recently that a further change could go unnoticed.
  ///
  /// A transaction changes the file, or in WAL mode its log.
  static func text(ofFileAt path: String) -> String? {
    guard let file = part(path) else { return nil }
    let log = path + "-wal"
    guard access(log, F_OK) == 0 else { return file }
    return part(log).map { file + ";" + $0 }
  }

  private static func part(_ path: String) -> String? {
    var facts = stat()
    var now = timespec()
    guard stat(path, &facts) == 0, clock_gettime(CLOCK_REALTIME, &now) == 0 else { return nil }
    // Unlike the time of modification, this time cannot be set.
    let time = facts.st_ctim
    let age = (now.tv_sec - time.tv_sec) * 1_000_000_000 + now.tv_nsec - time.tv_nsec
    guard age > coarseness else { return nil }
    return "\(facts.st_ino).\(facts.st_size).\(time.tv_sec).\(time.tv_nsec)"
  }
}
