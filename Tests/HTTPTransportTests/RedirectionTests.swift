import DataSources
import DataTables
import Glibc
import HTTPTransport
import TestServer
import Testing

@Suite struct RedirectionTests {
  @Test(arguments: [301, 302, 303, 307, 308])
  func aRedirectionIsFollowed(code: Int) async throws {
    try await TestServer.run { server in
      let response = try await Client().get("\(server.url)/redirect?times=3&code=\(code)")
      #expect(response.status == 200)
      #expect(response.url == "\(server.url)/echo")
      #expect(server.requests.count == 4)
    }
  }

  /// Each redirection is a logged exchange, also where a recording of them is replayed.
  @Test func redirectionsAreLogged() async throws {
    try await TestServer.run { server in
      let path = "/tmp/dsshell-redirections-\(UInt64.random(in: 0...UInt64.max)).cassette"
      defer { unlink(path) }
      let urls = ["/redirect?times=2", "/redirect?times=1&code=302", "/echo"].map {
        server.url + $0
      }
      for network in [HTTPTransport(), nil] {
        let router = TransportRouter(files: FileTransport(), network: network)
        try router.insertCassette(path)
        let source = RemoteSource(
          TransportRequest(url: urls[0]), through: router, formats: .core)
        try await source.fetchData()
        let log = source.exchanges
        #expect(log.map(\.status) == [302, 302, 200])
        #expect(log.map(\.url) == urls)
        #expect(log.map(\.location) == [urls[1], urls[2], nil])
        #expect(log.map { $0.bytes > 0 } == [false, false, true])
        router.removeCassette()
      }
      #expect(server.requests.count == 3)
    }
  }

  @Test func theEndlessBodyOfARedirectionIsAbandoned() async throws {
    try await FaultServer.run { server in
      let response = try await Client().get("\(server.url)/endless-to?url=\(server.url)/raw?json")
      #expect(response.body == "[{\"id\": 1}, {\"id\": 2}]")
      #expect(await eventually { server.abandoned.count == 1 })
    }
  }

  @Test func aLoopEndsAtTheLimit() async throws {
    try await TestServer.run { server in
      let failure = await Client().failure("\(server.url)/loop") { $0.redirects = 4 }
      #expect(
        failure
          == .limit("`\(server.url)/loop` redirects more than 4 times", setting: "redirects"))
      #expect(server.requests.count == 5)
    }
  }

  @Test func credentialsAreSentAgainToTheSameServer() async throws {
    try await TestServer.run { server in
      let headers = [
        RequestParameter("Authorization", .plain("Bearer a")),
        RequestParameter("X-Key", .secret("k", symbol: "env K")),
      ]
      _ = try await Client().get("\(server.url)/redirect", headers: headers)
      let last = try #require(server.requests.last)
      #expect(last.path == "/echo")
      #expect(last.header("Authorization") == "Bearer a")
      #expect(last.header("X-Key") == "k")
    }
  }

  @Test func credentialsAreNotSentToAnotherPort() async throws {
    try await TestServer.run { first in
      try await TestServer.run { second in
        let headers = [
          RequestParameter("Authorization", .plain("Bearer a")),
          RequestParameter("COOKIE", .plain("c=1")),
          RequestParameter("Proxy-Authorization", .plain("p")),
          RequestParameter("X-API-Key", .plain("a")),
          RequestParameter("Host", .plain("first.test")),
          RequestParameter("X-Key", .secret("k", symbol: "env K")),
          RequestParameter("X-Plain", .plain("stays")),
        ]
        let query = [RequestParameter("url", .plain("\(second.url)/echo"))]
        let url = "http://ann:pass@127.0.0.1:\(first.port)/to"
        let response = try await Client().get(url, query: query, headers: headers)
        #expect(response.url == "\(second.url)/echo")
        let request = try #require(second.requests.first)
        for name in ["Authorization", "Cookie", "Proxy-Authorization", "X-API-Key", "X-Key"] {
          #expect(request.header(name) == nil, "\(name)")
        }
        #expect(request.header("Host") == "127.0.0.1:\(second.port)")
        #expect(request.header("X-Plain") == "stays")
      }
    }
  }

  @Test func credentialsAreNotSentAgainAfterARedirectionElsewhereAndBack() async throws {
    try await TestServer.run { first in
      try await TestServer.run { second in
        let back = "\(second.url)/to?url=\(first.url)/echo"
        let query = [RequestParameter("url", .plain(back))]
        let headers = [RequestParameter("Authorization", .plain("Bearer a"))]
        _ = try await Client().get("\(first.url)/to", query: query, headers: headers)
        #expect(first.requests.map(\.path) == ["/to", "/echo"])
        #expect(first.requests.last?.header("Authorization") == nil)
      }
    }
  }

  @Test func aSecretThatAServerEchoesInARedirectionIsRemoved() async throws {
    try await TestServer.run { first in
      try await TestServer.run { second in
        let query = [
          RequestParameter("url", .plain("\(second.url)/echo?a=1&key=s%20t&b=2")),
          RequestParameter("key", .secret("s t", symbol: "env K")),
        ]
        let response = try await Client().get("\(first.url)/to", query: query)
        #expect(second.requests.first?.target == "/echo?a=1&b=2")
        #expect(response.url == "\(second.url)/echo?a=1&b=2")
      }
    }
  }

  @Test func theURLOfAResponseShowsNoSecrets() async throws {
    try await TestServer.run { server in
      let query = [
        RequestParameter("page", .plain("2")),
        RequestParameter("key", .secret("s t", symbol: "env K")),
      ]
      let response = try await Client().get("\(server.url)/items", query: query)
      #expect(response.url == "\(server.url)/items?page=2")
    }
  }

  @Test(arguments: ["bad-location", "file-location"])
  func aRedirectionToAnInvalidURLFails(fault: String) async throws {
    try await FaultServer.run { server in
      let failure = await Client().failure("\(server.url)/raw?\(fault)")
      guard case .badURL(let message) = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
      #expect(message.hasPrefix("127.0.0.1:\(server.port) redirects to `"))
      #expect(message.hasSuffix("`, which is not a URL for http or https"))
    }
  }

  @Test func aRedirectionWithoutATargetIsAResponse() async throws {
    try await FaultServer.run { server in
      let response = try await Client().get("\(server.url)/raw?no-location")
      #expect(response.status == 302)
    }
  }
}
