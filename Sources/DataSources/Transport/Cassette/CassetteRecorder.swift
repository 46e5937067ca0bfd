import DataTables
import Synchronization

/// Sends requests through another transport and records the responses.
///
/// An exchange is in the file as soon as it ends, in the order of the requests; until the first one
/// an older file stays. Conditional headers are removed: a 304 would be useless to a client without
/// the content. A response is returned when all of it is received, so that it is recorded
/// completely even if its reader stops early. Canceled requests are not recorded.
public final class CassetteRecorder: Transport {
  public let path: String
  private let network: any Transport
  private let state: Mutex<State>

  private struct State {
    var file: CassetteFile
    var redactor = Redactor()
    /// How many requests there were.
    var requests = 0
    /// In the order of the requests.
    var kept: [Kept] = []
    var size = 0

    /// Inserts an exchange at its place, and writes it to the file.
    mutating func keep(_ exchange: Kept) throws(TransportError) {
      let place = kept.lastIndex { $0.number < exchange.number }.map { $0 + 1 } ?? 0
      let isLast = place == kept.count
      size += exchange.text.utf8.count
      kept.insert(exchange, at: place)
      if isLast, file.append(exchange.text) { return }
      try write()
    }

    mutating func write() throws(TransportError) {
      do {
        try file.write(kept.map(\.text))
      } catch {
        throw .cassette(error.message)
      }
    }

    /// Learns the secrets of a request, and redacts them in the recorded exchanges too.
    /// - Returns: Whether an exchange changed.
    mutating func learn(from request: TransportRequest) -> Bool {
      guard redactor.learn(from: request) else { return false }
      var isChanged = false
      for index in kept.indices {
        var exchange = kept[index].exchange
        exchange.redact(by: redactor)
        guard exchange != kept[index].exchange else { continue }
        isChanged = true
        size -= kept[index].text.utf8.count
        kept[index] = Kept(number: kept[index].number, exchange: exchange)
        size += kept[index].text.utf8.count
      }
      return isChanged
    }
  }

  private struct Kept {
    let number: Int
    let exchange: Exchange
    let text: String

    init(number: Int, exchange: Exchange) {
      self.number = number
      self.exchange = exchange
      text = CassetteText.text(of: exchange)
    }
  }

  /// In bytes: a cassette is made to be read by people.
  private static let largest = 48 << 20

  public init(path: String, through network: any Transport) {
    self.path = path
    self.network = network
    state = Mutex(State(file: CassetteFile(path: path)))
  }

  /// The number of sent requests.
  var requests: Int { state.withLock { $0.requests } }

  /// The number of recorded exchanges.
  public var count: Int { state.withLock { $0.kept.count } }

  /// - Throws: ``TransportError``: the error of the network, and `cassette` if the file cannot be
  /// written.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    var request = request
    request.headers.removeAll { RecordedHeaders.conditions.contains($0.name.lowercased()) }
    let number = try state.withLock { state in
      if state.learn(from: request) { try state.write() }
      state.requests += 1
      return state.requests
    }
    do {
      let response = try await network.send(request)
      let (pieces, fault) = try await drain(response.body)
      try keep(request, as: number, response: response, pieces: pieces, fault: fault)
      return TransportResponse(
        status: response.status, headers: response.headers, url: response.url,
        body: .of(pieces, fault: fault))
    } catch let error as TransportError where error.isFault {
      try keep(request, as: number, response: nil, pieces: [], fault: error)
      throw error
    }
  }

  /// The pieces of a body, and the fault that ended it early.
  private func drain(
    _ body: TransportBody
  ) async throws -> (pieces: [[UInt8]], fault: TransportError?) {
    var pieces: [[UInt8]] = []
    var size = 0
    do {
      for try await piece in body {
        size += piece.count
        guard size <= Self.largest else { throw tooLarge }
        if !piece.isEmpty { pieces.append(piece) }
      }
    } catch let error as TransportError where error.isFault {
      return (pieces, error)
    }
    return (pieces, nil)
  }

  private func keep(
    _ request: TransportRequest, as number: Int, response: TransportResponse?,
    pieces: [[UInt8]], fault: TransportError?
  ) throws {
    var recorded: RecordedResponse?
    if let response {
      var cuts: [Int] = []
      for piece in pieces { cuts.append((cuts.last ?? 0) + piece.count) }
      let url = PercentEncoding.completed(response.url[...])
      recorded = RecordedResponse(
        status: response.status, url: url == request.sentURL ? nil : url,
        headers: response.headers.filter {
          RecordedHeaders.ofResponses.contains($0.name.lowercased())
        },
        body: Array(pieces.joined()), cuts: cuts)
    }
    try state.withLock { state in
      var exchange = Exchange(
        request: RecordedRequest(request, by: state.redactor), response: recorded, fault: fault)
      exchange.redact(by: state.redactor)
      let kept = Kept(number: number, exchange: exchange)
      guard state.size + kept.text.utf8.count <= Self.largest else { throw tooLarge }
      try state.keep(kept)
    }
  }

  private var tooLarge: TransportError {
    .cassette(
      "\(path) would be larger than \(Self.largest >> 20) MiB, more than a cassette takes;"
        + " `cassette off` goes on without it")
  }
}
