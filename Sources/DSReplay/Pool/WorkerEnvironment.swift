import Glibc

/// The environment of a worker process.
enum WorkerEnvironment {
  /// The environment of all tests, so that their output is the same everywhere.
  case fixed
  /// An environment that differs from ``fixed`` as much as possible. Output that is the same in
  /// both does not depend on the environment.
  case other

  /// - Parameter folder: a new folder that contains the empty folders `home` and `tmp`.
  /// - Returns: all variables of the worker, as `NAME=value`.
  func variables(folder: String) -> [String] {
    let varying =
      switch self {
      case .fixed: ["LC_ALL=C.UTF-8", "SWIFT_DETERMINISTIC_HASHING=1", "TZ=UTC"]
      // The offset from UTC is not a whole number of hours, and the date differs from the UTC date
      // for about half of the day.
      case .other: ["DSSHELL_KERNELS=portable", "LC_ALL=C.UTF-8", "TZ=<+1345>-13:45"]
      }
    let same = [
      "COLUMNS=80", "HOME=\(folder)/home", "NO_COLOR=1",
      // The pool reports a crash; a backtrace would take a second.
      "SWIFT_BACKTRACE=enable=no", "TERM=dumb",
      // Scripts allocate and free very many small blocks: keep more of them in the cache of the
      // thread.
      "GLIBC_TUNABLES=glibc.malloc.tcache_count=1000", "TMPDIR=\(folder)/tmp",
    ]
    return same + varying + Self.inherited
  }

  /// The environment of scripts that the process runs, in addition to ``variables(folder:)``. In
  /// ``other`` the date and the seed differ, and time passes with each reading of the clock.
  var replayEnvironment: ReplayEnvironment {
    var environment = ReplayEnvironment()
    if self == .other {
      environment.date += 8_640_123
      environment.tick = .microseconds(1_234_567)
      environment.seed = 1
    }
    return environment
  }

  /// Variables that the program needs to start, those of sanitizers, and those that
  /// `Scripts/servers` prints.
  private static var inherited: [String] {
    let names: [String] = [
      "PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
      "DSSHELL_TEST_POSTGRES", "DSSHELL_TEST_POSTGRES_CERTIFICATE", "DSSHELL_TEST_CLICKHOUSE",
      "DSSHELL_TEST_CLICKHOUSE_CLUSTER", "DSSHELL_TEST_CLICKHOUSE_SHARDS",
      "DSSHELL_TEST_CLICKHOUSE_NATIVE", "DSSHELL_TEST_USER", "DSSHELL_TEST_PASSWORD",
    ]
    return names.compactMap { name in getenv(name).map { "\(name)=" + String(cString: $0) } }
  }
}
