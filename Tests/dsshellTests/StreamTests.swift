import Glibc
import Testing

/// Results on standard output, errors on standard error, and failures to write either.
@Suite struct StreamTests {
  private let writing = O_WRONLY | O_CREAT | O_TRUNC

  @Test func resultsAndErrorsKeepTheirOrder() throws {
    let folder = try TemporaryFolder()
    let process = try ShellProcess(
      ["--keep-going", "-c", "print 1\nexpect 1 == 2\nprint 3"], environment: [:],
      streams: [
        .file("/dev/null", flags: O_RDONLY), .file(folder.path + "/all", flags: writing),
        .descriptor(1),
      ])
    #expect(process.wait() == 1)
    let all = try folder.read("all")
    #expect(all.hasPrefix("1\nline 2: error:") && all.hasSuffix("\n3\n"))
  }

  @Test func resultsAreVisibleWhileALaterCommandWaits() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("rows.csv", "a\n1\n")
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let process = try ShellProcess(
      ["-c", "let s = load \(path); watch s; print \"ready\"; wait s timeout: 20s"],
      environment: [:],
      streams: [.file("/dev/null", flags: O_RDONLY), .descriptor(ends[1]), .descriptor(2)])
    close(ends[1])
    var output = ""
    func readMore() -> Bool {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(ends[0], &bytes, bytes.count)
      output += String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
      return count > 0
    }
    while !output.contains("ready\n"), readMore() {}
    // The program waits for this change.
    try folder.write("rows.csv", "a\n1\n2\n")
    while readMore() {}
    #expect(output.contains("s  insert [0, 1]"), "\(output)")
    #expect(process.wait() == 0)
  }

  @Test func aClosedReaderIsNotAFailure() throws {
    let pipe = try ShellProcess.pipeWithoutReader()
    defer { close(pipe) }
    let result = try dsshell(["-c", "print 1"], output: .descriptor(pipe))
    #expect(result.status == 0 && result.errors == "")
  }

  @Test(arguments: [
    (ShellProcess.Stream.file("/dev/full", flags: O_WRONLY), "No space left on device"),
    (.closed, "Bad file descriptor"),
  ])
  func resultsThatCannotBeWrittenAreAFailure(stream: ShellProcess.Stream, reason: String) throws {
    let result = try dsshell(["-c", "print 1"], output: stream)
    #expect(result.status == 1)
    #expect(result.errors == "error: cannot write to standard output: \(reason)\n")
  }

  private static let requests = [["--help"], ["--version"], ["test", "--help"]]

  @Test(arguments: requests) func helpThatCannotBeWrittenIsAFailure(arguments: [String]) throws {
    for (stream, reason) in [
      (ShellProcess.Stream.file("/dev/full", flags: O_WRONLY), "No space left on device"),
      (.closed, "Bad file descriptor"),
    ] {
      let result = try dsshell(arguments, output: stream)
      #expect(result.status == 1)
      #expect(result.errors == "error: cannot write to standard output: \(reason)\n")
    }
  }

  @Test(arguments: requests) func aClosedReaderOfHelpIsNotAFailure(arguments: [String]) throws {
    let pipe = try ShellProcess.pipeWithoutReader()
    defer { close(pipe) }
    let result = try dsshell(arguments, output: .descriptor(pipe))
    #expect(result.status == 0 && result.errors == "")
  }

  @Test func aClosedStandardInputIsAnEmptyScript() throws {
    let process = try ShellProcess(
      [], environment: [:],
      streams: [
        .closed, .file("/dev/null", flags: O_WRONLY), .file("/dev/null", flags: O_WRONLY),
      ])
    #expect(process.wait() == 0)
  }

  @Test func ctrlCWhileAScriptIsReadEndsWith130() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process = try ShellProcess(
      [], environment: [:],
      streams: [
        .descriptor(ends[0]), .file("/dev/null", flags: O_WRONLY),
        .file("/dev/null", flags: O_WRONLY),
      ])
    defer { ends.forEach { close($0) } }
    // Wait until the read has begun: before the handler is installed, SIGINT ends the process.
    for _ in 0..<20_000 where !isWaiting(process.identifier) { usleep(1000) }
    process.send(SIGINT)
    #expect(process.wait() == 130)
  }

  /// Whether the process handles SIGINT and is waiting.
  private func isWaiting(_ identifier: pid_t) -> Bool {
    guard let file = fopen("/proc/\(identifier)/status", "r") else { return true }
    defer { fclose(file) }
    var bytes: [CChar] = Array(repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, file)
    let text = String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    let caught = text.split(separator: "\n").first { $0.hasPrefix("SigCgt:") } ?? ""
    let mask = UInt64(caught.dropFirst(7).drop { $0.isWhitespace }, radix: 16) ?? 0
    return text.contains("State:\tS") && mask & (1 << UInt64(SIGINT - 1)) != 0
  }
}
