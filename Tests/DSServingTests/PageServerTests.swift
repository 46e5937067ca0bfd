import DataSources
import DataTables
import Foundation
import Glibc
import Testing

@testable import DSInterpreter
@testable import DSServing

/// Real requests to a page of a real session.
@Suite struct PageServerTests {
  @Test func thePageHasNoContentOfOtherHosts() async throws {
    let session = try await ServedSession.letters()
    for path in ["", "page.css", "page.js", "icon.svg"] {
      let response = try await session.get(path)
      #expect(response.status == 200, "\(path)")
      #expect(!response.body.isEmpty, "\(path)")
      let text = response.body.replacing("http://www.w3.org/2000/svg", with: "")
      #expect(!text.contains("http:") && !text.contains("https:"), "\(path)")
    }
  }

  @Test(arguments: ["", "page.js", "session", "rows?source=1&content=1", "missing"])
  func everyResponseIsProtected(path: String) async throws {
    let session = try await ServedSession.letters()
    let head = try await session.get(path).head
    for line in [
      "Content-Security-Policy: default-src 'none'; script-src 'self';",
      "X-Content-Type-Options: nosniff", "Cache-Control: no-store",
      "Referrer-Policy: no-referrer",
    ] { #expect(head.contains(line), "\(path): \(line)") }
  }

  @Test func refusalsSayWhy() async throws {
    let session = try await ServedSession.letters()
    let (port, token) = (try session.page.port, try session.page.token)
    func answer(_ head: String) async -> RawResponse {
      let connection = RawConnection(port: port)
      connection.send(head + "Connection: close\r\n\r\n")
      return RawResponse(await connection.read())
    }
    let host = "Host: 127.0.0.1:\(port)\r\n"
    let wrongToken = await answer("GET /0000/ HTTP/1.1\r\n\(host)")
    #expect(wrongToken.status == 404 && wrongToken.body.contains("open the printed address"))
    let rebound = await answer("GET /\(token)/ HTTP/1.1\r\nHost: evil.test:\(port)\r\n")
    #expect(rebound.status == 403 && rebound.body.contains("http://127.0.0.1:\(port)"))
    let twoHosts = await answer("GET /\(token)/ HTTP/1.1\r\n\(host)Host: evil.test\r\n")
    #expect(twoHosts.status == 403)
    let crossSite = await answer(
      "GET /\(token)/session HTTP/1.1\r\n\(host)Sec-Fetch-Site: cross-site\r\n")
    #expect(crossSite.status == 403 && crossSite.body == "Requests of other sites are refused.\n")
    let post = await answer("POST /\(token)/session HTTP/1.1\r\n\(host)Content-Length: 0\r\n")
    #expect(post.status == 405)
  }

  @Test func rowsHaveSectionsAndCells() async throws {
    let session = try await ServedSession.letters()
    let body = try await session.get("rows?source=1&content=1&start=0").body
    #expect(
      body == """
        {"start":0,"items":[{"s":0,"start":0,"n":1,"t":"A"},{"s":0,"r":0,"c":["Apple","fruit"]},\
        {"s":1,"start":2,"n":2,"t":"P"},{"s":1,"r":0,"c":["Papaya","fruit"]},\
        {"s":1,"r":1,"c":["Pie","sweet"]}],"headers":[{"s":0,"start":0,"n":1,"t":"A"},\
        {"s":1,"start":2,"n":2,"t":"P"}]}
        """)
  }

  @Test(arguments: [
    ("rows?source=1&content=7", 410), ("rows?source=9&content=1", 404), ("rows", 404),
    ("object?source=1&content=1", 404), ("rows?source=x&content=1", 404),
    ("value?source=1&content=1&section=0&row=0&field=99", 404), ("lanes.svg?source=9", 404),
  ])
  func wrongRequestsAreAnswered(path: String, status: Int) async throws {
    let session = try await ServedSession.letters()
    let response = try await session.get(path)
    #expect(response.status == status)
  }

