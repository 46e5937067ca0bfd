import DataTables
import Synchronization

/// Sends requests through another transport and records the responses.
///
/// An exchange is written to the file as soon as it ends; the file keeps the order of the requests.
/// An existing file is kept until the first exchange is written. Conditional headers are sent if the
/// content to which they refer is on the cassette, and removed otherwise: a recorded 304 would be
/// useless to a client without the content. A response is returned when all of it is received, so
/// that it is recorded completely even if its reader stops early. Canceled requests are not
/// recorded.
public final class CassetteRecorder: Transport {
  public let path: String
  private let network: any Transport
  private let state: Mutex<State>

  private struct State {
    var file: CassetteFile
    var redactor = Redactor()
    /// The number of requests so far.
    var requests = 0
    /// In the order of the requests.
    var recorded: [Recorded] = []
    /// The validators of the recorded contents.
    var validators: [RequestKey: [ContentValidators]] = [:]
    /// The size of the recorded exchanges in bytes.
    var size = 0

    /// Inserts an exchange by its number, and writes it to the file.
    mutating func record(_ exchange: Recorded) throws(TransportError) {
      let index = recorded.lastIndex { $0.number < exchange.number }.map { $0 + 1 } ?? 0
      let isLast = index == recorded.count
      size += exchange.text.utf8.count
      recorded.insert(exchange, at: index)
      if isLast, file.append(exchange.text) { return }
      try write()
    }

    mutating func write() throws(TransportError) {
      do {
        try file.write(recorded.map(\.text))
      } catch {
        throw .cassette(error.message)
      }
    }

    /// Whether the cassette has the content to which the conditions of a request refer.
    func hasContent(namedBy request: TransportRequest) -> Bool {
      let conditions = request.headers.filter(\.isCondition)
      guard !conditions.isEmpty else { return false }
      let key = RequestKey(RecordedRequest(request, by: redactor))
      return validators[key, default: []].contains { $0.satisfy(conditions) }
    }

    /// Learns the secrets of a request, and redacts them in the recorded exchanges too.
    /// - Returns: Whether an exchange changed.
    mutating func learn(from request: TransportRequest) -> Bool {
      guard redactor.learn(from: request) else { return false }
      var isChanged = false
      for index in recorded.indices {
        var exchange = recorded[index].exchange
        exchange.redact(by: redactor)
        guard exchange != recorded[index].exchange else { continue }
        isChanged = true
        size -= recorded[index].text.utf8.count
        recorded[index] = Recorded(number: recorded[index].number, exchange: exchange)
        size += recorded[index].text.utf8.count
      }
      return isChanged
    }
  }

  private struct Recorded {
    let number: Int
    let exchange: Exchange
    let text: String

    init(number: Int, exchange: Exchange) {
      self.number = number
      self.exchange = exchange
      text = CassetteText.text(of: exchange)
    }
  }

  /// The maximum size in bytes: a cassette is meant to be read by people.
  private static let maximumSize = 48 << 20

  public init(path: String, through network: any Transport) {
    self.path = path
    self.network = network
    state = Mutex(State(file: CassetteFile(path: path)))
  }

  /// The number of sent requests.
  var requests: Int { state.withLock { $0.requests } }

  /// The number of recorded exchanges.
  public var count: Int { state.withLock { $0.recorded.count } }

  /// - Throws: ``TransportError``: the error of the network, and `cassette` if the file cannot be
  /// written.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try request.checkAsRecorded()
    var request = request
    let number = try state.withLock { state in
      if state.learn(from: request) { try state.write() }
      if !state.hasContent(namedBy: request) { request.headers.removeAll(where: \.isCondition) }
      state.requests += 1
      return state.requests
    }
    do {
      let response = try await network.send(request)
      let (pieces, fault) = try await drain(response.body)
      try record(request, as: number, response: response, pieces: pieces, fault: fault)
      return TransportResponse(
        status: response.status, headers: response.headers, url: response.url,
        redirections: response.redirections, body: .of(pieces, fault: fault))
    } catch let error as TransportError where error.isFault {
      try record(request, as: number, response: nil, pieces: [], fault: error)
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
        guard size <= Self.maximumSize else { throw tooLarge }
        if !piece.isEmpty { pieces.append(piece) }
      }
    } catch let error as TransportError where error.isFault {
      return (pieces, error)
    }
    return (pieces, nil)
  }

  private func record(
    _ request: TransportRequest, as number: Int, response: TransportResponse?,
    pieces: [[UInt8]], fault: TransportError?
  ) throws {
    var recordedResponse: RecordedResponse?
    if let response {
      var cuts: [Int] = []
      for piece in pieces { cuts.append((cuts.last ?? 0) + piece.count) }
      let url = PercentEncoding.completed(response.url[...])
      recordedResponse = RecordedResponse(
        status: response.status, url: url == request.sentURL ? nil : url,
        redirections: response.redirections, headers: RecordedHeaders.recorded(response),
        body: Array(pieces.joined()), cuts: cuts)
    }
    try state.withLock { state in
      var exchange = Exchange(
        request: RecordedRequest(request, by: state.redactor), response: recordedResponse,
        fault: fault)
      exchange.redact(by: state.redactor)
      let recorded = Recorded(number: number, exchange: exchange)
      guard state.size + recorded.text.utf8.count <= Self.maximumSize else { throw tooLarge }
      try state.record(recorded)
      if let response, fault == nil, let validators = ContentValidators(response) {
        state.validators[RequestKey(exchange.request), default: []].append(validators)
      }
    }
  }

  private var tooLarge: TransportError {
    .cassette(
      "\(path) would be larger than \(Self.maximumSize >> 20) MiB, the limit of a cassette;"
        + " `cassette off` ends the recording")
  }
}

/// The headers of a complete response that identify its content.
private struct ContentValidators {
  let tag: String?
  let time: String?

  /// nil for a response without content or without such headers.
  init?(_ response: TransportResponse) {
    tag = response[header: "ETag"]
    time = response[header: "Last-Modified"]
    guard HTTPStatus.isSuccess(response.status), tag != nil || time != nil else { return nil }
  }

  func satisfy(_ conditions: [RequestParameter]) -> Bool {
    conditions.allSatisfy {
      $0.value.sent == ($0.name.lowercased() == "if-none-match" ? tag : time)
    }
  }
}
