import DataSources
import Glibc
import HTTPTransport
import TestServer
import Testing

/// Scripts that ask real servers on 127.0.0.1.
@Suite struct RemoteScriptTests {
  @Test(arguments: ScriptFile.scripts(in: "Scripts/remote"))
  @MainActor func theScriptDoesWhatItSays(script: ScriptFile) async throws {
    setenv("DSSHELL_TEST_TOKEN", "Bearer letmein", 1)
    let failures = try await TestServer.run { server in
      try await FaultServer.run { faults in
        let hosts = [
          "http://example.test": server.url, "http://faults.test": faults.url,
          "http://refused.test": "http://127.0.0.1:\(try UnansweredPort.refusing())",
        ]
        let network = RehostedTransport(base: HTTPTransport(), hosts: hosts)
        return try await script.failures(network: network)
      }
    }
    #expect(failures == [])
  }

  @Test func thereAreScripts() {
    #expect(ScriptFile.scripts(in: "Scripts/remote").count > 8)
  }
}
