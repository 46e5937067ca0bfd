import DataSources
import Synchronization

/// The decompressed body of a response.
final class BodyReader: Sendable {
  private let transfer: Transfer
  private let coding: ContentCoding
  private let state: Mutex<State>

  private struct State {
    var inflater: Inflater?
    /// The bytes returned so far.
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

  // The body has no reader any longer.
  deinit { transfer.stop() }

  /// The next bytes; nil at the end.
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
      // The server keeps sending a body that cannot be decoded.
      transfer.stop()
      throw error
    }
  }

  /// - Returns: the bytes if they need no decoding.
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
        "\(place) sent a body in the encoding `\(name)`, which was not requested and cannot be "
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
      throw .limit("the response of \(place) is larger than \(largest) bytes", setting: "bodySize")
    }
  }

  // A correct length does not mean that the compressed content is complete: a server that failed
  // while compressing may send the part it had.
  private func checkEnd() throws(TransportError) {
    let isWhole = state.withLock { $0.inflater?.isWhole ?? true }
    if !isWhole {
      throw .network("\(place) ended what it compressed in mid body", isTransient: true)
    }
  }

  private var place: String { transfer.hop.address.place }
}

/// The content coding of a body (RFC 9110, 8.4).
enum ContentCoding: Equatable {
  case identity
  case compressed(Inflater.Format)
  /// A coding that was not requested, by the server's name for it.
  case other(String)

  /// The accepted codings: both are cheap to decode piece by piece.
  static let accepted = "gzip, deflate"

  init(of headers: [HeaderField]) {
    let values = headers.filter { $0.name.lowercased() == "content-encoding" }.map(\.value)
    let names = values.flatMap { $0.split(separator: ",") }
      .map { $0.filter { !$0.isWhitespace }.lowercased() }
      .filter { !$0.isEmpty && $0 != "identity" }
    switch names {
    case []: self = .identity
    case ["gzip"], ["x-gzip"]: self = .compressed(.gzip)
    case ["deflate"]: self = .compressed(.deflate)
    default: self = .other(names.joined(separator: ", "))
    }
  }
}
