import DataTables
import TestSupport

@testable import DataSources

/// Random exchanges with lines that are hard to represent in a cassette.
struct RandomExchanges {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private static let hostileLines = [
    "", " ", "  ", "\t", "\\", "\\s", "\\u{41}", "GET http://example.test/", "< 200", "| x", "|",
    "= QUJD", "! dropped: x", "~ 3", "# comment", "> Accept: x", "dsshell cassette 1", "x ", "x\t",
    "\u{301}accent", "a\r", "\r", "x\u{2028}y", "\u{FEFF}x", "\u{202E}x", "{\"a\": \"b\\n\"}",
    "\u{85}", "👨‍👩‍👧", "é", "e\u{301}", "\u{7F}", "\r\r", " lead", "|\\s",
  ]

  mutating func exchange() -> Exchange {
    let path = "/" + String(random.next() % 1000, radix: 36)
    var exchange = Exchange(request: RecordedRequest(url: "http://example.test\(path)?a=%20&b=1"))
    exchange.request.headers = headers(["Accept", "range", "If-None-Match"])
    if random.below(3) == 0 {
      exchange.request.method = "POST"
      exchange.request.body = String(decoding: body(), as: UTF8.self)
    }
    if random.below(5) > 0 { exchange.response = response() }
    if exchange.response == nil || random.below(4) == 0 { exchange.fault = fault() }
    return exchange
  }

  private mutating func response() -> RecordedResponse {
    let body = body()
    var cuts = (0..<random.below(6)).map { _ in random.below(body.count + 2) }.sorted()
    if random.below(4) == 0 { cuts = Array(stride(from: 3, to: 40, by: 3)) }
    // A 304 needs the content above it.
    let status = 100 + random.below(500)
    let redirections = (0..<random.below(3)).map {
      Redirection(status: 301 + $0, to: "http://other.test/\($0)?a=%20")
    }
    return RecordedResponse(
      status: status == 304 ? 305 : status, url: random.below(3) == 0 ? "http://other.test/x" : nil,
      redirections: redirections,
      headers: headers(["Content-Type", "ETag", "link"]), body: body, cuts: cuts)
  }

  private mutating func fault() -> TransportError {
    let what = line()
    return switch random.below(4) {
    case 0: .network(what, isTransient: true)
    case 1: .network(what, isTransient: false)
    case 2: .timeout(what, seconds: Double(random.below(1000)) / 8)
    default: .limit(what, setting: random.one(of: ["", "redirects", "bodySize"]))
    }
  }

  private mutating func headers(_ names: [String]) -> [HeaderField] {
    (0..<random.below(3)).map { _ in HeaderField(random.one(of: names), line()) }
  }

  private mutating func line() -> String { random.one(of: Self.hostileLines) }

  mutating func body() -> [UInt8] {
    switch random.below(4) {
    case 0: return []
    case 1: return (0..<random.below(200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    default:
      let lines = (0..<random.below(6)).map { _ in line() }
      return Array(lines.joined(separator: random.one(of: ["\n", "\n", "\r\n", "\r"])).utf8)
    }
  }
}
