import Glibc

/// The environment of a worker.
enum WorkerEnvironment {
  /// Those of all tests, so that a test tells the same everywhere.
  case fixed
  /// As different from them as may be: what tells the same in both does not depend on them.
  case other

  /// - Parameter folder: a fresh one, with an empty `home` in it.
  /// - Returns: `NAME=value`, all that a worker has.
  func variables(folder: String) -> [String] {
    let varying =
      switch self {
      case .fixed: ["LC_ALL=C.UTF-8", "SWIFT_DETERMINISTIC_HASHING=1", "TZ=UTC"]
      // Fifteen minutes off the hour, on another day than UTC half of the time.
      case .other: ["DSSHELL_KERNELS=portable", "LC_ALL=C.UTF-8", "TZ=<+1345>-13:45"]
      }
    let same = [
      "COLUMNS=80", "HOME=\(folder)/home", "NO_COLOR=1",
      // A crash is told by its pool, and should not take a second.
      "SWIFT_BACKTRACE=enable=no", "TERM=dumb",
      // Scripts make and drop very many small blocks of memory: more of them stay at hand.
      "GLIBC_TUNABLES=glibc.malloc.tcache_count=1000", "TMPDIR=\(folder)/tmp",
    ]
    return same + varying + Self.inherited
  }

  /// What a script finds around it in such a process, beside the process's own variables: in the other
  /// one it is another day, time passes with each look at the clock, and chance falls otherwise.
  var replayEnvironment: ReplayEnvironment {
    var environment = ReplayEnvironment()
    if self == .other {
      environment.date += 8_640_123
      environment.tick = .microseconds(1_234_567)
      environment.seed = 1
    }
    return environment
  }

  /// What the program needs to start at all, and what those who examine it set.
  private static var inherited: [String] {
    let names: [String] = [
      "PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
    ]
    return names.compactMap { name in getenv(name).map { "\(name)=" + String(cString: $0) } }
  }
}
