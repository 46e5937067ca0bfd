import DataSources
import HTTPTransport
import TestServer
import Testing

/// Servers whose TLS or HTTP/2 fails: an error that names the server, and never a part of a body as
/// the whole.
@Suite struct SecureFaultTests {
  private func response(
    of server: TLSServer, timeout: Double = 60
  ) async -> Result<Client.Response, any Error> {
    let transport = HTTPTransport(certificates: server.certificate)
    do {
      return .success(
        try await Client(transport: transport).get(
          server.url, limits: { $0.timeout = timeout }))
    } catch {
      return .failure(error)
    }
  }

  private func failure(
    of server: TLSServer, timeout: Double = 60
  ) async throws -> TransportError {
    let result = await response(of: server, timeout: timeout)
    #expect(throws: TransportError.self) { try result.get() }
    guard case .failure(let error as TransportError) = result else { throw NoFailure() }
    return error
  }

  private struct NoFailure: Error {}

  private func names(_ server: TLSServer, _ failure: TransportError) -> Bool {
    guard case .network(let message, _) = failure else { return false }
    return message.contains(server.url.dropFirst("https://".count).dropLast())
  }

  // MARK: Certificates and handshakes

  @Test(arguments: [TLSServer.Certificate.expired, .foreign])
  func aCertificateThatIsNotValidIsRefused(kind: TLSServer.Certificate) async throws {
    let server = try TLSServer(kind)
    let failure = try await failure(of: server)
    #expect(names(server, failure) && !failure.isTransientNetwork, "\(failure)")
    #expect(failure.message.contains("no secure connection to "))
  }

  @Test func anOldVersionOfTLSIsRefused() async throws {
    let server = try TLSServer(options: ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
    let failure = try await failure(of: server)
    #expect(names(server, failure), "\(failure)")
  }

  @Test(arguments: ["reset", "raw?nothing", "raw?not-http", "raw?alert", "raw?half-hello"])
  func aHandshakeThatBreaksFails(fault: String) async throws {
    try await FaultServer.run { server in
      server.faultForAll = fault
      let failure = try #require(await Client().failure("https://127.0.0.1:\(server.port)/"))
      #expect(failure.message.contains("127.0.0.1:\(server.port)"), "\(failure)")
    }
  }

  @Test func aHandshakeWithoutAnAnswerEndsInTime() async throws {
    try await FaultServer.run { server in
      server.faultForAll = "silent"
      let failure = await Client().failure(
        "https://127.0.0.1:\(server.port)/", limits: { $0.connectTimeout = 0.2 })
      guard case .timeout = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
    }
  }

  // MARK: Bodies

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhalf", TLSServer.Ending.abort),
    ("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhalf", .close),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", .abort),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", .close),
    ("HTTP/1.1 200", .abort), ("", .abort), ("", .close),
  ])
  func aBodyThatIsCutOffFails(answer: String, ending: TLSServer.Ending) async throws {
    let server = try TLSServer(answer: .init(Array(answer.utf8), ending))
    let failure = try await failure(of: server)
    #expect(names(server, failure) && failure.isTransientNetwork, "\(failure)")
  }

  /// libcurl accepts the end of a connection without that of TLS.
  @Test(arguments: [TLSServer.Ending.close, .abort])
  func aBodyWithoutALengthEndsWithTheConnection(ending: TLSServer.Ending) async throws {
    let text = "HTTP/1.1 200 OK\r\n\r\nwhole"
    let server = try TLSServer(answer: .init(Array(text.utf8), ending))
    #expect(try await response(of: server).get().body == "whole")
  }

  // MARK: HTTP/2

  @Test(arguments: HTTP2Answer.wholes) func anUnusualAnswerIsAccepted(
    answer: HTTP2Answer
  ) async throws {
    let server = try TLSServer(answer: answer.answer)
    let response = try await response(of: server).get()
    #expect(response.status == 200 && response.body == "ok")
  }

  @Test(arguments: HTTP2Answer.faults) func aFaultOfHTTP2IsAnError(
    answer: HTTP2Answer
  ) async throws {
    let server = try TLSServer(answer: answer.answer)
    let failure = try await failure(of: server)
    #expect(names(server, failure), "\(failure)")
  }

  @Test(arguments: HTTP2Answer.unnoticedFaults) func aFaultThatLibcurlMissesEndsInTime(
    answer: HTTP2Answer
  ) async throws {
    let server = try TLSServer(answer: answer.answer)
    switch try await failure(of: server, timeout: 1) {
    case .network, .timeout: break
    case let failure: Issue.record("\(failure)")
    }
  }
}

