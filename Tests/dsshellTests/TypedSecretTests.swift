import Foundation
import TestServer
import Testing

/// Secrets that are typed into a URL or a record: the server receives them, and no output shows them.
@Suite struct TypedSecretTests {
  private static let secrets = [
    "s3cr3t-key", "t0ken-value", "pa55-word", "k3y-in-environment", "s3cond-key",
  ]

  private func expectNone(
    in outputs: String..., at location: SourceLocation = #_sourceLocation
  ) {
    for output in outputs {
      for secret in Self.secrets where output.contains(secret) {
        Issue.record("\(secret) is in \(output)", sourceLocation: location)
      }
    }
  }

  private func url(_ server: TestServer, _ path: String, _ more: String = "") -> String {
    "\"" + server.url.replacing("http://", with: "http://ann:pa55-word@")
      + "/\(path)?api_key=s3cr3t-key,s3cond-key&page=1\(more)\""
  }

  private func script(_ server: TestServer) -> String {
    """
    trace on
    let p = remote \(url(server, "secret")) query: {token: env DSSHELL_TEST_TOKEN}
    tree p
    fetch p
    tree p
    events p
    p
    list
    expect p.error.message == 1
    let q = remote \(url(server, "secret", "&token=t0ken-value")) | fetch
    let a = paginated \(url(server, "secret")) | fetch
    let i = remote \(url(server, "items")) | fetch
    explain i 0-0
    explain i {}
    tree i
    describe i
    load \(url(server, "items"))
    stub \(url(server, "items")) /dev/null/none
    let f = remote \(url(server, "items").replacing("http:", with: "gopher:")) | fetch
    """
  }

  /// Runs `work` in its own thread: waiting for a process in a task would block a thread that the
  /// server needs.
  private func inThread(
    _ work: @escaping @Sendable () throws -> ShellResult
  ) async throws -> ShellResult {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
    }
  }

  @Test(arguments: ["table", "json", "jsonl", "csv", "tsv", "markdown", "line"])
  func noOutputShowsThem(style: String) async throws {
    try await TestServer.run { server in
      let script = script(server)
      let result = try await inThread {
        try dsshell(
          "--output", style, "--keep-going", "-c", script,
          environment: ["DSSHELL_TEST_TOKEN": "k3y-in-environment"])
      }
      expectNone(in: result.output, result.errors)
      // A mistake that is found before the run.
      let line = "remote \(url(server, "items")) nonsense: 1"
      let mistaken = try await inThread { try dsshell("--output", style, "-c", line) }
      expectNone(in: mistaken.output, mistaken.errors)
      #expect((result.output + result.errors).contains("api_key=REDACTED"))
      #expect((result.output + result.errors).contains("returned 401 Unauthorized"))
      let first = try #require(server.requests.first)
      #expect(
        first.target
          == "/secret?api_key=s3cr3t-key,s3cond-key&page=1&token=k3y-in-environment")
      #expect(first.header("Authorization") == "Basic YW5uOnBhNTUtd29yZA==")
      #expect(server.requests.contains { $0.target.hasSuffix("&token=t0ken-value") })
    }
  }

  @Test(arguments: ["human", "tap", "junit", "jsonl", "github"])
  func noTestReportShowsThem(report: String) throws {
    let folder = try TemporaryFolder()
    let url = "http://ann:pa55-word@example.test/x?api_key=s3cr3t-key&token=t0ken-value"
    try folder.write(
      "x.ds",
      """
      let p = remote \(url)
      #| nothing
      fetch p
      tree p
      #| nothing
      load \(url)
      remote \(url) | nonsense
      """)
    let result = try dsshellTest(folder, "x.ds", "--report", report)
    expectNone(in: result.output, result.errors)
    #expect((result.output + result.errors).contains("REDACTED"))
  }

  @Test func theCaretIsUnderTheWordBehindASecret() throws {
    let result = try dsshell(
      "-c", "remote http://example.test/x?api_key=s3 | nonsense | fetch; print http://a:b@h/")
    #expect(
      result.errors.hasSuffix(
        """
          remote http://example.test/x?api_key=REDACTED | nonsense | fetch; print http://REDACTED@h/
                                                          ^~~~~~~~

        """))
  }

  @Test(arguments: ["table", "json", "jsonl", "csv", "tsv", "markdown", "line"])
  func noOutputShowsThoseOfRecords(style: String) async throws {
    try await TestServer.run { server in
      let script = """
        trace on
        let p = remote \(server.url)/secret query: {api_key: "s3cr3t-key, s3cond-key", page: 1} headers: {Authorization: "Bearer pa55-word"} | fetch
        let q = remote \(server.url)/secret query: {
          token: t0ken-value, page: 2,
        } headers: {X-API-Key: 's3cr3t-key'} | fetch
        fetch p
        tree p
        p
        set p headers: {Authorization: pa55-word} key: 1
        """
      let mistakes = """
        let q = remote \(server.url)/secret query: {
          token: t0ken-value, page: 2,
        } headers: {X-API-Key: 's3cr3t-key'} | fetch nonsense
        set q headers: {Authorization: pa55-word} nonsense: 1
        """
      let result = try await inThread {
        try dsshell("--output", style, "--keep-going", "-c", script)
      }
      let mistaken = try await inThread { try dsshell("--output", style, "-c", mistakes) }
      expectNone(in: mistaken.output, mistaken.errors)
      #expect(mistaken.status == 3)
      let shown = result.output + result.errors
      expectNone(in: shown)
      #expect(shown.contains("returned 401 Unauthorized"))
      let first = try #require(server.requests.first)
      #expect(first.target == "/secret?api_key=s3cr3t-key%2C%20s3cond-key&page=1")
      #expect(first.header("Authorization") == "Bearer pa55-word")
    }
  }

  @Test(arguments: ["human", "tap", "junit", "jsonl", "github"])
  func noTestReportShowsThoseOfRecords(report: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "x.ds",
      """
      let p = remote http://example.test/ query: {token: t0ken-value}
      #| nothing
      set p headers: {
        Authorization: "Bearer pa55-word",
      }
      #| nothing
      set p query: {api_key: s3cr3t-key} nonsense: 1
      """)
    let result = try dsshellTest(folder, "x.ds", "--report", report)
    expectNone(in: result.output, result.errors)
    #expect((result.output + result.errors).contains("nonsense"))
  }

  @Test func theCaretIsUnderTheWordAfterTheSecretOfARecord() throws {
    let result = try dsshell(
      "-c", #"remote http://example.test/ query: {token: "a b", page: 1} | nonsense"#)
    #expect(
      result.errors.hasSuffix(
        """
          remote http://example.test/ query: {token: "REDACTED", page: 1} | nonsense
                                                                            ^~~~~~~~

        """))
    let unclosed = try dsshell("-c", "remote http://example.test/ query: {token: t0ken-value")
    expectNone(in: unclosed.output, unclosed.errors)
    #expect(unclosed.errors.contains("is not closed"))
  }
}
