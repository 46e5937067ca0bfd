import TestServer
import Testing

/// Remote sources as a person sees them.
@Suite struct RemotePromptTests {
  /// Milliseconds a silent server would take, were it not for Ctrl-C.
  private func session() throws -> TerminalSession {
    let session = try TerminalSession(environment: ["DSSHELL_HISTORY": "/dev/null"], width: 120)
    try session.expect("ds> ")
    return session
  }

  @Test func ctrlCEndsAFetchThatWaitsForAServer() throws {
    let server = try FaultServer()
    defer { server.stop() }
    let session = try session()
    session.type("let slow = remote \(server.url)/silent | fetch\r")
    while server.targets.isEmpty {}
    session.type("\u{3}")
    try session.expect("error: fetch of slow was cancelled")
    try session.expect("ds> ")
    session.type("slow.events\r")
    try session.expect(#"["will","partial","failed"]"#)
  }

  @Test func aFetchGoesOnWhileSomebodyTypes() async throws {
    let server = try await TestServer.start()
    let session = try session()
    session.type("let list = remote \(server.url)/slow?milliseconds=300; fetch list async: true\r")
    try session.expect("list: being fetched (wait list)")
    try session.expect("ds> ")
    session.type("print list.isFetching\r")
    try session.expect("\r\ntrue\r\n")
    session.type("wait\r")
    try session.expect("list: 1 section, 3 objects, JSON, 80 bytes")
    try session.expect("ds> ")
    session.type("print list.isFetching\r")
    try session.expect("\r\nfalse\r\n")
    await server.stop()
  }

  @Test func anEndIsToldWithTheNextCommand() async throws {
    let server = try await TestServer.start()
    let session = try session()
    session.type("let gone = remote \(server.url)/missing; fetch gone async: true\r")
    try session.expect("gone: being fetched (wait gone)")
    // Whenever the answer comes, some command is the next one.
    for _ in 0..<200 {
      try session.expect("ds> ")
      session.type("print gone.isFetching\r")
      let shown = try session.expect("e\r\n")
      if shown.hasSuffix("fals") {
        #expect(shown.contains("404 Not Found: \"no such list\""))
        await server.stop()
        return
      }
    }
    Issue.record("the fetch did not end")
    await server.stop()
  }

  @Test func aScriptWaitsForItsFetches() async throws {
    let server = try await TestServer.start()
    let script = "let list = remote \(server.url)/slow?milliseconds=100; fetch list async: true"
    let result = try dsshell("-c", script)
    #expect(
      result.output.split(separator: "\n") == [
        "list: remote, not fetched yet (fetch list)", "list: being fetched (wait list)",
        "list: 1 section, 3 objects, JSON, 80 bytes",
      ])
    let failed = try dsshell("-c", script.replacing("/slow", with: "/missing"))
    #expect(failed.status == 1)
    #expect(failed.errors.contains("answered 404 Not Found"))
    await server.stop()
  }
}
