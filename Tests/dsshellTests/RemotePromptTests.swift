import Glibc
import TestServer
import Testing

/// Remote sources at the prompt.
@Suite struct RemotePromptTests {
  // Synchronous: waiting for a terminal blocks a thread, and the task pool may have only two.
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func session() throws -> TerminalSession {
    try TerminalSession.prompt(in: folder, width: 120)
  }

  @Test func ctrlCEndsAFetchThatWaitsForAServer() throws {
    let server = try FaultServer()
    defer { server.stop() }
    let session = try session()
    session.type("let slow = remote \(server.url)/silent | fetch\r")
    while server.targets.isEmpty { usleep(1_000) }
    session.type("\u{3}")
    try session.expect("fetch of slow was canceled")
    try session.expect("ds> ")
    session.type("print slow.events\r")
    try session.expect("partial")
    try session.expect("failed")
  }

  @Test func aFetchContinuesWhileTheUserTypes() throws {
    let server = try FaultServer()
    defer { server.stop() }
    let session = try session()
    try session.run(
      "let list = remote \(server.url)/slow?milliseconds=50; fetch list async: true",
      shows: "list: being fetched (wait list)")
    try session.run("wait", shows: "list: 1 section, 0 objects, CSV, 10 bytes")
    session.type("print list.isFetching\r")
    try session.expect("\r\nfalse\r\n")
  }

  @Test func theEndOfAFetchIsReportedWithTheNextCommand() throws {
    let server = try FaultServer()
    defer { server.stop() }
    let session = try session()
    session.type("let gone = remote \(server.url)/raw?no-realm; fetch gone async: true\r")
    try session.expect("being fetched (wait gone)")
    // The response may arrive at any time; the next command then reports it.
    var shown = ""
    for number in 1..<2_000 where !shown.contains("401 Unauthorized") {
      session.type("print [\(number)]\r")
      shown += try session.expect("\r\n[\(number)]\r\n")
    }
    #expect(shown.contains("401 Unauthorized"))
  }

  @Test func aScriptWaitsForItsFetches() throws {
    let server = try FaultServer()
    defer { server.stop() }
    let script = "let list = remote \(server.url)/slow?milliseconds=20; fetch list async: true"
    let result = try dsshell("-c", script)
    #expect(
      result.output.split(separator: "\n") == [
        "list: remote, not fetched yet (fetch list)", "list: being fetched (wait list)",
        "list: 1 section, 0 objects, CSV, 10 bytes",
      ])
    let failed = try dsshell("-c", script.replacing("/slow?milliseconds=20", with: "/raw?no-realm"))
    #expect(failed.status == 1)
    #expect(failed.errors.contains("returned 401 Unauthorized"))
  }
}
