import Glibc

/// The number of files that the process may open (`ulimit -n`).
enum DescriptorLimit {
  /// A session with a few files open; below 8, the runtime ends the process without a message.
  private static let needed: rlim_t = 32

  /// Raises the limit if it is too low to start.
  /// - Returns: the error if it cannot be raised.
  static func raise() -> String? {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < needed else { return nil }
    let allowed = limit.rlim_cur
    limit.rlim_cur = min(needed, limit.rlim_max)
    guard limit.rlim_cur < needed || setrlimit(resource, &limit) != 0 else { return nil }
    return "dsshell needs \(needed) open files, but the limit is \(allowed); raise it with "
      + "`ulimit -n \(needed)`, as root if that is refused"
  }
}
