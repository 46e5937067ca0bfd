import DataSources
import Synchronization

/// The body of an answer as it was before it was compressed for the way.
final class BodyReader: Sendable {
  private let transfer: Transfer
  private let coding: ContentCoding
  private let state: Mutex<State>

  private struct State {
    var inflater: Inflater?
    /// Bytes given so far.
    var count = 0
  }

  init(_ transfer: Transfer, head: ResponseHead) {
    self.transfer = transfer
    coding = ContentCoding(of: head.headers)
    if case .compressed(let format) = coding {
      state = Mutex(State(inflater: Inflater(format)))
    } else {
      state = Mutex(State())
    }
  }

  // Nobody can read the body any more.
  deinit { transfer.stop() }

  /// The bytes that come next; nil at the end.
  func next() async throws -> [UInt8]? {
    do {
      while true {
        if let piece = try decoded() { return piece }
        guard let bytes = try await transfer.next() else {
          try checkEnd()
          return nil
        }
        if let piece = try take(bytes) { return piece }
      }
    } catch {
      // What is wrong with the body is no reason for the server to stop sending it.
      transfer.stop()
      throw error
    }
  }

  /// - Returns: what needs no decoding.
  private func take(_ bytes: [UInt8]) throws(TransportError) -> [UInt8]? {
    switch coding {
    case .identity:
      try count(bytes)
      return bytes
    case .compressed:
      state.withLock { $0.inflater?.append(bytes) }
      return nil
    case .other(let name):
      throw .network(
        "\(place) sent a body in the encoding `\(name)`, which was not asked for and cannot be "
          + "read; `Accept-Encoding: identity` among the headers asks for none",
        isTransient: false)
    }
  }

  private func decoded() throws(TransportError) -> [UInt8]? {
    let piece: [UInt8]?
    do throws(Inflater.Damage) {
      piece = try state.withLock { state throws(Inflater.Damage) in try state.inflater?.next() }
    } catch {
      throw .network("\(place) sent a body that cannot be decompressed", isTransient: false)
    }
    if let piece { try count(piece) }
    return piece
  }

  private func count(_ bytes: [UInt8]) throws(TransportError) {
    let largest = transfer.limits.bodySize
    let isWithin = state.withLock { state in
      guard bytes.count <= largest - state.count else { return false }
      state.count += bytes.count
      return true
    }
    if !isWithin {
      throw .limit("the answer of \(place) is larger than \(largest) bytes", setting: "bodySize")
    }
  }

  // A length that is right says nothing of what was compressed: a server that broke off while it
  // compressed may send what it had so far.
  private func checkEnd() throws(TransportError) {
    let isWhole = state.withLock { $0.inflater?.isWhole ?? true }
    if !isWhole {
      throw .network("\(place) ended what it compressed in mid body", isTransient: true)
    }
  }

  private var place: String { transfer.hop.address.place }
}
