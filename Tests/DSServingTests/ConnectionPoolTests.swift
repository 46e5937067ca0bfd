import FlyingFox
import FlyingSocks
import Glibc
import Testing

import struct Foundation.Data

@testable import DSServing

/// The limits of connections, with a real server.
@Suite struct ConnectionPoolTests {
  private func serve(
    _ pool: ConnectionPool, _ body: (UInt16) async throws -> Void
  ) async throws {
    let handler = ClosureHTTPHandler { request in
      pool.received(request)
      return HTTPResponse(statusCode: .ok, body: Data("served".utf8))
    }
    let server = HTTPServer(
      address: try sockaddr_in.inet(ip4: "127.0.0.1", port: 0), timeout: 60, pool: pool,
      logger: .disabled, handler: handler)
    let loop = Task.detached { try await server.run() }
    defer { loop.cancel() }
    var port: UInt16?
    while port == nil {
      if case .ip4(_, let found)? = await server.listeningAddress { port = found }
      try await Task.sleep(for: .milliseconds(1))
    }
    if let port { try await body(port) }
  }

  @Test func aHeadThatNeverEndsIsNotKept() async throws {
    try await serve(ConnectionPool(headTime: .milliseconds(100))) { port in
      let connection = RawConnection(port: port)
      connection.send("GET / HT")
      // Closed without a response; a connection that is kept fails after 90 seconds.
      for _ in 0..<200 {
        connection.send("x")
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(await connection.read(until: "served") == "")
    }
  }

  @Test func theOldestOfTooManyConnectionsIsClosed() async throws {
    // No time limit may close one of them first.
    try await serve(ConnectionPool(headTime: .seconds(300))) { port in
      let connections = (0..<ConnectionPool.mostConnections * 3).map { _ in
        let connection = RawConnection(port: port)
        connection.send("GET / HT")
        return connection
      }
      #expect(await connections[0].read() == "")
      let last = connections[connections.count - 1]
      last.send("TP/1.1\r\nConnection: close\r\n\r\n")
      #expect(await last.read().hasSuffix("served"))
    }
  }
}
