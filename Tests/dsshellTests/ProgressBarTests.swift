import Glibc
import Testing

/// The progress line of long commands, on a real terminal and elsewhere.
@Suite(.serialized) struct ProgressBarTests {
  private let folder: TemporaryFolder
  private let pipe: String
  private static let erasure = "\r\u{1B}[J"
  /// Longer than the delay before progress is shown; the exact value does not matter.
  private static let aWhile: UInt32 = 600_000

  init() throws {
    folder = try TemporaryFolder()
    pipe = folder.path + "/slow.csv"
    try #require(mkfifo(pipe, 0o600) == 0)
  }

  private func session(
    _ environment: [String: String] = ["NO_COLOR": "1"], width: UInt16 = 80
  ) throws -> TerminalSession {
    let session = try TerminalSession(
      environment: ["HOME": folder.path].merging(environment) { $1 }, width: width)
    try session.expect("ds> ")
    return session
  }

  /// Waits until the pipe is being read.
  private func writer() throws -> Int32 {
    let writer = open(pipe, O_WRONLY | O_CLOEXEC)
    try #require(writer >= 0)
    return writer
  }

  private func write(_ text: String, to writer: Int32) {
    _ = text.withCString { Glibc.write(writer, $0, strlen($0)) }
  }

  @Test func aLongLoadShowsProgressUntilItsResult() throws {
    let session = try session()
    session.type("load \(pipe)\r")
    let writer = try writer()
    write("name\nPie\n", to: writer)
    try session.expect(Self.erasure + "slow.csv  9 B  ")
    try session.expect(" s  Ctrl-C cancels\r")
    close(writer)
    let drawn = try session.expect("slow: 1 object")
    #expect(drawn.hasSuffix(Self.erasure))
    #expect(!(try session.expect("ds> ").contains("cancels")))
  }

  @Test func aCanceledLoadLeavesOnlyCtrlCAndTheError() throws {
    let session = try session()
    session.type("load \(pipe)\r")
    let writer = try writer()
    defer { close(writer) }
    try session.expect("Ctrl-C cancels\r")
    session.type("\u{3}")
    try session.expect(Self.erasure + "^C\r\nerror: load of ")
    // The message is broken between words.
    try session.expect("bound\r\n")
    try session.expect("ds> ")
    session.type("print 1\r")
    #expect(!(try session.expect("\r\n1\r\n").contains("to quit")))
  }

  @Test func theLineFitsAResizedTerminal() throws {
    let session = try session()
    session.type("load \(pipe)\r")
    let writer = try writer()
    defer { close(writer) }
    try session.expect("Ctrl-C cancels\r")
    session.resize(width: 20)
    try session.expect(Self.erasure + "slow.csv  ")
    try session.expect(" s\r")
  }

  @Test func noProgressIsDrawnBetweenResults() throws {
    let objects = (0..<12_000).map { "Pie \($0)\n" }
    try folder.write("many.csv", "name\n" + objects.joined())
    let session = try session()
    session.type(
      "option pager off; mode csv; let many = load \(folder.path)/many.csv; print \"here\"; "
        + "objects many\r")
    try session.expect("\r\nhere\r\n")
    // The terminal accepts no more than its buffer holds, so the output pauses.
    usleep(Self.aWhile)
    for thousand in 1...11 {
      #expect(!(try session.expect("Pie \(thousand)999\r\n").contains("\u{1B}[J")))
    }
    #expect(!(try session.expect("ds> ").contains("\u{1B}[J")))
  }

  @Test func aDumbTerminalShowsNoProgress() throws {
    let session = try session(["TERM": "dumb"])
    session.type("load \(pipe)\r")
    let writer = try writer()
    write("name\nPie\n", to: writer)
    usleep(Self.aWhile)
    close(writer)
    #expect(!(try session.expect("slow: 1 object").contains("\u{1B}")))
  }

  @Test(arguments: [[:], ["NO_COLOR": "1"]]) func colorIsOffWithNoColor(
    environment: [String: String]
  ) throws {
    let session = try session(environment)
    session.type("load \(pipe)\r")
    let writer = try writer()
    defer { close(writer) }
    let line = try session.expect("Ctrl-C cancels")
    #expect(line.hasSuffix("\u{1B}[2m") == environment.isEmpty)
  }

  @Test func noProgressIsWrittenToAFile() throws {
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    let process = try ShellProcess(
      ["-c", "load \(pipe)"], environment: ["TERM": "xterm"],
      streams: [
        .file("/dev/null", flags: O_RDONLY), .file(folder.path + "/output", flags: flags),
        .file(folder.path + "/errors", flags: flags),
      ])
    let writer = try writer()
    write("name\nPie\n", to: writer)
    usleep(Self.aWhile)
    close(writer)
    #expect(process.wait() == 0)
    #expect(try folder.read("output") == "slow: 1 object, 1 key (name string), CSV, UTF-8\n")
    #expect(try folder.read("errors") == "")
  }

  @Test func aCanceledScriptLeavesOnlyCtrlCAndTheError() throws {
    let session = try TerminalSession(
      ["-c", "load \(pipe)"], environment: ["HOME": folder.path, "NO_COLOR": "1"])
    let writer = try writer()
    defer { close(writer) }
    try session.expect("Ctrl-C cancels\r")
    session.type("\u{3}")
    let (status, rest) = try session.end()
    #expect(status == 130)
    #expect(rest.contains(Self.erasure + "^C\r\nerror: load of"))
  }
}
