import DataTables

/// An exchange while its lines are read.
struct ExchangeDraft {
  /// The line of its request, from 1.
  let line: Int
  private var request: RecordedRequest
  private var hasRequestBody = false
  private var redirections: [Redirection] = []
  private var status: (number: Int, url: String?)?
  private var headers: [HeaderField] = []
  /// The lengths of the pieces of the body, with the number of consecutive pieces of each length.
  private var lengths: [(length: Int, count: Int)] = []
  private var body: [UInt8] = []
  private var hasBody = false
  private var isBase64 = false
  private var fault: TransportError?

  struct Mistake: Error { let what: String }

  init(line: Int, request: RecordedRequest) {
    self.line = line
    self.request = request
  }

  /// The exchange; nil if neither a response nor a fault was read.
  var exchange: Exchange? {
    var exchange = Exchange(request: request, fault: fault)
    if let status {
      exchange.response = RecordedResponse(
        status: status.number, url: status.url, redirections: redirections, headers: headers,
        body: body, cuts: cuts(of: body.count))
    }
    return exchange.response == nil && fault == nil ? nil : exchange
  }

  /// Reads the text after the marker of a line.
  mutating func read(_ text: String, marker: UInt8) throws(Mistake) {
    guard fault == nil else { throw Mistake(what: "no line of an exchange may follow its fault") }
    switch marker {
    case UInt8(ascii: ">"):
      guard status == nil else {
        throw Mistake(what: "the headers of the request must precede the response")
      }
      request.headers.append(try header(text))
    case UInt8(ascii: "+"):
      guard status == nil else {
        throw Mistake(what: "the body of the request must precede the response")
      }
      guard request.method == "POST" else { throw Mistake(what: "only a `POST` has a body") }
      request.body += (hasRequestBody ? "\n" : "") + text
      hasRequestBody = true
    case UInt8(ascii: "@"):
      guard status == nil else {
        throw Mistake(what: "a redirection must precede the response")
      }
      let (number, url) = try status(text)
      guard let url else { throw Mistake(what: "a redirection has a URL: `@ 302 http://…`") }
      redirections.append(Redirection(status: number, to: url))
    case UInt8(ascii: "!"): fault = try fault(text)
    case UInt8(ascii: "<") where status == nil: status = try status(text)
    case _ where status == nil:
      throw Mistake(what: "the status of the response is missing before this line: `< 200`")
    case UInt8(ascii: "<"):
      guard !hasBody else {
        throw Mistake(what: "the headers of the response must precede its body")
      }
      headers.append(try header(text))
    case UInt8(ascii: "~"): try readLengths(text)
    default: try readBody(text, isBase64: marker == UInt8(ascii: "="))
    }
  }

  private mutating func readBody(_ text: String, isBase64: Bool) throws(Mistake) {
    guard !hasBody || self.isBase64 == isBase64 else {
      throw Mistake(what: "a body is either text (`|`) or base64 (`=`), not both")
    }
    self.isBase64 = isBase64
    if isBase64 {
      guard let bytes = Base64.decoded(text) else { throw Mistake(what: "this is not base64") }
      body += bytes
    } else {
      if hasBody { body.append(0x0A) }
      body += text.utf8
    }
    hasBody = true
  }

  private mutating func readLengths(_ text: String) throws(Mistake) {
    for word in text.split(separator: " ") {
      let parts = word.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
      guard parts.count <= 2, let length = parts[0], length > 0, let count = parts.last ?? nil,
        count > 0
      else {
        throw Mistake(
          what: "`\(word.prefix(40))` is not a length of pieces such as `10` or `4096x3`")
      }
      lengths.append((length, parts.count == 2 ? count : 1))
    }
  }

  /// The ends of the pieces of a body of `count` bytes. Ends beyond the body are omitted, because
  /// an edited body may be shorter than the recorded one.
  private func cuts(of count: Int) -> [Int] {
    var cuts: [Int] = []
    for run in lengths {
      for _ in 0..<run.count {
        let (cut, isOverflow) = (cuts.last ?? 0).addingReportingOverflow(run.length)
        guard !isOverflow, cut < count else { return cuts }
        cuts.append(cut)
      }
    }
    return cuts
  }
}

extension ExchangeDraft {
  private func header(_ text: String) throws(Mistake) -> HeaderField {
    let name = text.unicodeScalars.prefix { $0 != ":" }
    let rest = text.unicodeScalars.dropFirst(name.count)
    guard !name.isEmpty, !rest.isEmpty else {
      throw Mistake(what: "a header is `Name: value`, not `\(text.prefix(40))`")
    }
    let value = rest.dropFirst()
    return HeaderField(String(name), String(value.first == " " ? value.dropFirst() : value))
  }

  private func status(_ text: String) throws(Mistake) -> (number: Int, url: String?) {
    let words = text.split(separator: " ", maxSplits: 1)
    guard let first = words.first, let number = Int(first), (100...999).contains(number) else {
      throw Mistake(
        what: "the status of a response is a number such as 200, not `\(text.prefix(40))`")
    }
    return (number, words.dropFirst().first.map { String($0) })
  }

  private func fault(_ text: String) throws(Mistake) -> TransportError {
    let head = text.unicodeScalars.prefix { $0 != ":" }
    let rest = text.unicodeScalars.dropFirst(head.count + 1)
    let what = String(rest.first == " " ? rest.dropFirst() : rest)
    let words = String(head).split(separator: " ", maxSplits: 1).map { String($0) }
    switch (words.first, words.count) {
    case ("dropped", 1): return .network(what, isTransient: true)
    case ("network", 1): return .network(what, isTransient: false)
    case ("limit", _): return .limit(what, setting: words.count == 2 ? words[1] : "")
    case ("timeout", 2):
      if let seconds = Double(words[1]), seconds.isFinite {
        return .timeout(what, seconds: seconds)
      }
    default: break
    }
    throw Mistake(
      what: "a fault is `dropped:`, `network:`, `timeout SECONDS:` or `limit SETTING:`, not "
        + "`\(text.prefix(40))`")
  }
}
