import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// A real HTTP server in this process, on 127.0.0.1 and a free port, with the responses of
/// ``Routes``.
package final class TestServer: Sendable {
  package let port: UInt16
  private let loop: Task<Void, Never>
  private let log: RequestLog

  /// `http://127.0.0.1:PORT`
  package var url: String { "http://127.0.0.1:\(port)" }

  /// The requests so far, in order of arrival.
  package var requests: [ReceivedRequest] { log.requests }

  private init(loop: Task<Void, Never>, port: UInt16, log: RequestLog) {
    self.loop = loop
    self.port = port
    self.log = log
  }

  /// Runs a server until `body` ends.
  package static func run<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (TestServer) async throws -> Result
  ) async throws -> Result {
    let server = try await start()
    do {
      let result = try await body(server)
      await server.stop()
      return result
    } catch {
      await server.stop()
      throw error
    }
  }

  /// Starts a server; the caller stops it.
  package static func start() async throws -> TestServer {
    let log = RequestLog()
    let routes = Routes()
    let address = try sockaddr_in.inet(ip4: "127.0.0.1", port: 0)
    let handler = ClosureHTTPHandler { request in
      let received = try await ReceivedRequest(request)
      log.append(received)
      return try await routes.response(to: received)
    }
    let server = HTTPServer(address: address, timeout: 60, logger: .disabled, handler: handler)
    // The priority is that of tasks that the server creates without the executor.
    let loop = Task(executorPreference: ServerExecutor.shared, priority: .high) {
      _ = try? await server.run()
    }
    // Other tests may keep all processors busy.
    try await server.waitUntilListening(timeout: 120)
    guard case .ip4(_, let port) = await server.listeningAddress else {
      throw TestServerError.noPort
    }
    return TestServer(loop: loop, port: port, log: log)
  }

  package func stop() async {
    // Not with `HTTPServer.stop`, which closes the listening socket while the loop still waits on
    // it: another server may then have the same descriptor and lose its connections to this loop.
    loop.cancel()
    await loop.value
  }
}

package enum TestServerError: Error {
  case noPort
  case system(String, errno: Int32)
}
