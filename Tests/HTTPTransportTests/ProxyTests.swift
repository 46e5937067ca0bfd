import DataSources
import Glibc
import TestServer
import Testing

// In separate processes, because a process has one environment.
@Suite struct ProxyTests {
  @Test func aProxyInTheEnvironmentReceivesTheWholeURL() async {
    await #expect(processExitsWith: .success) {
      let proxy = try await TestServer.start()
      setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
      let response = try await Client().get("http://elsewhere.invalid/status?code=503")
      #expect(response.status == 503)
      #expect(proxy.requests.first?.header("Host") == "elsewhere.invalid")
    }
  }

  @Test func hostsInNoProxyBypassTheProxy() async {
    await #expect(processExitsWith: .success) {
      let server = try await TestServer.start()
      let port = try UnansweredPort.refusing()
      setenv("http_proxy", "http://127.0.0.1:\(port)", 1)
      setenv("no_proxy", "127.0.0.1", 1)
      #expect(try await Client().get("\(server.url)/items").status == 200)
    }
  }

  @Test func anUnreachableProxyIsNamedWithoutItsPassword() async {
    await #expect(processExitsWith: .success) {
      let port = try UnansweredPort.refusing()
      setenv("http_proxy", "http://ann:secret@127.0.0.1:\(port)", 1)
      let failure = await Client().failure("http://elsewhere.invalid/x")
      #expect(
        failure
          == .network(
            "could not connect to the proxy 127.0.0.1:\(port): Connection refused",
            isTransient: true))
    }
  }

  @Test func aProxyThatRefusesATunnelFails() async {
    await #expect(processExitsWith: .success) {
      let proxy = try await TestServer.start()
      setenv("https_proxy", "http://127.0.0.1:\(proxy.port)", 1)
      let failure = await Client().failure("https://elsewhere.invalid/x")
      #expect(
        failure
          == .network(
            "the proxy returned 404 to a connection with elsewhere.invalid:443",
            isTransient: false))
    }
  }

  @Test func aFaultOfAProxyIsAnError() async {
    await #expect(processExitsWith: .success) {
      try await FaultServer.run { proxy in
        setenv("http_proxy", proxy.url, 1)
        for fault in [
          "drop?after=10", "short", "chunk", "reset", "head", "headers", "raw?nothing",
          "raw?not-http", "raw?long-length", "raw?long-header", "raw?no-gzip",
        ] {
          let failure = await Client().failure("http://elsewhere.invalid/\(fault)")
          guard case .network(let message, _) = failure else {
            Issue.record("\(fault): \(String(describing: failure))")
            continue
          }
          #expect(message.contains("elsewhere.invalid") || message.contains("proxy"), "\(message)")
        }
      }
    }
  }

  @Test func aFaultBeforeATunnelIsAnError() async {
    await #expect(processExitsWith: .success) {
      try await FaultServer.run { proxy in
        setenv("https_proxy", proxy.url, 1)
        for fault in [
          "drop", "short", "chunk", "reset", "head", "raw.nothing", "raw.not-http", "raw.no-realm",
          "raw.no-content", "raw.long-length", "raw.long-header", "raw.bad-location", "keep",
        ] {
          let failure = await Client().failure(
            "https://\(fault).invalid/", limits: { $0.timeout = 20 })
          guard case .network = failure else {
            Issue.record("\(fault): \(String(describing: failure))")
            continue
          }
        }
        let failure = await Client().failure(
          "https://silent.invalid/", limits: { $0.connectTimeout = 0.2 })
        guard case .timeout = failure else {
          Issue.record("silent: \(String(describing: failure))")
          return
        }
      }
    }
  }
}