  @Test func aMissingRowIsAnError() async throws {
    let session = try await ServedSession.letters()
    let answer = try await session.json("object?source=1&content=1&section=5&row=0")
    #expect(answer["error"] != nil)
  }

  @Test func anEditIsNewContentWithItsChanges() async throws {
    var session = try await ServedSession.letters()
    await session.run("insert foods {name: Peach, kind: fruit}")
    let entry = try await session.entry()
    #expect(entry["content"] == 2)
    #expect(entry["status"] == "letters: 2 sections, 4 objects")
    let changes = try await session.json("changes?source=1&from=1&content=2&first=0&count=5")
    #expect(changes["lines"] == .array(["insert [1, 1]"]))
    #expect(changes["positions"] == .array([0, 1, 2, 3, 5]))
    #expect(changes["inserted"] == .array([4]))
  }

  @Test func anExplanationWaitsForTheSession() async throws {
    var session = try await ServedSession.letters()
    let page = try session.page
    async let asked = page.json("explain?source=1&content=1&section=1&row=1")
    for _ in 0..<2_000 where !session.hasQuestion { try await Task.sleep(for: .milliseconds(5)) }
    await session.attend()
    let answer = try await asked
    #expect(answer["headline"] == "letters [1, 1] is Pie")
    guard case .array(let notes)? = answer["notes"] else { return }
    #expect(notes.count > 1)
  }

  @Test func anExplanationOfAnOldContentIsRefused() async throws {
    var session = try await ServedSession.letters()
    let page = try session.page
    async let asked = page.json("explain?source=1&content=1&section=1&row=1")
    for _ in 0..<2_000 where !session.hasQuestion { try await Task.sleep(for: .milliseconds(5)) }
    await session.run("insert foods {name: Peach, kind: fruit}")
    let answer = try await asked
    #expect(answer["error"] == "the content has changed since; choose the row again")
  }

