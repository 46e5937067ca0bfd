import Glibc
import Testing

/// Where results and errors go, and what happens when they cannot.
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
    #expect(all.hasPrefix("1\nerror:") && all.hasSuffix("\n3\n"))
  }

  @Test func aReaderThatIsGoneEndsQuietly() throws {
    let folder = try TemporaryFolder()
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    close(ends[0])
    let process = try ShellProcess(
      ["-c", "print 1"], environment: [:],
      streams: [
        .file("/dev/null", flags: O_RDONLY), .descriptor(ends[1]),
        .file(folder.path + "/errors", flags: writing),
      ])
    close(ends[1])
    #expect(process.wait() == 0)
    #expect(try folder.read("errors") == "")
  }

  @Test(arguments: [
    (ShellProcess.Stream.file("/dev/full", flags: O_WRONLY), "No space left on device"),
    (.closed, "Bad file descriptor"),
  ])
  func resultsThatAreLostAreAFailure(stream: ShellProcess.Stream, reason: String) throws {
    let folder = try TemporaryFolder()
    let process = try ShellProcess(
      ["-c", "print 1"], environment: [:],
      streams: [
        .file("/dev/null", flags: O_RDONLY), stream,
        .file(folder.path + "/errors", flags: writing),
      ])
    #expect(process.wait() == 1)
    #expect(try folder.read("errors") == "error: the output could not be written: \(reason)\n")
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
    // What was written is read once the handler is there: before, SIGINT ends the process itself.
    try #require("print 1\n".withCString { write(ends[1], $0, strlen($0)) } == 8)
    var unread: Int32 = 8
    for _ in 0..<10_000 where unread > 0 {
      usleep(1000)
      _ = ioctl(ends[0], UInt(FIONREAD), &unread)
    }
    #expect(unread == 0)
    // Time for the next read to begin; a signal before it would be heeded only after it.
    usleep(100_000)
    process.send(SIGINT)
    #expect(process.wait() == 130)
  }
}
