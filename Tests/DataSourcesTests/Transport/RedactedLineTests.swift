import TestSupport
import Testing

@testable import DataSources

@Suite struct RedactedLineTests {
  @Test(arguments: [
    ("remote http://a.test/?key=abc | fetch", "remote http://a.test/?key=REDACTED | fetch"),
    ("`https://me:pw@a.test/`; key=abc", "`https://REDACTED@a.test/`; key=abc"),
    ("(see http://a.test/?token=abc).", "(see http://a.test/?token=REDACTED)."),
    ("GET http://a.test/?key=env KEY&page=2", "GET http://a.test/?key=env KEY&page=2"),
    ("{key: http://a.test/?key=a&page=1}", "{key: http://a.test/?key=REDACTED&page=1}"),
    ("a // b ://?key=c", "a // b ://?key=c"), ("", ""),
  ])
  func secretsOfURLsAreRedacted(text: String, expected: String) {
    #expect(text.redactingSecrets == expected)
  }

  @Test func offsetsFollowTheText() {
    let line = RedactedLine("é http://me:pw@h/?key=a b")
    #expect(line.text == "é http://REDACTED@h/?key=REDACTED b")
    // Before the login, within it, at `@`, at the value, after it.
    #expect([0, 9, 11, 14, 22, 23, 24].map(line.offset) == [0, 9, 9, 17, 25, 33, 34])
  }

