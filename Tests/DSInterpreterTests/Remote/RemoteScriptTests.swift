import DataSources
import Glibc
import HTTPTransport
import TestServer
import Testing

/// Scripts that ask real servers on 127.0.0.1.
///
/// Those in `remote` have cassettes, from which `dsshell test` runs them; those in `servers` are about
/// what no cassette can tell: servers that are silent or have nothing newer, and what was secret.
@Suite(.serialized) struct RemoteScriptTests {
  static let scripts =
    ScriptFile.scripts(in: "Scripts/remote") + ScriptFile.scripts(in: "Scripts/servers")

  @Test(arguments: scripts)
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

  @Test(arguments: ScriptFile.scripts(in: "Scripts/remote"))
  func theScriptDoesTheSameFromItsCassette(script: ScriptFile) async throws {
    let failures = try await script.failures()
    #expect(failures == [])
  }

  @Test func thereAreScripts() {
    #expect(Self.scripts.count > 10)
  }
}