/// Frames that a server sends after a request.
struct HTTP2Answer: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let frames: [[UInt8]]
  var ending = TLSServer.Ending.none

  init(_ name: String, _ frames: [UInt8]..., ending: TLSServer.Ending = .none) {
    (testDescription, self.frames, self.ending) = (name, frames, ending)
  }

  var answer: TLSServer.Answer {
    var answer = TLSServer.Answer(Self.frame(.settings) + frames.flatMap { $0 }, ending)
    answer.isHTTP2 = true
    return answer
  }

  /// The kinds of frames of RFC 9113, section 6.
  private enum Kind: UInt8 {
    case data, headers, priority, reset, settings, promise, ping, goAway, windowUpdate, continuation
    case unknown = 0xEE
  }

  private static let endStream: UInt8 = 1
  private static let endHeaders: UInt8 = 4

  /// - Parameters:
  ///   - stream: 0 for the connection; the first request has 1.
  ///   - length: the length in its head; nil for that of the payload.
  private static func frame(
    _ kind: Kind, flags: UInt8 = 0, stream: UInt8 = 0, length: Int? = nil, _ payload: [UInt8] = []
  ) -> [UInt8] {
    let count = length ?? payload.count
    return [
      UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF), kind.rawValue, flags,
    ]
      + [0, 0, 0, stream] + payload
  }

  /// Indexed field 8 of HPACK's static table: `:status: 200`.
  private static let status: [UInt8] = [0x88]

  /// Field 28, not indexed: `content-length`.
  private static func length(_ count: Int) -> [UInt8] {
    let digits = Array("\(count)".utf8)
    return [0x0F, 0x0D, UInt8(digits.count)] + digits
  }

  private static func head(
    _ fields: [UInt8] = status, flags: UInt8 = endHeaders, stream: UInt8 = 1
  ) -> [UInt8] { frame(.headers, flags: flags, stream: stream, fields) }

  private static func data(_ text: String, flags: UInt8 = 0, stream: UInt8 = 1) -> [UInt8] {
    frame(.data, flags: flags, stream: stream, Array(text.utf8))
  }

  private static func reset(_ code: UInt8, stream: UInt8 = 1) -> [UInt8] {
    frame(.reset, stream: stream, [0, 0, 0, code])
  }

  private static func goAway(last: UInt8, _ code: UInt8) -> [UInt8] {
    frame(.goAway, [0, 0, 0, last, 0, 0, 0, code])
  }

  static let wholes = [
    HTTP2Answer("plain", head(), data("ok", flags: endStream)),
    HTTP2Answer("length", head(status + length(2)), data("ok", flags: endStream)),
    HTTP2Answer(
      "unknown frame", frame(.unknown, stream: 1, [1, 2, 3]), head(), data("ok", flags: endStream)),
    HTTP2Answer(
      "pings", frame(.ping, Array(repeating: 1, count: 8)), head(),
      frame(.ping, Array(repeating: 2, count: 8)), data("ok", flags: endStream)),
    HTTP2Answer(
      "trailers", head(), data("ok"), head([], flags: endHeaders | endStream)),
    HTTP2Answer(
      "empty data", head(), data(""), data("o"), data(""), data("k"), data("", flags: endStream)),
    HTTP2Answer(
      "shutdown after the request", head(), goAway(last: 1, 0), data("ok", flags: endStream)),
    HTTP2Answer(
      "end without an error", head(), data("ok", flags: endStream), reset(0)),
  ]

  /// The library below libcurl resets the stream, and libcurl waits for its end.
  static let unnoticedFaults = [
    HTTP2Answer("window of 0", head(), frame(.windowUpdate, stream: 1, [0, 0, 0, 0])),
    HTTP2Answer(
      "window that is too large", head(), frame(.windowUpdate, [0x7F, 0xFF, 0xFF, 0xFF])),
    HTTP2Answer(
      "promise that was not permitted",
      frame(.promise, flags: endHeaders, stream: 1, [0, 0, 0, 2] + status)),
  ]

  static let faults = [
    HTTP2Answer("reset before the head", reset(2)),
    HTTP2Answer("reset in the body", head(), data("half"), reset(2)),
    HTTP2Answer("end in the body", head(status + length(20)), data("half"), reset(0)),
    HTTP2Answer("cancel in the body", head(), data("half"), reset(8)),
    HTTP2Answer("shutdown before the head", goAway(last: 0, 2), ending: .close),
    HTTP2Answer("shutdown in the body", head(), data("half"), goAway(last: 1, 2), ending: .close),
    HTTP2Answer("close before the head", ending: .close),
    HTTP2Answer("close in the body", head(), data("half"), ending: .close),
    HTTP2Answer("break in the body", head(), data("half"), ending: .abort),
    HTTP2Answer(
      "break in a frame", head(), frame(.data, stream: 1, length: 20, [1]), ending: .abort),
    HTTP2Answer("short body", head(status + length(20)), data("half", flags: endStream)),
    HTTP2Answer("long body", head(status + length(2)), data("half", flags: endStream)),
    HTTP2Answer("data before the head", data("ok", flags: endStream)),
    HTTP2Answer("unknown index of a field", head([0xFF, 0xFF, 0xFF, 0x7F])),
    HTTP2Answer("field that is cut off", head([0x40, 0x7F, 0x61])),
    HTTP2Answer("wrong Huffman code", head([0x40, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0x61])),
    HTTP2Answer("no status", head([0x0F, 0x0D, 1, 0x32]), data("ok", flags: endStream)),
    HTTP2Answer("two statuses", head(status + status), data("ok", flags: endStream)),
    HTTP2Answer(
      "upper case", head(status + [0, 1, 0x41, 1, 0x62]), data("ok", flags: endStream)),
    HTTP2Answer("stream of the server", head(stream: 2)),
    HTTP2Answer("stream without a request", head(stream: 3)),
    HTTP2Answer("stream 0", head(stream: 0)),
    HTTP2Answer(
      "frame that is too large",
      frame(.data, stream: 1, length: 1 << 20, Array(repeating: 0, count: 1 << 20))),
    HTTP2Answer("settings of a wrong length", frame(.settings, [1])),
    HTTP2Answer("settings with a wrong value", frame(.settings, [0, 2, 0, 0, 0, 9])),
    HTTP2Answer("reset of a wrong length", frame(.reset, stream: 1, [1])),
    HTTP2Answer(
      "continuation without a head", frame(.continuation, flags: endHeaders, stream: 1, status)),
    HTTP2Answer(
      "data within a head", head(status, flags: 0), data("ok", flags: endStream)),
    HTTP2Answer("another protocol", Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), ending: .close),
  ]
}
