import DataSources
import TestServer
import Testing

@Suite struct RequestTests {
  @Test func aResponseHasStatusHeadersAndBody() async throws {
    try await TestServer.run { server in
      let response = try await Client().get("\(server.url)/items.csv")
      #expect(response.status == 200)
      #expect(response.header("content-type") == "text/csv")
      #expect(response.url == "\(server.url)/items.csv")
      #expect(response.body == "id,name\n1,one\n2,two\n3,three\n")
    }
  }

  @Test func theRequestIsAGetWithAUserAgent() async throws {
    try await TestServer.run { server in
      _ = try await Client().get("\(server.url)/echo")
      let request = try #require(server.requests.first)
      #expect(request.method == "GET")
      #expect(request.header("User-Agent") == "dsshell/test")
      #expect(request.header("Accept-Encoding") == "gzip, deflate")
    }
  }

  @Test func headersAreSentAsGiven() async throws {
    try await TestServer.run { server in
      let headers = [
        RequestParameter("X-One", .plain("a: b")), RequestParameter("X-Empty", .plain("")),
        RequestParameter("Authorization", .secret("Bearer t", symbol: "env T")),
        RequestParameter("User-Agent", .plain("mine")),
      ]
      _ = try await Client().get("\(server.url)/echo", headers: headers)
      let request = try #require(server.requests.first)
      #expect(request.header("X-One") == "a: b")
      #expect(request.header("X-Empty") == "")
      #expect(request.header("Authorization") == "Bearer t")
      #expect(request.header("User-Agent") == "mine")
    }
  }

  @Test func theQueryIsAppendedPercentEncoded() async throws {
    try await TestServer.run { server in
      let query = [
        RequestParameter("q", .plain("a b&c=d/é?")),
        RequestParameter("key", .secret("s%t", symbol: "env K")),
      ]
      _ = try await Client().get("\(server.url)/echo?x=1#part", query: query)
      #expect(server.requests.first?.target == "/echo?x=1&q=a%20b%26c%3Dd%2F%C3%A9%3F&key=s%25t")
    }
  }

  @Test func invalidCharactersInAURLAreEncodedAndEncodedOnesKept() async throws {
    try await TestServer.run { server in
      _ = try await Client().get("\(server.url)/some thing/é?q=ü |%20%zz")
      #expect(server.requests.first?.target == "/some%20thing/%C3%A9?q=%C3%BC%20%7C%20%25zz")
    }
  }

  @Test func aLoginInTheURLIsSentAndNotShown() async throws {
    try await TestServer.run { server in
      let url = "http://ann:p%40ss@127.0.0.1:\(server.port)/echo"
      let response = try await Client().get(url)
      // The base64 of ann:p@ss.
      #expect(server.requests.first?.header("Authorization") == "Basic YW5uOnBAc3M=")
      #expect(response.url == "\(server.url)/echo")
    }
  }

  @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "\u{0}"])
  func aHeaderWithALineBreakIsRefused(value: String) async throws {
    try await TestServer.run { server in
      let failure = await Client().failure(
        "\(server.url)/echo", headers: [RequestParameter("X-Name", .plain(value))])
      #expect(
        failure == .denied("the header `X-Name` contains a line break or another control character")
      )
      #expect(server.requests.isEmpty)
    }
  }

  @Test(arguments: ["", "X Name", "X:Name", "Näme"])
  func anInvalidHeaderNameIsRefused(name: String) async throws {
    let failure = await Client().failure(
      "http://127.0.0.1:9/", headers: [RequestParameter(name, .plain("x"))])
    #expect(failure == .denied("`\(name)` is not a valid header name"))
  }

  @Test(arguments: [
    "": "`` is not a valid URL; write one like https://example.test/list",
    "example.test/x":
      "`example.test/x` is not a valid URL; write one like https://example.test/list",
    "http://": "`http://` is not a valid URL; write one like https://example.test/list",
    "http://[::1/": "`http://[::1/` is not a valid URL; write one like https://example.test/list",
    "ftp://example.test/x":
      "`ftp://example.test/x` has the unsupported scheme `ftp`; expected http or https",
    "http://ann:secret@:80/":
      "`http://:80/` is not a valid URL; write one like https://example.test/list",
  ])
  func anInvalidURLIsReportedWithoutItsLogin(url: String, message: String) async throws {
    #expect(await Client().failure(url) == .badURL(message))
  }

  @Test func anyStatusIsAResponse() async throws {
    try await TestServer.run { server in
      let response = try await Client().get("\(server.url)/missing")
      #expect(response.status == 404)
      #expect(response.body.hasPrefix("no such list\n"))
      #expect(try await Client().get("\(server.url)/secret").status == 401)
      #expect(try await Client().get("\(server.url)/status?code=503").status == 503)
    }
  }

  @Test func validatorsAreSentAndNotModifiedIsAResponse() async throws {
    try await TestServer.run { server in
      let first = try await Client().get("\(server.url)/etag")
      let tag = try #require(first.header("ETag"))
      let again = try await Client().get(
        "\(server.url)/etag", headers: [RequestParameter("If-None-Match", .plain(tag))])
      #expect(again.status == 304)
      #expect(again.body == "")
      let date = RequestParameter("If-Modified-Since", .plain("Fri, 02 Nov 2012 10:00:00 GMT"))
      #expect(try await Client().get("\(server.url)/modified", headers: [date]).status == 304)
    }
  }
}
