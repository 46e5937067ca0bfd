/// A request and what was answered, as a cassette keeps them: without secrets.
struct Exchange: Equatable, Sendable {
  var request: RecordedRequest
  /// Nil when nothing was answered before the ``fault``.
  var answer: RecordedAnswer?
  /// What ended the answer before its time.
  var fault: TransportError?
}

/// What of a request tells it apart from others.
struct RecordedRequest: Equatable, Sendable {
  /// With its query.
  var url: String
  /// Those of ``RecordedHeaders/ofRequests``.
  var headers: [HeaderField]

  init(url: String, headers: [HeaderField] = []) {
    self.url = url
    self.headers = headers
  }

  init(_ request: TransportRequest, by redactor: Redactor) {
    url = redactor.redacted(url: request.sentURL)
    headers =
      request.headers
      .filter { RecordedHeaders.ofRequests.contains($0.name.lowercased()) }
      .map { HeaderField($0.name, redactor.redacted($0.value.sent)) }
  }
}

/// The answer of a server.
struct RecordedAnswer: Equatable, Sendable {
  var status: Int
  /// Where it came from after redirections; nil when that is where it was asked for.
  var url: String?
  var headers: [HeaderField]
  var body: [UInt8]
  /// Where the pieces of the body end in which it came, but for the last: ascending, from 1 on.
  var cuts: [Int] {
    didSet { cuts = Self.tidy(cuts, of: body.count) }
  }

  init(
    status: Int, url: String? = nil, headers: [HeaderField] = [], body: [UInt8] = [],
    cuts: [Int] = []
  ) {
    self.status = status
    self.url = url
    self.headers = headers
    self.body = body
    self.cuts = Self.tidy(cuts, of: body.count)
  }

  /// The body as it came.
  var pieces: [[UInt8]] {
    guard !body.isEmpty else { return [] }
    return zip([0] + cuts, cuts + [body.count]).map { Array(body[$0..<$1]) }
  }

  /// Without what would make an empty piece.
  private static func tidy(_ cuts: [Int], of count: Int) -> [Int] {
    var tidy: [Int] = []
    for cut in cuts where cut > (tidy.last ?? 0) && cut < count { tidy.append(cut) }
    return tidy
  }
}

extension Exchange {
  /// Takes secrets out that were not known to be some when the exchange was recorded.
  mutating func redact(by redactor: Redactor) {
    request.url = redactor.redacted(url: request.url)
    request.headers = request.headers.map { HeaderField($0.name, redactor.redacted($0.value)) }
    fault = fault?.redacted(by: redactor)
    guard var answer else { return }
    answer.url = answer.url.map(redactor.redacted(url:))
    answer.headers = answer.headers.map { HeaderField($0.name, redactor.redacted($0.value)) }
    let (body, cuts) = redactor.redacted(answer.body, cuts: answer.cuts)
    answer.body = body
    answer.cuts = cuts
    self.answer = answer
  }
}

extension TransportError {
  /// Whether it belongs to the exchange: what the server or the way to it did.
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
