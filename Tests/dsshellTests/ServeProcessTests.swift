import Glibc
import Testing

/// `serve` in processes: when the page ends, and that the program ends.
@Suite struct ServeProcessTests {
  private static let commands = "let a = simple [Pie, Tea]; serve a"

  @Test func aScriptThatEndsEndsThePage() throws {
    let result = try dsshell("-c", Self.commands)
    #expect(result.status == 0)
    #expect(result.output.contains("\na: http://127.0.0.1:"))
    #expect(result.errors == "")
  }

  @Test func waitKeepsServingUntilCtrlC() throws {
    let folder = try TemporaryFolder()
    let session = try TerminalSession(
      ["-c", Self.commands + " wait: true; print \"after\""],
      environment: ["HOME": folder.path, "NO_COLOR": "1"], width: 200)
    try session.expect("http://")
    // The rest of the script runs first.
    try session.expect("after\r\n")
    usleep(300_000)
    session.send(SIGINT)
    let (status, rest) = try session.end()
    #expect(status == 0)
    #expect(!rest.contains("error"))
  }

  @Test func quitEndsAllStreamsOfEvents() throws {
    let folder = try TemporaryFolder()
    let session = try TerminalSession.prompt(in: folder, width: 200)
    session.type(Self.commands + "\r")
    try session.expect("http://127.0.0.1:")
    let parts = try session.expect("/\r\n").split(separator: "/")
    try session.expect("ds> ")
    let port = try #require(UInt16(parts[0]))
    let path = "/\(parts[1])/events?after=0"
    let streams = try (0..<5).map { _ in try OpenStream(port: port, path: path) }
    session.type("quit\r")
    let (status, _) = try session.end()
    #expect(status == 0)
    for stream in streams {
      #expect(stream.rest?.contains("{\"type\":\"ended\"}\n\n") == true)
    }
  }

  @Test func aLackOfDescriptorsDoesNotEndThePage() throws {
    let session = try TerminalSession(
      program: "/bin/sh",
      [
        "-c", "ulimit -n 40; exec \"$0\" -c \"$1\"", ShellProcess.binary,
        Self.commands + " wait: true",
      ],
      environment: ["HOME": "/proc/nonexistent", "NO_COLOR": "1"], width: 200)
    try session.expect("http://127.0.0.1:")
    let parts = try session.expect("/\r\n").split(separator: "/")
    let port = try #require(UInt16(parts[0]))
    let path = "/\(parts[1])/events?after=0"
    do {
      let connections = (0..<60).compactMap { _ in try? OpenStream(port: port, head: "GET / HT") }
      #expect(!connections.isEmpty)
    }
    var stream: OpenStream?
    for _ in 0..<200 where stream == nil {
      stream = try? OpenStream(port: port, path: path)
      usleep(50_000)
    }
    #expect(stream != nil)
    session.send(SIGINT)
    let (status, _) = try session.end()
    #expect(status == 0)
  }
}
