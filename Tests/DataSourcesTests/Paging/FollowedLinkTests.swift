import DataTables
import Testing

@testable import DataSources

@Suite struct FollowedLinkTests {
  private static let secret = RequestValue.secret("p q+%", symbol: "env TOK")

  private func request(
    _ url: String = "http://a.test/list", header: RequestValue? = nil
  ) -> TransportRequest {
    TransportRequest(
      url: url, query: [RequestParameter("token", Self.secret)],
      headers: header.map { [RequestParameter("X-Key", $0)] } ?? [])
  }

  @Test(arguments: [
    ("/list?token=p%20q%2B%25&page=2", "page=2&token=env TOK"),
    ("?page=2&token=p+q%2b%25", "page=2&token=env TOK"),
    ("?auth=p%20q%2B%25", "auth=env TOK&token=env TOK"),
    ("?page=2", "page=2&token=env TOK"),
    ("http://b.test/list?t=p%20q%2B%25", "t=env TOK"),
  ])
  func aSecretThatALinkRepeatsStaysSecret(link: String, query: String) throws {
    let next = try request().following(link, from: "http://a.test/list")
    #expect(next.shownURL.hasSuffix("?\(query)"))
    #expect(!next.url.contains("p%20q") && !next.url.contains("p+q"))
    #expect(next.sentURL.contains("=p%20q%2B%25"))
  }

  @Test func aPostIsNotSentToAnotherOrigin() throws {
    var request = request()
    request.body = RequestBody(query: ["a": 1])
    #expect(try request.following("?page=2", from: request.url).body == request.body)
    let error = #expect(throws: SourceError.self) {
      try request.following("http://b.test/?page=2", from: request.url)
    }
    #expect(
      error?.message.hasSuffix(
        "the next page is at `http://b.test/?page=2`, and a POST is not sent to another origin")
        == true)
  }

  @Test func aSecretOfAHeaderStaysSecretInALink() throws {
    let key = RequestValue.secret("k-123", symbol: "env KEY")
    let next = try request(header: key).following("?key=k-123", from: "http://a.test/list")
    #expect(next.shownURL == "http://a.test/list?key=env KEY&token=env TOK")
  }

  @Test func aSecretOfABodyStaysSecretInALink() throws {
    let key = RequestValue.secret("k-123", symbol: "env KEY")
    var request = TransportRequest(url: "http://a.test/list")
    request.body = RequestBody(query: ["key": "k-123"], secrets: [key])
    let next = try request.following("?key=k-123", from: "http://a.test/list")
    #expect(next.shownURL == "http://a.test/list?key=env KEY")
    #expect(next.body == request.body)
  }

  @Test(arguments: ["/list?filter=of:p%20q%2B%25,a", "http://b.test/?filter=of:p+q%2B%25,a"])
  func aValueThatContainsASecretIsSecret(link: String) throws {
    let next = try request().following(link, from: "http://a.test/list")
    #expect(next.query.first?.value == .secret("of:p q+%,a", symbol: "env TOK"))
    #expect(next.shownURL.contains("?filter=env TOK"))
    #expect(next.sentURL.contains("?filter=of%3Ap%20q%2B%25%2Ca"))
  }

  @Test(arguments: [
    ("http://u:pw@a.test/list", "http://a.test/list?page=2", "http://u:pw@a.test/list?page=2"),
    ("http://u:pw@a.test/list", "http://a.test:80/more", "http://u:pw@a.test:80/more"),
    ("http://u:pw@a.test/list", "/more", "http://u:pw@a.test/more"),
    ("http://u:pw@a.test/list", "http://me@a.test/more", "http://me@a.test/more"),
    ("http://u:pw@a.test/list", "http://b.test/more", "http://b.test/more"),
    ("http://u:pw@a.test/list", "https://a.test/more", "https://a.test/more"),
    ("http://a.test/list", "/more", "http://a.test/more"),
  ])
  func theLoginOfTheURLIsSentToItsOriginOnly(start: String, link: String, next: String) throws {
    let request = TransportRequest(url: start)
    #expect(try request.following(link, from: "http://a.test/list").url == next)
  }

  @Test func theErrorOfARepeatedLinkIsWithoutSecrets() async throws {
    let link = "<http://u:pw@example.test/list?token=p%20q%2B%25>; rel=next"
    let transport = ScriptedServer { _ in .json("[1]", headers: [HeaderField("Link", link)]) }
    let source = PaginatedSource(
      request("http://example.test/list"), through: transport, paging: Paging(.link), formats: .core
    )
    await #expect(throws: SourceError.self) { try await source.fetchAllPages() }
    let message = try #require(source.error?.message)
    #expect(message.contains("`http://example.test/list?token=env TOK` again"))
  }
}
