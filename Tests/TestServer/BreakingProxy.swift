import Foundation
import Glibc
import Synchronization

/// Passes the connections of clients on to a server on 127.0.0.1, up to one moment.
package final class BreakingProxy: Sendable {
  /// The effect of that moment on all connections.
  package enum Fault: Sendable {
    /// They break, and the server is there again.
    case restart
    /// They break, and later ones are refused.
    case end
    /// They and later ones stay open, and nothing arrives any more.
    case silence
  }

  package let port: UInt16
  private let server: UInt16
  private let last: Int
  private let fault: Fault
  private let listener: LoopbackSocket
  private let state = Mutex(State())

  private struct State {
    var pieces = 0
    var open: [Int: LoopbackSocket] = [:]
    var count = 0
    var isStopped = false
  }

  /// The number of pieces that clients and the server have sent.
  package var pieces: Int { state.withLock { $0.pieces } }

  /// - Parameters:
  ///   - server: the port of the server.
  ///   - last: the piece, counted in both directions, that does not arrive any more.
  package init(to server: UInt16, before last: Int = .max, _ fault: Fault = .restart) throws {
    (self.server, self.last, self.fault) = (server, last, fault)
    (listener, port) = try LoopbackSocket.listening()
    Thread.detachNewThread { [self] in
      while let client = listener.accepted() {
        connect(client)
      }
      listener.end()
    }
  }

  package func stop() {
    state.withLock { $0.isStopped = true }
    shutDownAll()
    listener.shutDown()
  }

  private func shutDownAll() {
    state.withLock { state in
      // A listed socket is still open: the descriptor of a closed one may be in use again.
      for socket in state.open.values { socket.shutDown() }
    }
  }

  private func connect(_ client: LoopbackSocket) {
    guard let server = try? LoopbackSocket.connected(to: server) else { return client.abort() }
    let number = state.withLock { state -> Int? in
      guard !state.isStopped, fault != .end || state.pieces < last else { return nil }
      state.count += 2
      state.open[state.count] = client
      state.open[state.count + 1] = server
      return state.count
    }
    guard let number else {
      client.abort()
      return server.end()
    }
    Thread.detachNewThread { [self] in
      let answers = Thread { [self] in pass(from: server, to: client) }
      answers.start()
      pass(from: client, to: server)
      // The other direction ends with this one.
      while !answers.isFinished { usleep(500) }
      state.withLock { state in
        state.open[number] = nil
        state.open[number + 1] = nil
      }
      client.abort()
      server.end()
    }
  }

  /// Passes pieces on until an end or the break.
  private func pass(from source: LoopbackSocket, to target: LoopbackSocket) {
    while let piece = source.receive() {
      let count = state.withLock { state in
        state.pieces += 1
        return state.pieces
      }
      if count >= last, fault == .silence {
        while !state.withLock({ $0.isStopped }) { usleep(500) }
        break
      }
      if count == last { shutDownAll() }
      guard count != last, target.send(piece) else { break }
    }
    source.shutDown()
    target.shutDown()
  }
}
