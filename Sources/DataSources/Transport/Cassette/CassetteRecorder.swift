import DataTables
import Synchronization

/// Sends requests through another transport and writes down what is answered.
///
/// The file has every exchange once it is over, in the order of the requests; until the first one
/// an older file stays. Whether there is something newer is never asked: that there is not would be
/// no answer to whoever has nothing. An answer is given when all of it has come, so that it is recorded to its
/// end even if nobody reads it to there. What is cancelled is not recorded.
public final class CassetteRecorder: Transport {
  public let path: String
  private let network: any Transport
  private let state: Mutex<State>

  private struct State {
    var file: CassetteFile
    var redactor = Redactor()
    /// How many requests there were.
    var requests = 0
    /// In the order of their requests.
    var kept: [Kept] = []
    var size = 0

    /// Puts an exchange at its place, and in the file.
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

    /// Takes what turns out to be secret out of what is kept already, too.
    /// - Returns: Whether there was any of it.
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

  /// A cassette is a file to be read.
  private static let largest = 48 << 20

  public init(path: String, through network: any Transport) {
    self.path = path
    self.network = network
    state = Mutex(State(file: CassetteFile(path: path)))
  }

  /// How many requests were sent.
  var requests: Int { state.withLock { $0.requests } }

  /// How many exchanges were recorded.
  public var count: Int { state.withLock { $0.kept.count } }

  /// - Throws: ``TransportError``: what the network said, and `cassette` when the file cannot be
  ///   written.
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

  /// The pieces of a body, and the fault that ended it before its time.
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
    var answer: RecordedAnswer?
    if let response {
      var cuts: [Int] = []
      for piece in pieces { cuts.append((cuts.last ?? 0) + piece.count) }
      let url = PercentEncoding.mended(response.url[...])
      answer = RecordedAnswer(
        status: response.status, url: url == request.sentURL ? nil : url,
        headers: response.headers.filter {
          RecordedHeaders.ofAnswers.contains($0.name.lowercased())
        },
        body: Array(pieces.joined()), cuts: cuts)
    }
    try state.withLock { state in
      var exchange = Exchange(
        request: RecordedRequest(request, by: state.redactor), answer: answer, fault: fault)
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