  @Test(arguments: [
    ("remote u query: {token: abc}", "remote u query: {token: REDACTED}"),
    (
      #"remote u query: {page: 1, "api_key": "x y", key:'a,b', tag: [new, "b c"]} | fetch"#,
      #"remote u query: {page: 1, "api_key": "REDACTED", key:'REDACTED', tag: [new, "b c"]} | fetch"#
    ),
    (
      #"set p headers: {Authorization: "Bearer \"x\"", Accept: text/csv} keyPath: a.token"#,
      #"set p headers: {Authorization: "REDACTED", Accept: text/csv} keyPath: a.token"#
    ),
    (
      #"remote u headers: {} query: {token: ["a b", c, env T], n: {a: [1]}}"#,
      #"remote u headers: {} query: {token: ["REDACTED", REDACTED, env T], n: {a: [1]}}"#
    ),
    (
      "(remote u query:{token:abc}) ; stub v w headers: { X-API-Key : abc }",
      "(remote u query:{token:REDACTED}) ; stub v w headers: { X-API-Key : REDACTED }"
    ),
    (
      "remote u headers: {Authorization: env API_TOKEN, Cookie: null, session: a}",
      "remote u headers: {Authorization: env API_TOKEN, Cookie: null, session: a}"
    ),
    ("remote u query: {token: {a: b}, x: 1}", "remote u query: {token: REDACTED, x: 1}"),
    ("`headers: {token: abc}` is", "`headers: {token: REDACTED}` is"),
    (
      "remote u body: {password: abc, kind: fruit}",
      "remote u body: {password: REDACTED, kind: fruit}"
    ),
    ("remote u user: ann password: abc | fetch", "remote u user: ann password: REDACTED | fetch"),
    (#"open u password: "a b"; x"#, #"open u password: "REDACTED"; x"#),
    ("remote u keyPassword: abc", "remote u keyPassword: REDACTED"),
    (
      "remote u password: env PASSWORD auth: digest", "remote u password: env PASSWORD auth: digest"
    ),
    ("`set x password: abc` is", "`set x password: REDACTED` is"),
    (
      "remote u body: ({a: 1}) user: ann password: hunter22 | fetch",
      "remote u body: ({a: 1}) user: ann password: REDACTED | fetch"
    ),
    (
      "remote u body: ({token: abc}) password: hunter22",
      "remote u body: ({token: REDACTED}) password: REDACTED"
    ),
    (
      #"remote "http://h/x;v=1" user: ann password: hunter22"#,
      #"remote "http://h/x;v=1" user: ann password: REDACTED"#
    ),
    (
      #"remote "http://h/x?q=(a)|`b" password: hunter22"#,
      #"remote "http://h/x?q=(a)|`b" password: REDACTED"#
    ),
    ("remote http://h/x;v=(1 password: a", "remote http://h/x;v=(1 password: REDACTED"),
    (
      "(remote u query: {a: 1} password: abc) password: 1",
      "(remote u query: {a: 1} password: REDACTED) password: 1"
    ),
    (
      "remote u body: {\n  a: 1,\n  b: 2\n} password: abc",
      "remote u body: {\n  a: 1,\n  b: 2\n} password: REDACTED"
    ),
    (
      "remote u headers: {} \\\n  password: abc\nupdate x password: 1",
      "remote u headers: {} \\\n  password: REDACTED\nupdate x password: 1"
    ),
    (
      "remote u \\\r\n  password: abc\r\nupdate x password: 1",
      "remote u \\\r\n  password: REDACTED\r\nupdate x password: 1"
    ),
    (
      "remote u | fetch; update x password: 1 | remote v password: abc",
      "remote u | fetch; update x password: 1 | remote v password: REDACTED"
    ),
    (
      "multi (remote u password: abc) (update x password: 1)",
      "multi (remote u password: REDACTED) (update x password: 1)"
    ),
    ("simple [{password: 1}]", "simple [{password: 1}]"),
    ("x password:", "x password:"), ("x password: |", "x password: |"),
  ])
  func secretsOfRequestsAreRedacted(text: String, expected: String) {
    #expect(text.redactingSecrets == expected)
  }

  @Test(arguments: [
    #"remote u query: {token: "a b"#, "remote u query: {token: abc | fetch", "x query: {token abc}",
    "x headers: {Cookie=abc}", "x headers: {[1], Cookie: abc}", "x query: {token: [a b}, key: c",
    "x headers: {Authorization: Bearer abc}", "x ' headers: {Cookie: abc}",
    "x query: {token: (a b), key: [[c], b]}", "x query: {n: [#c, 1], token: abc}",
  ])
  func secretsOfInvalidRecordsAreRedacted(text: String) {
    let redacted = text.redactingSecrets
    #expect(!redacted.contains("abc") && !redacted.contains("a b") && redacted.contains("REDACTED"))
  }

  @Test(arguments: [
    "simple [{token: 1}]", "simple [{query: {token: 1}}]", "insert x {id: 1, headers: {token: 1}}",
    #"simple [{"query": {"token": "abc"}}]"#, "update x token: abc password: 1",
    "remote u subquery: {token: 1}", "x query: abc {token: 1}", "x 'a query: {token: 1}'",
    "x # query: {token: 1}", "x query: {sort_key: name, page: 1}", "query:", "x query: {", "'",
  ])
  func otherRecordsAreUnchanged(text: String) {
    #expect(text.redactingSecrets == text)
  }

  @Test func aRecordMayBeginInAnEarlierLine() {
    let line = RedactedLine("  token: abc, page: 1,", after: "remote u query: {\n  n: 2,\n")
    #expect(line.text == "  token: REDACTED, page: 1,")
    #expect([8, 9, 12, 13].map(line.offset) == [8, 9, 17, 18])
    let ended = "remote u query: {n: 2}\n"
    #expect(RedactedLine("update x token: abc", after: ended).text == "update x token: abc")
    #expect(RedactedLine("abc\"}", after: "remote u query: {token: \"\n").text == "REDACTED\"}")
  }

  @Test func offsetsFollowTheTextAfterARecord() {
    let text = #"remote u query: {token: "é b", key: c} | nonsense"#
    let line = RedactedLine(text)
    #expect(line.text == #"remote u query: {token: "REDACTED", key: REDACTED} | nonsense"#)
    // Before the value, within it, at its quote, at the next value, at the last word.
    #expect([24, 25, 26, 28, 36, 41].map(line.offset) == [24, 25, 25, 33, 41, 53])
  }

  @Test func anyTextIsRedactedWithoutATrap() {
    let parts = [
      "query: {", "headers: {", "token", ":", " ", "\"", "'", "[", "]", "{", "}", "(", ")", ",",
      "#",
      "\\", "é", "\n", "abc",
    ]
    for seed in 0..<UInt64(300) {
      var random = SplitMix64(seed: seed)
      let text = (0..<random.below(24)).map { _ in random.one(of: parts) }.joined()
      let line = RedactedLine(text, after: "query: {")
      let end = line.offset(of: text.count)
      #expect(end == line.text.count, "seed \(seed)")
    }
  }
}
