import FlyingFox
import Testing

@testable import DSServing

@Suite struct RequestCheckTests {
  private let check = RequestCheck(authority: "127.0.0.1:4000", token: "0123abcd")

  private func outcome(
    _ path: String, method: HTTPMethod = .GET, _ headers: [HTTPHeader: String] = [:],
    host: String? = "127.0.0.1:4000"
  ) -> RequestCheck.Outcome {
    var all = HTTPHeaders(headers)
    all[.host] = host
    return check.outcome(
      of: HTTPRequest(
        method: method, version: .http11, target: HTTPRequest.Target(path: path, query: ""),
        headers: all, body: HTTPBodySequence()))
  }

  private func status(_ outcome: RequestCheck.Outcome) -> Int? {
    if case .refused(let refusal) = outcome { refusal.status } else { nil }
  }

  @Test func thePathAfterTheTokenIsAccepted() {
    #expect(outcome("/0123abcd/") == .accepted(""))
    #expect(outcome("/0123abcd/rows") == .accepted("rows"))
  }

  @Test(arguments: ["/", "", "/0123abcd", "/0123abce/", "/0123abc/", "/0123abcd0/", "/x/0123abcd/"])
  func anotherTokenIsNotFound(path: String) {
    #expect(status(outcome(path)) == 404)
  }

  @Test(arguments: ["evil.test", "evil.test:4000", "localhost:4000", "127.0.0.1", "", nil])
  func anotherHostIsRefused(host: String?) {
    #expect(status(outcome("/0123abcd/", host: host)) == 403)
  }

  @Test(arguments: ["cross-site", "same-site"]) func anotherSiteIsRefused(site: String) {
    #expect(status(outcome("/0123abcd/", [HTTPHeader("Sec-Fetch-Site"): site])) == 403)
  }

  @Test(arguments: ["same-origin", "none"]) func thePageItselfIsAccepted(site: String) {
    #expect(
      outcome("/0123abcd/rows", [HTTPHeader("Sec-Fetch-Site"): site]) == .accepted("rows"))
  }

  @Test func anotherOriginIsRefused() {
    let origin = HTTPHeader("Origin")
    #expect(status(outcome("/0123abcd/", [origin: "http://evil.test"])) == 403)
    #expect(status(outcome("/0123abcd/", [origin: "null"])) == 403)
    #expect(outcome("/0123abcd/", [origin: "http://127.0.0.1:4000"]) == .accepted(""))
  }

  @Test(arguments: [HTTPMethod.POST, .PUT, .DELETE, .HEAD])
  func onlyGetIsSupported(method: HTTPMethod) {
    #expect(status(outcome("/0123abcd/", method: method)) == 405)
  }

  @Test func tokensAreRandomAndHave32Digits() {
    let tokens = (0..<50).map { _ in RequestCheck.makeToken() }
    #expect(Set(tokens).count == 50)
    #expect(tokens.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
  }

  @Test func equalBytesAreEqual() {
    #expect(RequestCheck.areEqual([1, 2], [1, 2]))
    #expect(!RequestCheck.areEqual([1, 2], [1, 3]))
    #expect(!RequestCheck.areEqual([1, 2], [1]))
  }
}
