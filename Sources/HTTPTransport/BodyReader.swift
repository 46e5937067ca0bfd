import DataCompression
import DataSources
import Synchronization

/// The decompressed body of a response.
final class BodyReader: Sendable {
  private let transfer: Transfer
  private let coding: ContentCoding
  private let state: Mutex<State>

  private struct State {
    var decompressor: (any Decompressor)?
    /// The bytes returned so far.
    var count = 0
  }

  init(_ transfer: Transfer, head: ResponseHead) {
    self.transfer = transfer
    coding = ContentCoding(of: head.headers)
    if case .compressed(let format) = coding {
      state = Mutex(State(decompressor: format.makeDecompressor()))
    } else {
      state = Mutex(State())
    }
  }

  // The reader of the body is gone.
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
        if let piece = try receive(bytes) { return piece }
      }
    } catch {
      // Otherwise the server would keep sending a body that cannot be decoded.
      transfer.stop()
      throw error
    }
  }

  /// - Returns: the bytes if they are not compressed; otherwise nil, and ``decoded()`` returns them
  ///   decompressed.
  private func receive(_ bytes: [UInt8]) throws(TransportError) -> [UInt8]? {
    switch coding {
    case .identity:
      try count(bytes)
      return bytes
    case .compressed:
      state.withLock { $0.decompressor?.append(bytes) }
      return nil
    case .other(let name):
      throw .network(
        "\(server) sent a body in the encoding `\(name)`, which was not requested and cannot be "
          + "read; the header `Accept-Encoding: identity` requests a body without encoding",
        isTransient: false)
    }
  }

  private func decoded() throws(TransportError) -> [UInt8]? {
    let piece: [UInt8]?
    do throws(CorruptData) {
      piece = try state.withLock { state throws(CorruptData) in try state.decompressor?.next() }
    } catch {
      throw .network("\(server) sent a body that cannot be decompressed", isTransient: false)
    }
    if let piece { try count(piece) }
    return piece
  }

  private func count(_ bytes: [UInt8]) throws(TransportError) {
    let limit = transfer.limits.bodySize
    let isWithin = state.withLock { state in
      guard bytes.count <= limit - state.count else { return false }
      state.count += bytes.count
      return true
    }
    if !isWithin {
      throw .limit("the response of \(server) is larger than \(limit) bytes", setting: "bodySize")
    }
  }

  // A correct length does not mean that the compressed content is complete: a server that failed
  // while compressing may send the part it had.
  private func checkEnd() throws(TransportError) {
    let isComplete = state.withLock { $0.decompressor?.isComplete ?? true }
    if !isComplete {
      throw .network("\(server) sent an incomplete compressed body", isTransient: true)
    }
  }

  private var server: String { transfer.hop.address.hostAndPort }
}

/// The content coding of a body (RFC 9110, 8.4).
enum ContentCoding: Equatable {
  case identity
  case compressed(Format)
  /// A coding that was not requested, with the name in the response.
  case other(String)

  enum Format {
    case gzip, deflate

    func makeDecompressor() -> any Decompressor {
      switch self {
      case .gzip: GzipDecompressor(allowsTrailingBytes: false)
      case .deflate: ZlibDecompressor()
      }
    }
  }

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
