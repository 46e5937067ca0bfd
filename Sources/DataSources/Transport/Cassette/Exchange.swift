/// A request and its response, as a cassette stores them: without secrets.
struct Exchange: Equatable, Sendable {
  var request: RecordedRequest
  /// Nil if the ``fault`` preceded any response.
  var response: RecordedResponse?
  /// The error that ended the exchange early.
  var fault: TransportError?
}

/// The parts of a request that distinguish it from others.
struct RecordedRequest: Equatable, Sendable {
  var method = "GET"
  /// With its query.
  var url: String
  /// The headers named in ``RecordedHeaders/ofRequests``, and the conditional ones.
  var headers: [HeaderField]
  /// The body, with replacements for bytes that are not UTF-8; empty without one.
  var body = ""

  init(method: String = "GET", url: String, headers: [HeaderField] = [], body: String = "") {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  init(_ request: TransportRequest, by redactor: Redactor) {
    method = request.method
    body = redactor.redacted(String(decoding: request.body?.bytes ?? [], as: UTF8.self))
    url = redactor.redacted(url: request.sentURL)
    headers =
      request.headers
      .filter { RecordedHeaders.ofRequests.contains($0.name.lowercased()) || $0.isCondition }
      .map { HeaderField($0.name, redactor.redacted($0.value.sent)) }
  }
}

extension RecordedRequest {
  /// `GET http://example.test/posts`
  var shown: String { "\(method) \(url)" }
}

extension TransportRequest {
  /// - Throws: ``TransportError/denied(_:)`` for a POST that is not a query: a recorded response would
  ///   hide what the server does now.
  func checkAsRecorded() throws(TransportError) {
    guard body?.isQuery ?? true else {
      throw .denied(
        "a cassette has no POST requests other than searches: \(shown) needs the server; "
          + "`cassette off` lets it through")
    }
  }
}

/// The response of a server.
struct RecordedResponse: Equatable, Sendable {
  var status: Int
  /// Its URL after redirections; nil if that is the URL of the request.
  var url: String?
  var redirections: [Redirection]
  var headers: [HeaderField]
  var body: [UInt8]
  /// The ends of the received pieces of the body except the last one, as offsets: ascending, at
  /// least 1.
  var cuts: [Int] {
    didSet { cuts = Self.normalized(cuts, of: body.count) }
  }

  init(
    status: Int, url: String? = nil, redirections: [Redirection] = [],
    headers: [HeaderField] = [], body: [UInt8] = [], cuts: [Int] = []
  ) {
    self.status = status
    self.url = url
    self.redirections = redirections
    self.headers = headers
    self.body = body
    self.cuts = Self.normalized(cuts, of: body.count)
  }

  /// The body in the pieces in which it was received.
  var pieces: [[UInt8]] {
    guard !body.isEmpty else { return [] }
    return zip([0] + cuts, cuts + [body.count]).map { Array(body[$0..<$1]) }
  }

  /// The cuts without those that would create an empty piece.
  private static func normalized(_ cuts: [Int], of count: Int) -> [Int] {
    var normalized: [Int] = []
    for cut in cuts where cut > (normalized.last ?? 0) && cut < count { normalized.append(cut) }
    return normalized
  }
}

extension Exchange {
  /// Redacts secrets that were learned after the exchange was recorded.
  mutating func redact(by redactor: Redactor) {
    request.url = redactor.redacted(url: request.url)
    request.headers = request.headers.map { HeaderField($0.name, redactor.redacted($0.value)) }
    request.body = redactor.redacted(request.body)
    fault = fault?.redacted(by: redactor)
    guard var response else { return }
    response.url = response.url.map(redactor.redacted(url:))
    response.redirections = response.redirections.map {
      Redirection(status: $0.status, to: redactor.redacted(url: $0.url))
    }
    response.headers = response.headers.map { HeaderField($0.name, redactor.redacted($0.value)) }
    let (body, cuts) = redactor.redacted(response.body, cuts: response.cuts)
    response.body = body
    response.cuts = cuts
    self.response = response
  }
}

extension TransportError {
  /// Whether the server or the network caused the error, so that a cassette records it.
  var isFault: Bool {
    switch self {
    case .network, .timeout, .limit: true
    case .badURL, .io, .cassette, .denied, .cancelled: false
    }
  }

  fileprivate func redacted(by redactor: Redactor) -> TransportError {
    switch self {
    case .network(let what, let isTransient):
      .network(redactor.redacted(what), isTransient: isTransient)
    case .timeout(let what, let seconds): .timeout(redactor.redacted(what), seconds: seconds)
    case .limit(let what, let setting): .limit(redactor.redacted(what), setting: setting)
    case .badURL, .io, .cassette, .denied, .cancelled: self
    }
  }
}

/// The headers that a cassette stores. All others are omitted: they vary from run to run, or hold
/// private data.
enum RecordedHeaders {
  /// The headers on which the response depends, lowercase.
  static let ofRequests: Set<String> = [
    "accept", "accept-language", "range",
  ]

  /// The conditional headers, lowercase. They depend on an earlier response, so they do not
  /// distinguish requests.
  static let conditions: Set<String> = ["if-modified-since", "if-none-match"]

  /// The headers that describe a response or link to further ones, lowercase. The length is not
  /// among them: redaction and decompression change it.
  static let ofResponses: Set<String> = [
    "content-disposition", "content-language", "content-range", "content-type", "etag",
    "last-modified", "link", "location", "retry-after", "x-next-page", "x-page", "x-per-page",
    "x-prev-page", "x-total", "x-total-count", "x-total-pages",
  ]

  /// The headers of a response that are stored.
  static func recorded(_ response: TransportResponse) -> [HeaderField] {
    // A date in `Retry-After` is meant on the server's clock.
    let hasRetryDate = response[header: "Retry-After"].flatMap(HTTPDate.seconds) != nil
    return response.headers.filter {
      let name = $0.name.lowercased()
      return ofResponses.contains(name) || hasRetryDate && name == "date"
    }
  }
}

extension RequestParameter {
  /// Whether the server responds with content only if it differs from an earlier response.
  var isCondition: Bool { RecordedHeaders.conditions.contains(name.lowercased()) }
}
