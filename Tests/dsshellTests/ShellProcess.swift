import Foundation
import Glibc
import Testing

/// The built shell as a process.
struct ShellProcess {
  let identifier: pid_t

  /// A descriptor of the process.
  enum Stream {
    case file(String, flags: Int32)
    case descriptor(Int32)
    case closed
  }

  /// Next to the bundle that these tests are in.
  static var binary: String {
    get throws {
      var bytes: [CChar] = Array(repeating: 0, count: Int(PATH_MAX))
      let count = readlink("/proc/self/exe", &bytes, bytes.count)
      try #require(count > 0)
      let bundle = String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
      let slash = try #require(bundle.lastIndex(of: "/"))
      let binary = bundle[..<slash] + "/dsshell"
      try #require(access(String(binary), X_OK) == 0, "\(binary) does not exist")
      return String(binary)
    }
  }

  /// - Parameters:
  ///   - program: nil for the shell.
  ///   - streams: standard input, output and error, in this order.
  init(
    program: String? = nil, _ arguments: [String], environment: [String: String],
    streams: [Stream], inNewSession: Bool = false
  ) throws {
    let binary = try program ?? Self.binary
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in zip(Int32(0)..., streams) {
      switch stream {
      case .file(let path, let flags):
        posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
      case .descriptor(let other): posix_spawn_file_actions_adddup2(&actions, other, number)
      case .closed: posix_spawn_file_actions_addclose(&actions, number)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    let session: Int32 = inNewSession ? 0x80 : 0
    posix_spawnattr_setflags(&attributes, Int16(Int32(flags) | session))

    // A home that even root cannot create.
    var variables = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/proc/nonexistent"]
    variables.merge(environment) { $1 }
    let argv = ([binary] + arguments).map { strdup($0) } + [nil]
    let envp = variables.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var identifier: pid_t = 0
    let result = posix_spawn(&identifier, binary, &actions, &attributes, argv, envp)
    try #require(result == 0, "posix_spawn: \(String(cString: strerror(result)))")
    self.identifier = identifier
  }

  /// The write end of a pipe without a reader.
  static func pipeWithoutReader() throws -> Int32 {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    close(ends[0])
    return ends[1]
  }

  func send(_ signal: Int32) { kill(identifier, signal) }

  /// The processes that the main thread of a process started, and that it has not waited for.
  static func children(of process: pid_t) -> [pid_t] {
    let text = try? String(
      contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
    return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
  }

  /// Waits for the process to end; one that takes too long is killed and fails the test.
  /// - Returns: the exit status, or the negated number of the signal that ended the process.
  func wait(at location: SourceLocation = #_sourceLocation) -> Int32 {
    var status: Int32 = 0
    for _ in 0..<30_000 where waitpid(identifier, &status, WNOHANG) == 0 { usleep(1000) }
    if kill(identifier, 0) == 0 {
      Issue.record("process \(identifier) did not end", sourceLocation: location)
      kill(identifier, SIGKILL)
      waitpid(identifier, &status, 0)
    }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : -signal
  }
}

/// The result of a run of the shell.
struct ShellResult {
  let status: Int32
  let output: String
  let errors: String
}

/// Runs a program to its end, without input: the shell, or one that starts it.
/// - Parameter program: nil for the shell.
func finish(
  program: String? = nil, _ arguments: [String], environment: [String: String] = [:]
) throws -> ShellResult {
  let folder = try TemporaryFolder()
  let flags = O_WRONLY | O_CREAT | O_TRUNC
  let process = try ShellProcess(
    program: program, arguments, environment: environment,
    streams: [
      .file("/dev/null", flags: O_RDONLY), .file(folder.path + "/output", flags: flags),
      .file(folder.path + "/errors", flags: flags),
    ])
  let status = process.wait()
  return ShellResult(
    status: status, output: try folder.read("output"), errors: try folder.read("errors"))
}

/// Runs the shell to its end, with `input` in a pipe.
func dsshell(
  _ arguments: String..., input: String = "", environment: [String: String] = [:]
) throws -> ShellResult {
  let folder = try TemporaryFolder()
  var ends: [Int32] = [0, 0]
  try #require(pipe(&ends) == 0)
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  // Less than the capacity of a pipe, so that the write does not block.
  try #require(input.utf8.count < 60_000)
  _ = input.withCString { write(ends[1], $0, strlen($0)) }
  close(ends[1])
  let flags = O_WRONLY | O_CREAT | O_TRUNC
  let process = try ShellProcess(
    arguments, environment: environment,
    streams: [
      .descriptor(ends[0]), .file(folder.path + "/output", flags: flags),
      .file(folder.path + "/errors", flags: flags),
    ])
  close(ends[0])
  let status = process.wait()
  return ShellResult(
    status: status, output: try folder.read("output"), errors: try folder.read("errors"))
}

/// Runs the shell to its end with a given standard output; the output of the result is empty.
func dsshell(
  _ arguments: [String], environment: [String: String] = [:], output: ShellProcess.Stream
) throws -> ShellResult {
  let folder = try TemporaryFolder()
  let process = try ShellProcess(
    arguments, environment: environment,
    streams: [
      .file("/dev/null", flags: O_RDONLY), output,
      .file(folder.path + "/errors", flags: O_WRONLY | O_CREAT | O_TRUNC),
    ])
  return ShellResult(status: process.wait(), output: "", errors: try folder.read("errors"))
}
