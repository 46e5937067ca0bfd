import DataTables
import Testing

@testable import DataSources

@Suite struct RedactorTests {
  private func redactor(knowing secret: String) -> Redactor {
    var redactor = Redactor()
    let value = RequestValue.secret(secret, symbol: "env X")
    _ = redactor.learn(
      from: TransportRequest(url: "http://a.test/", headers: [RequestParameter("X-Any", value)]))
    return redactor
  }

  @Test(arguments: [
    ("a=1&token=abc&b=2", "a=1&token=REDACTED&b=2"),
    (
      "key=abc&sort_key=name&group-key=city&keys=a",
      "key=REDACTED&sort_key=name&group-key=city&keys=a"
    ),
    (
      "<http://a.test/?page=2&access_token=abc>; rel=next",
      "<http://a.test/?page=2&access_token=REDACTED>; rel=next"
    ),
    (
      #"{"next": "http:\/\/a.test\/?p=2\u0026api_key=a\/b"}"#,
      #"{"next": "http:\/\/a.test\/?p=2\u0026api_key=REDACTED"}"#
    ),
    (#"{"Access-Token": "a\"b", "id": 1}"#, #"{"Access-Token": "REDACTED", "id": 1}"#),
    (#"{"password" : 12345, "id": 1}"#, #"{"password" : "REDACTED", "id": 1}"#),
    (
      #"{"secret": ["a", {"kind": "b", "n": -1.5e3}], "id": 1}"#,
      #"{"secret": ["REDACTED", {"kind": "REDACTED", "n": "REDACTED"}], "id": 1}"#
    ),
    (#"{"token": null, "cookie": true, "id": 1}"#, #"{"token": null, "cookie": true, "id": 1}"#),
    (#"{"text": "{\"token\": \"abc\"}"}"#, #"{"text": "{\"token\": \"REDACTED\"}"}"#),
    (
      "Host: a.test\nAuthorization: Bearer a b\nAccept: x",
      "Host: a.test\nAuthorization: REDACTED\nAccept: x"
    ),
    (
      #"{"sent": "Authorization: Bearer a", "id": 1}"#,
      #"{"sent": "Authorization: REDACTED", "id": 1}"#
    ),
    ("password='a b' next", "password='REDACTED' next"),
    (#"{"token": "REDACTED"}"#, #"{"token": "REDACTED"}"#),
    ("the token of a password: none", "the token of a password: none"),
    (
      #"{"tokens": 12, "key": "name", "url": "http://a.test/?sort=name"}"#,
      #"{"tokens": 12, "key": "name", "url": "http://a.test/?sort=name"}"#
    ),
    (#"{"token": "#, #"{"token": "#),
    (#"{"token": "abc"#, #"{"token": "REDACTED"#),
    (#"{"token": [1, [2"#, #"{"token": ["REDACTED", ["REDACTED""#),
    ("token=", "token="), ("token=token=a&token=b", "token=REDACTED&token=REDACTED"),
    (
      #"{"token": {"token": {"a": "b"}}, "password": "c"}"#,
      #"{"token": {"token": {"a": "REDACTED"}}, "password": "REDACTED"}"#
    ),
  ])
  func namedSecretsAreRedacted(text: String, expected: String) {
    #expect(Redactor().redacted(text) == expected)
  }

  @Test(arguments: [
    ("http://ann:pa55@a.test/x", "http://REDACTED@a.test/x"),
    ("http://a.test/x?key=abc&q=1", "http://a.test/x?key=REDACTED&q=1"),
    ("http://a.test/@ann?q=1@2", "http://a.test/@ann?q=1@2"),
    ("http://a.test/x?api%5Fkey=a,b&q=1,2", "http://a.test/x?api%5Fkey=REDACTED&q=1,2"),
    ("http://a.test/x?key=REDACTED", "http://a.test/x?key=REDACTED"),
  ])
  func secretsInURLsAreRedacted(url: String, expected: String) {
    #expect(Redactor().redacted(url: url) == expected)
  }

  @Test(arguments: [
    "x s3cr3t/+ é\"y", "x s3cr3t%2F%2B%20%C3%A9%22y", "x s3cr3t%2f%2b+%c3%a9%22y",
    #"x s3cr3t\/+ \u00e9\"y"#, "x s3cr3t/%2B é%22y", "x s3cr3t%252F%252B%2520%25C3%25a9%2522y",
    #"x s3cr3t\/+ \\u00e9\\\"y"#, "x s3cr3t&#47;&#x2b; &#233;&quot;y", "x s3cr3t/+ é\"\"y",
    "x 7333637233742f2b20c3a922y", "x 7333637233742F2B20C3A922y",
  ])
  func aSecretIsFoundInEveryEncoding(text: String) {
    let redacted = redactor(knowing: "s3cr3t/+ é\"").redacted(text)
    #expect(redacted == "x REDACTEDy")
  }

  @Test(arguments: ["", "u:", "user:", "ab"], ["", ":", "::x"])
  func aSecretIsFoundInBase64(before: String, after: String) {
    let redactor = redactor(knowing: "s3cr3t~?>value")
    let text = Base64.encoded(Array((before + "s3cr3t~?>value" + after).utf8))
    let forURLs = String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    for text in [text, forURLs] {
      let redacted = redactor.redacted("Basic \(text), \(text)")
      let known = text.dropFirst(4).prefix(12)
      #expect(redacted.contains("REDACTED") && !redacted.contains(known), "\(text): \(redacted)")
    }
  }

  @Test(arguments: ["\n", "\r\n", #"\n"#, #"\r\n"#])
  func aSecretIsFoundInLinesOfBase64(lineBreak: String) {
    let secret = "a long secret with many characters, so that its base64 has lines"
    let text = Array(Base64.encoded(Array("user:\(secret)".utf8)))
    let lines = stride(from: 0, to: text.count, by: 20).map {
      String(text[$0..<min($0 + 20, text.count)])
    }
    let redacted = redactor(knowing: secret).redacted(lines.joined(separator: lineBreak))
    #expect(redacted.contains("REDACTED"))
    for line in lines.dropFirst() { #expect(!redacted.contains(line.prefix(12))) }
  }

  @Test func credentialsAreSecretWithoutTheirScheme() {
    let login = Base64.encoded(Array("ann:hunter2-hunter2".utf8))
    var redactor = Redactor()
    let header = RequestParameter("Authorization", .plain("Basic \(login)"))
    let isNew = redactor.learn(
      from: TransportRequest(url: "http://a.test/", headers: [header]))
    #expect(isNew)
    #expect(redactor.redacted("you are hunter2-hunter2, \(login)") == "you are REDACTED, REDACTED")
    let isNewAgain = redactor.learn(
      from: TransportRequest(url: "http://a.test/", headers: [header]))
    #expect(!isNewAgain)
  }

  @Test func secretsInABodyAreLearned() {
    var redactor = Redactor()
    let body: Value = [
      "token": "qwertyuiop123", "inner": [["password": [123456789, true]]], "kind": "vegetable",
      "secret": "short",
    ]
    _ = redactor.learn(
      from: TransportRequest(url: "http://a.test/", body: RequestBody(query: body)))
    #expect(
      redactor.redacted("qwertyuiop123 (123456789) for a short vegetable")
        == "REDACTED (REDACTED) for a short vegetable")
  }

  private static let logins: [(user: RequestValue, password: RequestValue?, login: String)] = [
    (.plain("sk_live_abc"), nil, "c2tfbGl2ZV9hYmM6"),
    (.plain("sk_live_abc"), .plain(""), "c2tfbGl2ZV9hYmM6"),
    (.secret("sk_live_abc", symbol: "env KEY"), nil, "c2tfbGl2ZV9hYmM6"),
    (.secret("sk_live_abc", symbol: "env KEY"), .missing(symbol: "env P"), "c2tfbGl2ZV9hYmM6"),
    (.secret("sk_live_abc", symbol: "env KEY"), .plain("x"), "c2tfbGl2ZV9hYmM6eA=="),
  ]

  @Test(arguments: logins)
  func aUserThatIsATokenIsASecret(user: RequestValue, password: RequestValue?, login: String) {
    var request = TransportRequest(url: "http://a.test/")
    request.identity.user = user
    request.identity.password = password
    let redacted = request.redacting("no sk_live_abc, Basic \(login)")
    #expect(!redacted.contains("sk_live_abc") && !redacted.contains("c2tfbGl2"))
    request.identity.user = .plain("annabella")
    request.identity.password = .secret("pa55word", symbol: "env KEY")
    #expect(request.redacting("no annabella") == "no annabella")
  }

  @Test func aBacktickAfterASecretIsKept() {
    #expect(Redactor().redacted("`/x?key=ab` is") == "`/x?key=REDACTED` is")
    #expect(Redactor().redacted("key=a`b is") == "key=REDACTED is")
  }

  @Test func aNumberStaysAValueOfJSON() throws {
    let redacted = redactor(knowing: "1234").redacted(#"{"id": 9912345, "s": "a1234b"}"#)
    #expect(redacted == #"{"id": "REDACTED", "s": "aREDACTEDb"}"#)
    _ = try Value(json: redacted)
  }

  @Test func redactionIsStable() {
    let redactor = redactor(knowing: "RED")
    #expect(redactor.redacted("RED REDACTED") == "REDACTED REDACTED")
  }

  @Test func theEndsOfPiecesMoveWithTheText() {
    let redactor = redactor(knowing: "secret")
    let bytes = Array("ab secret cd secret ef".utf8)
    let (body, cuts) = redactor.redacted(bytes, cuts: [1, 3, 5, 9, 11, 19, 21])
    #expect(String(decoding: body, as: UTF8.self) == "ab REDACTED cd REDACTED ef")
    #expect(cuts == [1, 3, 11, 11, 13, 23, 25])
  }
}