  @Test func eventsAreSentAsTheyHappen() async throws {
    var session = try await ServedSession.letters()
    let (port, token) = (try session.page.port, try session.page.token)
    let stream = RawConnection(port: port)
    stream.send("GET /\(token)/events?after=0 HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
    let head = await stream.read(until: "retry: 1000")
    #expect(head.contains("Content-Type: text/event-stream"))
    await session.run("fetch letters")
    let messages = await stream.read(until: "\"content\":2")
    #expect(messages.contains("\"name\":\"letters\",\"event\":\"finished\""))
    await session.run("serve off")
    let end = await stream.read(until: "ended")
    #expect(end.contains("{\"type\":\"ended\"}"))
  }

  @Test func aBrowserThatDisappearsDisturbsNoOther() async throws {
    var session = try await ServedSession.letters()
    let (port, token) = (try session.page.port, try session.page.token)
    let request = "GET /\(token)/events?after=0 HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
    for _ in 0..<8 {
      let stream = RawConnection(port: port)
      stream.send(request)
      _ = await stream.read(until: "retry")
    }
    let other = RawConnection(port: port)
    other.send(request)
    _ = await other.read(until: "retry")
    for _ in 0..<5 { await session.run("fetch letters") }
    let messages = await other.read(until: "\"content\":6")
    #expect(messages.contains("\"content\":6"))
  }

  @Test func largeMessagesAreDroppedEarlier() async {
    let publication = Publication()
    let large = String(repeating: "x", count: 1 << 20)
    for _ in 0..<20 { publication.send(["type": "event", "detail": .string(large)]) }
    guard case .lost = await publication.messages(after: 8) else {
      Issue.record("more than 8 MiB are kept")
      return
    }
    guard case .some(let messages) = await publication.messages(after: 18) else {
      Issue.record("the last messages are lost")
      return
    }
    #expect(messages.map(\.number) == [19, 20])
  }

  @Test func smallMessagesBeforeLargeOnesAreDropped() async {
    let publication = Publication()
    for number in 0..<100 { publication.send(["n": .integer(number)]) }
    let large = String(repeating: "x", count: 5 << 20)
    for _ in 0..<2 { publication.send(["type": "event", "detail": .string(large)]) }
    guard case .lost = await publication.messages(after: 100),
      case .some(let messages) = await publication.messages(after: 101)
    else {
      Issue.record("not exactly the last message is kept")
      return
    }
    #expect(messages.map(\.number) == [102])
  }

  @Test func aSlowBrowserStartsAgain() async {
    let publication = Publication()
    for number in 0..<2_000 { publication.send(["n": .integer(number)]) }
    guard case .lost = await publication.messages(after: 3) else {
      Issue.record("3 is still known")
      return
    }
    guard case .some(let messages) = await publication.messages(after: 1_990) else {
      Issue.record("1,990 is lost")
      return
    }
    #expect(messages.map(\.number) == Array(1_991...2_000))
  }

  // MARK: Sources that change

  @Test func aNewNameIsShown() async throws {
    var session = try await ServedSession.letters()
    await session.run("rename letters byLetter")
    let entry = try await session.entry()
    #expect(entry["name"] == "byLetter")
    #expect(entry["content"] == 1)
  }

  @Test func aNameThatIsBoundAgainIsFollowed() async throws {
    var session = try await ServedSession.letters()
    await session.run("let letters = sectioned foods key: kind sort: kind | fetch")
    let entry = try await session.entry()
    #expect(entry["sections"] == 2)
    await session.run("insert foods {name: Leek, kind: vegetable}")
    let edited = try await session.entry()
    #expect(edited["sections"] == 3)
  }

  @Test func aDroppedSourceKeepsItsLastContent() async throws {
    var session = try await ServedSession.letters()
    await session.run("drop letters; insert foods {name: Leek, kind: vegetable}")
    let entry = try await session.entry()
    #expect(entry["isDropped"] == true)
    #expect(entry["objects"] == 3)
    let rows = try await session.get("rows?source=1&content=1").body
    #expect(rows.contains("Papaya"))
  }

  @Test func anUnnamedSourceIsServed() async throws {
    var session = ServedSession()
    await session.run("serve (simple [Pie, Tea]); print 1; print 2")
    let entry = try await session.entry()
    #expect(entry["objects"] == 2)
    #expect(entry["isDropped"] == nil)
  }

  @Test func aSourceThatWasNotFetchedHasNoContent() async throws {
    var session = ServedSession()
    await session.run(
      "let foods = simple [{name: Pie}]; let letters = sectioned foods key: name; serve letters")
    let entry = try await session.entry()
    #expect(entry["fetched"] == false)
    #expect(entry["content"] == nil)
    #expect(entry["status"] == "letters: sectioned over foods, not fetched yet (fetch letters)")
    await session.run("fetch letters")
    let fetched = try await session.entry()
    #expect(fetched["content"] == 1)
  }

  @Test func aFailedFetchKeepsTheContent() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/serve-\(UUID().uuidString).csv"
    try "name\nPie\n".write(toFile: path, atomically: true, encoding: .utf8)
    var session = ServedSession()
    await session.run("let foods = load \"\(path)\"; serve foods")
    try FileManager.default.removeItem(atPath: path)
    await session.run("fetch foods")
    let entry = try await session.entry()
    guard case .string(let error)? = entry["error"] else {
      Issue.record("no error")
      return
    }
    #expect(error.contains("No such file"))
    #expect(entry["content"] == 1)
    let rows = try await session.get("rows?source=1&content=1").body
    #expect(rows.contains("Pie"))
  }

  /// The commands that a page lists.
  private func commands(of session: ServedSession) async throws -> Value {
    let shown = try #require(try await session.json("session")["session"])
    guard case .record(let record) = shown else { return shown }
    return try #require(record["commands"])
  }

