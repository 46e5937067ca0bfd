import CMemory
import DataTables
import Glibc

/// Limits of the system below which the runtime ends the process without a message, or waits for ever.
enum SystemLimits {
  /// A session with a few files open; below 8, the runtime ends the process.
  private static let neededFiles: rlim_t = 32
  /// One for each processor, for the timer and for signals; without them, work never begins.
  private static let neededThreads = 4
  /// A limit of processes from which on it is not checked.
  private static let manyProcesses: rlim_t = 4096

  /// Raises limits that are too low to start.
  /// - Returns: the error if one cannot be raised.
  static func raise() -> String? { raiseFiles() ?? checkThreads() }

  private static func raiseFiles() -> String? {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < neededFiles else { return nil }
    let allowed = limit.rlim_cur
    limit.rlim_cur = min(neededFiles, limit.rlim_max)
    guard limit.rlim_cur < neededFiles || setrlimit(resource, &limit) != 0 else { return nil }
    return "dsshell needs \(neededFiles) open files, but the limit is \(allowed); raise it with "
      + "`ulimit -n \(neededFiles)`, as root if that is refused"
  }

  /// Starts threads that end at once, if the user may have few.
  private static func checkThreads() -> String? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &limit) == 0,
      limit.rlim_cur < manyProcesses
    else { return nil }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    var threads: [pthread_t] = []
    var result: Int32 = 0
    while threads.count < neededThreads, result == 0 {
      var thread = pthread_t()
      // Each waits until all have started.
      result = pthread_create(
        &thread, nil,
        { end in
          var byte: UInt8 = 0
          _ = read(Int32(Int(bitPattern: end)), &byte, 1)
          return nil
        }, UnsafeMutableRawPointer(bitPattern: Int(ends[0])))
      if result == 0 { threads.append(thread) }
    }
    close(ends[1])
    for thread in threads { pthread_join(thread, nil) }
    close(ends[0])
    if result == 0 { return nil }
    return "dsshell needs \(neededThreads) threads, but the system allows \(threads.count) "
      + "(\(String(cString: strerror(result)))); raise the limit of \(limit.rlim_cur) processes with "
      + "`ulimit -u`"
  }

  private static let maxReserve = 64 << 20

  /// Sets address space aside, now and after each use, for the allocation that would fail because the
  /// address space is limited (`ulimit -v`).
  static func reserveMemory() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
      let space = Int(exactly: limit.rlim_cur)
    else { return }
    MemoryLimit.setReserve {
      ds_reserve_memory(min(maxReserve, space / 8)) { MemoryLimit.useReserve() }
    }
  }
}
