import DataSources
import DataTables
import TestServer
import Testing

@testable import HTTPTransport

/// Logins with digest authentication.
@Suite struct LoginTests {
  private func request(_ url: String, password: String = "sesame") -> TransportRequest {
    var request = TransportRequest(url: url)
    request.identity.scheme = .digest
    request.identity.user = .plain("ann")
    request.identity.password = .secret(password, symbol: "env PASSWORD")
    return request
  }

  private func body(_ response: TransportResponse) async throws -> String {
    var bytes: [UInt8] = []
    for try await piece in response.body { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func aLoginIsSentAsTheHashThatAChallengeAsksFor() async throws {
    try await TestServer.run { server in
      let response = try await HTTPTransport().send(request("\(server.url)/digest?a=1"))
      #expect(response.status == 200)
      #expect(try await body(response).contains("three"))
      #expect(server.requests.map { $0.header("Authorization") != nil } == [false, true])
      #expect(server.requests.allSatisfy { !($0.header("Authorization") ?? "").contains("sesame") })
    }
  }

  @Test(arguments: ["negotiate", "basic"])
  func theChallengeMayFollowOthers(before: String) async throws {
    try await TestServer.run { server in
      let response = try await HTTPTransport().send(
        request("\(server.url)/digest?before=\(before)"))
      #expect(response.status == 200)
      #expect(try await body(response).contains("three"))
    }
  }

  @Test(arguments: [
    (["Basic realm=\"list\"", "digest realm=\"list\""], false), (["Basic"], true),
    (["Digestive"], true), ([], true),
  ])
  func theHeadOfAChallengeForADigestIsNotTheLast(challenges: [String], isLast: Bool) {
    var head = ResponseHead(expectsChallenge: true)
    let headers = challenges.map { "WWW-Authenticate: \($0)\r\n" }
    for line in ["HTTP/1.1 401 Unauthorized\r\n"] + headers + ["\r\n"] {
      #expect(Array(line.utf8).withUnsafeBytes { head.append($0) })
    }
    #expect(head.isComplete == isLast)
  }

  @Test func aLoginInTheURLCanBeADigest() async throws {
    try await TestServer.run { server in
      let address = "http://ann:sesame@127.0.0.1:\(server.port)/digest"
      var request = TransportRequest(url: address)
      request.identity.scheme = .digest
      let digest = try await HTTPTransport().send(request)
      #expect(digest.status == 200)
      request.identity.scheme = .basic
      let basic = try await HTTPTransport().send(request)
      #expect(basic.status == 401)
    }
  }

  @Test(arguments: ["digest", "digest?plain=1", "items"])
  func aResponseWithoutASecondTryIsComplete(path: String) async throws {
    try await TestServer.run { server in
      let response = try await HTTPTransport().send(
        request("\(server.url)/\(path)", password: "wrong"))
      #expect(response.status == (path == "items" ? 200 : 401))
      #expect(try await body(response).contains(path == "items" ? "three" : "who are you"))
    }
  }

  @Test func aPostIsSentAgainAfterTheChallenge() async throws {
    try await TestServer.run { server in
      var request = request("\(server.url)/digest")
      request.body = RequestBody(query: ["a": 1])
      let response = try await HTTPTransport().send(request)
      #expect(response.status == 200)
      #expect(server.requests.last?.body == Array(#"{"a":1}"#.utf8))
    }
  }

  @Test func aCertificateNeedsTLSAndAFile() async throws {
    for (url, error) in [
      ("http://127.0.0.1:9/", TransportError.denied("`certificate:` needs a URL with `https:`")),
      ("https://127.0.0.1:9/", .io("cannot open nofile.pem: No such file or directory")),
    ] {
      var request = TransportRequest(url: url)
      request.identity.certificate = "/none/nofile.pem"
      await #expect(throws: error) { try await HTTPTransport().send(request) }
    }
  }

  @Test func aLoginIsNotSentToAnotherOrigin() async throws {
    try await TestServer.run { server in
      try await TestServer.run { other in
        let target = PercentEncoded.text("\(other.url)/digest")
        let response = try await HTTPTransport().send(
          request("\(server.url)/to?url=\(target)"))
        #expect(response.status == 401)
        #expect(other.requests.count == 1 && other.requests[0].header("Authorization") == nil)
      }
    }
  }
}

private enum PercentEncoded {
  static func text(_ url: String) -> String {
    url.map { "/:".contains($0) ? ($0 == "/" ? "%2F" : "%3A") : String($0) }.joined()
  }
}
