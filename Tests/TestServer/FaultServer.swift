import Foundation
import Synchronization

/// A server on 127.0.0.1 that breaks the rules of HTTP in the ways of ``Fault``: the fault is the
/// first word of the path.
package final class FaultServer: Sendable {
  package let port: UInt16
  private let listener: LoopbackSocket
  private let state = Mutex(State())

  private struct State {
    var targets: [String] = []
    var heads: [String] = []
    var abandoned: [String] = []
    var open: [Int: LoopbackSocket] = [:]
    var count = 0
    var isStopped = false
    var fault: String?
  }

  /// `http://127.0.0.1:PORT`
  package var url: String { "http://127.0.0.1:\(port)" }

  /// The fault for any bytes, which need not be a request; nil for those that requests name.
  package var faultForAll: String? {
    get { state.withLock { $0.fault } }
    set { state.withLock { $0.fault = newValue } }
  }

  /// The paths and queries of the requests so far.
  package var targets: [String] { state.withLock { $0.targets } }

  /// The request lines and headers of the requests so far.
  package var heads: [String] { state.withLock { $0.heads } }

  /// The targets whose clients left before the end of the response.
  package var abandoned: [String] { state.withLock { $0.abandoned } }

  /// Starts a server; the caller stops it.
  package init() throws {
    (listener, port) = try LoopbackSocket.listening()
    Thread.detachNewThread { [self] in
      while let client = listener.accepted() { serve(client) }
      listener.end()
    }
  }

  /// Runs a server until `body` ends.
  package static func run<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (FaultServer) async throws -> Result
  ) async throws -> Result {
    let server = try FaultServer()
    defer { server.stop() }
    return try await body(server)
  }

  package func stop() {
    state.withLock { state in
      state.isStopped = true
      // A listed socket is still open: the descriptor of a closed one may be in use again.
      for client in state.open.values { client.shutDown() }
    }
    listener.shutDown()
  }

  private func serve(_ client: LoopbackSocket) {
    let number = state.withLock { state -> Int? in
      guard !state.isStopped else { return nil }
      state.count += 1
      state.open[state.count] = client
      return state.count
    }
    guard let number else { return client.end() }
    Thread.detachNewThread { [self] in
      let ending = respond(to: client)
      state.withLock { _ = $0.open.removeValue(forKey: number) }
      if ending == .abort { client.abort() } else { client.end() }
    }
  }

  /// - Returns: the target, and the number of earlier requests for it.
  private func record(_ head: String) -> (target: String, earlier: Int) {
    let target = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    return state.withLock { state in
      defer {
        state.targets.append(target)
        state.heads.append(head)
      }
      return (target, state.targets.count { $0 == target })
    }
  }

  private func respond(to client: LoopbackSocket) -> Fault.Ending {
    if let fault = faultForAll {
      _ = client.receive()
      return Fault(target: "/" + fault, earlier: 0).play(to: client)
    }
    guard let head = client.receiveHead() else { return .close }
    let (target, earlier) = record(head)
    let ending = Fault(target: target, earlier: earlier).play(to: client)
    if ending == .next, let next = client.receiveHead() { _ = record(next) }
    if ending == .abandoned { state.withLock { $0.abandoned.append(target) } }
    return ending
  }
}
