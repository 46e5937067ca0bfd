import DataSources
import Testing

@Suite struct TransportRequestURLTests {
  @Test(arguments: [
    ("http://h/p", "http://h/p?a%20b=1%262"), ("http://h/p?", "http://h/p?a%20b=1%262"),
    ("http://h/p?x=1", "http://h/p?x=1&a%20b=1%262"),
    ("http://h/p?x=1&", "http://h/p?x=1&a%20b=1%262"),
    ("http://h/p?x=1#f?g", "http://h/p?x=1&a%20b=1%262"), ("http://h", "http://h?a%20b=1%262"),
    ("http://h/a b/%41%zz/é", "http://h/a%20b/%41%25zz/%C3%A9?a%20b=1%262"),
    ("http://[::1]:80/x[1]", "http://[::1]:80/x[1]?a%20b=1%262"),
  ])
  func aQueryIsAddedEncoded(url: String, sent: String) {
    let request = TransportRequest(url: url, query: [RequestParameter("a b", .plain("1&2"))])
    #expect(request.sentURL == sent)
  }

  @Test func theShownURLHasNoLoginAndNoSecrets() {
    let request = TransportRequest(
      url: "https://ann:p@ss@h:8080/p",
      query: [
        RequestParameter("page", .plain("é")),
        RequestParameter("key", .secret("s3", symbol: "env K")),
      ])
    #expect(request.sentURL == "https://ann:p@ss@h:8080/p?page=%C3%A9&key=s3")
    #expect(request.shownURL == "https://h:8080/p?page=%C3%A9&key=env K")
  }

  @Test func aParameterWithTheNameOfASecretIsNotShown() {
    let request = TransportRequest(
      url: "http://h/p?api_key=abc&x=1",
      query: [
        RequestParameter("token", .plain("t")), RequestParameter("id", .plain("2")),
        RequestParameter("sig", .missing(symbol: "env SIG")),
      ])
    #expect(request.sentURL == "http://h/p?api_key=abc&x=1&token=t&id=2&sig=")
    #expect(
      request.shownURL == "http://h/p?api_key=REDACTED&x=1&token=REDACTED&id=2&sig=env SIG")
  }

  @Test func aSecretInAPathIsNotShown() {
    let request = TransportRequest(
      url: "https://h/of/t%2F0ken/and/t/0ken?x=t%2F0ken",
      headers: [RequestParameter("X-Key", .secret("t/0ken", symbol: "env K"))])
    #expect(request.shownURL == "https://h/of/env K/and/env K?x=env K")
    #expect(request.sentURL == request.url)
  }

  @Test(arguments: ["", "x", "/a?b", "mailto:a@b", "?u=http://h/"])
  func aURLWithoutAHostIsUnchanged(url: String) {
    #expect(TransportRequest(url: url).sentURL == url)
    #expect(TransportRequest(url: url).shownURL == url)
  }
}
