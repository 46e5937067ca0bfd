import TestServer
import Testing

@Suite struct NetworkTests {
  @Test func aURLIsFetchedOverHTTP() throws {
    let server = try FaultServer()
    defer { server.stop() }
    let result = try dsshell("-c", "print (remote \(server.url)/raw?json | fetch | count)")
    #expect(result.output == "2\n")
    #expect(result.errors == "" && result.status == 0)
    #expect(server.targets == ["/raw?json"])
    #expect(server.heads.first?.contains("User-Agent: dsshell/0.1.0\r\n") == true)
  }

  @Test func aBrokenConnectionIsRetried() throws {
    let server = try FaultServer()
    defer { server.stop() }
    let result = try dsshell("-c", "remote \(server.url)/reset retries: 1 | fetch")
    #expect(result.status == 1)
    #expect(server.targets == ["/reset", "/reset"])
  }

  /// Only the machine's clock runs while a test waits for a server.
  @Test func theLimitOfAWaitForAServerHoldsInATest() throws {
    let server = try FaultServer()
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let script = """
      #% require http
      let s = remote \(server.url)/silent timeout: 30
      fetch s async: true
      wait s timeout: 200ms
      #! error: the fetch of s has not ended within `timeout: 200ms`; add a longer `timeout:`
      cancel s

      """
    let result = try dsshell("test", try folder.write("wait.ds", script))
    #expect(result.output.hasPrefix("1 file, 1 section: 1 passed in "))
    #expect(result.status == 0)
  }

  @Test func noRequestIsSentBeforeAFetch() throws {
    let server = try FaultServer()
    defer { server.stop() }
    #expect(try dsshell("-c", "let list = remote \(server.url)/raw?json").status == 0)
    #expect(server.targets.isEmpty)
  }
}
