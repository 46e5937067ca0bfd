import Glibc

/// The fixed surroundings of a worker, so that a test tells the same everywhere.
enum WorkerEnvironment {
  /// - Parameter folder: a fresh one, with an empty `home` in it.
  /// - Returns: `NAME=value`, all that a worker has.
  static func variables(folder: String) -> [String] {
    let fixed = [
      "COLUMNS=80", "HOME=\(folder)/home", "LC_ALL=C.UTF-8", "NO_COLOR=1",
      // A crash is told by its pool, and should not take a second.
      "SWIFT_BACKTRACE=enable=no",
      "SWIFT_DETERMINISTIC_HASHING=1", "TERM=dumb", "TMPDIR=\(folder)/tmp", "TZ=UTC",
    ]
    return fixed + inherited
  }

  /// What the program needs to start at all, and what those who examine it set.
  private static var inherited: [String] {
    let names: [String] = [
      "PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
    ]
    return names.compactMap { name in getenv(name).map { "\(name)=" + String(cString: $0) } }
  }
}
