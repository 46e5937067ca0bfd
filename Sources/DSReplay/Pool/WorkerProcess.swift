import Glibc

/// A worker process as seen from its pool.
final class WorkerProcess {
  let identifier: pid_t
  /// The descriptor from which its messages are read.
  let results: Int32
  let page: StatusPage
  private var jobs: Int32
  private let errors: Int32
  private var isReaped = false

  /// - Parameters:
  ///   - command: the program and its arguments.
  ///   - folder: the folder of the worker.
  /// - Throws: ``PoolError``.
  init(
    _ command: [String], folder: String, _ environment: WorkerEnvironment = .fixed
  ) throws(PoolError) {
    let shared = try Self.file(folder + "/status", size: StatusPage.size)
    defer { close(shared) }
    guard let page = StatusPage(shared) else { throw .system("cannot share memory with a worker") }
    do throws(PoolError) {
      errors = try Self.file(folder + "/errors", flags: O_APPEND)
      let jobPipe = try Self.pipe()
      let resultPipe = try Self.pipe()
      defer {
        close(jobPipe.reading)
        close(resultPipe.writing)
      }
      (jobs, results) = (jobPipe.writing, resultPipe.reading)
      let streams = [jobPipe.reading, resultPipe.writing, errors, shared]
      identifier = try Self.spawn(
        command, streams, environment.variables(folder: folder))
      self.page = page
    } catch {
      page.unmap()
      throw error
    }
  }

  /// - Returns: false if the process has ended.
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(jobs, $0.baseAddress, $0.count) }
      if count > 0 {
        rest.removeFirst(count)
      } else if count < 0, errno != EINTR {
        return false
      }
    }
    return true
  }

  func closeInput() {
    if jobs >= 0 { close(jobs) }
    jobs = -1
  }

  /// Kills the process and those that it started.
  func end() { kill(-identifier, SIGKILL) }

  /// Waits for the process to end and releases its resources.
  /// - Returns: how it ended, and its last line on standard error.
  func finish() -> String {
    closeInput()
    var status: Int32 = 0
    // A worker ends when its input is closed. If it does not end within about a second, it is
    // killed.
    for _ in 0..<1000 where !isReaped {
      isReaped = waitpid(identifier, &status, WNOHANG) == identifier
      if !isReaped { usleep(1000) }
    }
    if !isReaped {
      end()
      isReaped = waitpid(identifier, &status, 0) == identifier
    }
    let last = Self.lastLine(of: errors)
    close(results)
    close(errors)
    page.unmap()
    return Self.text(of: status) + (last.isEmpty ? "" : ": " + last)
  }

  private static func text(of status: Int32) -> String {
    let signal = status & 0x7F
    if signal == 0 { return "the process ended with status \(status >> 8 & 0xFF)" }
    let name = strsignal(signal).map { String(cString: $0) } ?? "unknown"
    return "the process was ended by signal \(signal) (\(name))"
  }

  /// The last line of a file, from its last bytes.
  private static func lastLine(of descriptor: Int32) -> String {
    var bytes: [UInt8] = Array(repeating: 0, count: 1000)
    let size = lseek(descriptor, 0, SEEK_END)
    let count = pread(descriptor, &bytes, bytes.count, max(0, size - bytes.count))
    guard count > 0 else { return "" }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    return text.split(separator: "\n").last.map(String.init) ?? ""
  }

  /// Creates a file and unlinks it, so that it disappears when it is closed.
  private static func file(
    _ path: String, flags: Int32 = 0, size: Int = 0
  ) throws(PoolError) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | flags, 0o600)
    guard descriptor >= 0 else { throw .system("cannot write `\(path)`") }
    unlink(path)
    // Without allocated space, a full disk would end the process with a signal.
    let number = size > 0 ? posix_fallocate(descriptor, 0, size) : 0
    guard number == 0 else {
      close(descriptor)
      throw .failed("cannot write `\(path)`", number)
    }
    return descriptor
  }

  private static func pipe() throws(PoolError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw .system("cannot create a pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// - Parameter streams: the descriptors that the process gets as 0, 1, 2 and so on.
  private static func spawn(
    _ command: [String], _ streams: [Int32], _ variables: [String]
  ) throws(PoolError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    // A process group of its own: Ctrl-C reaches only the pool, which ends its workers itself.
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let arguments = command.map { strdup($0) } + [nil]
    let variables = variables.map { strdup($0) } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    var identifier: pid_t = 0
    let number = posix_spawn(
      &identifier, command.first ?? "", &actions, &attributes, arguments, variables)
    guard number == 0 else { throw .failed("cannot start a worker", number) }
    return identifier
  }
}

/// The reason why tests, or some of them, could not run.
package enum PoolError: Error, Equatable {
  /// With the error number of the system.
  case failed(String, Int32)
  /// The workers end before they run anything.
  case noWorkers(String)

  /// The error of the last system call.
  static func system(_ what: String) -> PoolError { .failed(what, errno) }

  package var message: String {
    switch self {
    case .failed(let what, let number): "\(what): \(String(cString: strerror(number)))"
    case .noWorkers(let how): "the workers end before they run anything: \(how)"
    }
  }
}
