import FlyingFox
import FlyingSocks
import Foundation
import Glibc
import Synchronization

/// Listens on 127.0.0.1 for the requests to a page. Listens again, on the same port, after an error
/// that ends the loop of the server, such as a lack of descriptors.
actor PageListener {
  struct Failure: Error {
    let message: String
    let isPortTaken: Bool
  }

  /// A server while it runs.
  fileprivate struct Listening {
    let server: HTTPServer
    let pool: ConnectionPool
    let loop: Task<Failure, Never>
    let port: UInt16
  }

  nonisolated let port: UInt16
  private var listening: Listening
  private var routes: PageRoutes?
  private var restarts: Task<Void, Never>?
  /// Why the page is no longer served; nil while it is, and between attempts to listen again.
  private(set) var problem: String?
  private var isStopped = false

  /// The time that a response may take to begin, in seconds: an explanation waits for the end of a
  /// command.
  private static let responseTime = 600.0
  /// Attempts to listen again, without a longer time of listening between them.
  private static let mostRestarts = 20
  private static let pause = Duration.milliseconds(50)
  private static let longTime = Duration.seconds(30)
  /// The time in seconds for browsers to receive what they were sent before the end.
  private static let endTime = 0.2

  /// - Parameter port: nil for any free port.
  init(port: UInt16?) async throws(Failure) {
    let listening = try await Self.listen(on: port)
    self.listening = listening
    self.port = listening.port
  }

  /// Begins to respond.
  func serve(_ routes: PageRoutes) async {
    self.routes = routes
    await listening.serve(routes)
    restarts = Task { await keepListening() }
  }

  /// Listens again after the last attempt has failed.
  func listenAgain() async throws(Failure) {
    guard problem != nil, !isStopped else { return }
    let new = try await Self.listen(on: port)
    problem = nil
    listening = new
    if let routes { await serve(routes) }
  }

  /// Stops listening at once; ends connections when they have received what they were sent, or after
  /// 200 ms.
  func stop() async {
    isStopped = true
    restarts?.cancel()
    await listening.stop(Self.endTime)
  }

  private func keepListening() async {
    var attempts = 0
    while true {
      let start = ContinuousClock.now
      var failure = await listening.loop.value
      if start.duration(to: .now) > Self.longTime { attempts = 0 }
      while true {
        if isStopped { return }
        guard attempts < Self.mostRestarts else {
          problem = failure.message
          return
        }
        attempts += 1
        try? await Task.sleep(for: Self.pause * attempts)
        if isStopped { return }
        do throws(Failure) {
          let new = try await Self.listen(on: port)
          listening = new
          if let routes { await new.serve(routes) }
          // `stop` may have seen only the old one.
          if isStopped { await new.stop(0) }
          break
        } catch {
          failure = error
        }
      }
    }
  }

  private static func listen(on port: UInt16?) async throws(Failure) -> Listening {
    let outcome = Outcome()
    let pool = ConnectionPool()
    let server: HTTPServer
    do {
      server = HTTPServer(
        address: try sockaddr_in.inet(ip4: "127.0.0.1", port: port ?? 0), timeout: responseTime,
        pool: pool, logger: .disabled)
    } catch {
      throw Failure(error)
    }
    // Detached, because the thread of the session waits for keys.
    let loop = Task.detached {
      do {
        try await server.run()
        return Failure(message: "the server ended", isPortTaken: false)
      } catch {
        let failure = Failure(error)
        outcome.set(failure)
        return failure
      }
    }
    while true {
      if case .ip4(_, let port) = await server.listeningAddress {
        return Listening(server: server, pool: pool, loop: loop, port: port)
      }
      if let failure = outcome.failure { throw failure }
      try? await Task.sleep(for: .milliseconds(1))
    }
  }

  /// The error that ended the loop.
  private final class Outcome: Sendable {
    private let state = Mutex<Failure?>(nil)
    var failure: Failure? { state.withLock { $0 } }
    func set(_ failure: Failure) { state.withLock { $0 = failure } }
  }
}

extension PageListener.Listening {
  fileprivate func serve(_ routes: PageRoutes) async {
    await server.appendRoute(
      "*",
      to: ClosureHTTPHandler { [pool] request in
        pool.received(request)
        return await routes.response(to: request)
      })
  }

  fileprivate func stop(_ seconds: Double) async {
    pool.close()
    await server.stop(timeout: seconds)
  }
}

extension PageListener.Failure {
  fileprivate init(_ error: any Error) {
    if let error = error as? SocketError, case .failed(_, let number, let message) = error {
      self.init(message: message, isPortTaken: number == EADDRINUSE)
    } else {
      self.init(message: error.localizedDescription, isPortTaken: false)
    }
  }
}