  @Test func theCommandsLeadToTheSources() async throws {
    var session = try await ServedSession.letters()
    await session.run("let other = simple [1]; insert foods {name: Tea, kind: drink}; count foods")
    let shown = try await commands(of: session)
    #expect(
      shown
        == .array([
          """
          let foods = simple [{name: Pie, kind: sweet}, {name: Papaya, kind: fruit}, \
          {name: Apple, kind: fruit}]
          """,
          "let letters = sectioned foods key: name.firstCharacter sort: name | fetch",
          "insert foods {name: Tea, kind: drink}",
        ]))
  }

  @Test func commandsThatLeadNowhereAreLeftOut() async throws {
    var session = ServedSession()
    await session.run(
      """
      let a = simple [1]
      rename a b
      serve b
      let c = simple [2]
      let d = limit b 1
      serve d
      drop c
      drop b
      """)
    let shown = try await commands(of: session)
    #expect(shown == .array(["let a = simple [1]", "rename a b", "let d = limit b 1"]))
    await session.run("quit")
    let last = try await commands(of: session)
    #expect(last == shown)
  }

  @Test func manyCommandsAreCounted() async throws {
    var session = try await ServedSession.letters()
    await session.run(Array(repeating: "count foods", count: 200).joined(separator: "\n"))
    let shown = try await commands(of: session)
    #expect(shown == ["# 203 commands; `history save FILE` writes them"])
  }

  @Test func theLanesShowTheEventsOfAnEdit() async throws {
    var session = try await ServedSession.letters()
    await session.run("insert foods {name: Tea, kind: drink}")
    let response = try await session.get("lanes.svg?source=1")
    #expect(response.head.contains("Content-Type: image/svg+xml"))
    #expect(response.head.contains("Content-Security-Policy: default-src 'none'; style-src"))
    for text in ["delegate", "letters", "foods", "changes", "3 sections, 4 objects"] {
      #expect(response.body.contains(text), "\(text)")
    }
  }

  // MARK: The command

  @Test func aSecondServeAddsToTheSamePage() async throws {
    var session = try await ServedSession.letters()
    let first = try session.page
    await session.run("serve foods; serve letters")
    let second = try session.page
    #expect(first == second)
    #expect(session.output.last?.hasPrefix("letters, foods: http://127.0.0.1:") == true)
  }

  @Test func thePortCanBeChosen() async throws {
    var session = try await ServedSession.letters()
    let port = try session.page.port
    var other = ServedSession()
    await other.run("let a = simple [1]; serve a port: \(port)")
    #expect(
      other.output.last == """
        error: cannot listen on port \(port): Address already in use; add another `port:`, or omit it \
        for a free one
        """)
    await session.run("serve letters port: \(port == 4000 ? 4001 : 4000)")
    #expect(
      session.output.last == """
        error: the page is served on port \(port); enter `serve off` to change the port
        """)
    await session.run("serve off")
    await other.run("serve a port: \(port)")
    #expect(try other.page.port == port)
  }

  @Test func serveOffNeedsAPage() async {
    var session = ServedSession()
    await session.run("serve off")
    await session.run("serve")
    #expect(
      session.output == [
        "error: no page is served (serve SOURCE)", "error: no page is served (serve SOURCE)",
      ])
  }

  @Test func theServerEndsWithItsSession() async throws {
    let port: UInt16
    do {
      let session = try await ServedSession.letters()
      port = try session.page.port
    }
    for _ in 0..<500 {
      var session = ServedSession()
      await session.run("let a = simple [1]; serve a port: \(port)")
      if session.output.last?.hasPrefix("a: ") == true { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    Issue.record("port \(port) is still in use")
  }
}

extension ServedSession {
  /// Whether a browser waits for an answer of the session.
  fileprivate var hasQuestion: Bool {
    interpreter.session.followerDescriptors.contains { descriptor in
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return poll(&polled, 1, 0) > 0
    }
  }
}
