import DataSources
import HTTPTransport
import TestServer
import Testing

/// Scripts that use real servers on 127.0.0.1.
///
/// Those in `remote` have cassettes, with which `dsshell test` runs them; those in `servers` test what
/// a cassette cannot record: servers that are silent or have no newer version, and secrets.
@Suite(.serialized) struct RemoteScriptTests {
  static let scripts =
    ScriptFile.scripts(in: "Scripts/remote") + ScriptFile.scripts(in: "Scripts/servers")

  @Test(arguments: scripts)
  @MainActor func theScriptPasses(script: ScriptFile) async throws {
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
  func theScriptPassesWithItsCassette(script: ScriptFile) async throws {
    let failures = try await script.failures()
    #expect(failures == [])
  }

  @Test func scriptsAreFound() {
    #expect(Self.scripts.count > 10)
  }
}

/// Sends requests for the host names of scripts to servers on ports of this machine.
struct RehostedTransport: Transport {
  let base: any Transport
  /// `http://example.test` and the URL of the server that responds for it.
  let hosts: [String: String]

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    var request = request
    for (name, server) in hosts where request.url.hasPrefix(name) {
      request.url = server + request.url.dropFirst(name.count)
    }
    let response = try await base.send(request)
    var url = response.url
    for (name, server) in hosts where url.hasPrefix(server) {
      url = name + url.dropFirst(server.count)
    }
    return TransportResponse(
      status: response.status, headers: response.headers, url: url, body: response.body)
  }
}
