import DataTables
import TestSupport
import Testing

@testable import DataSources

@Suite struct CassetteTextTests {
  private func text(_ exchanges: [Exchange]) -> String {
    String(decoding: CassetteText.text(of: exchanges.map(CassetteText.text)), as: UTF8.self)
  }

  @Test(arguments: Array(UInt64(1)...8))
  func writtenExchangesAreReadBack(seed: UInt64) throws {
    var random = RandomExchanges(seed: seed)
    for round in 0..<200 {
      let exchanges = (0..<random.random.below(4)).map { _ in random.exchange() }
      let text = text(exchanges)
      let read = try CassetteReader.exchanges(in: text)
      guard !areSame(read, exchanges) else { continue }
      Issue.record("seed \(seed), round \(round): \(text.debugDescription)")
      return
    }
  }

  /// Whether they have the same bytes: canonically equivalent strings are equal in Swift.
  private func areSame(_ left: [Exchange], _ right: [Exchange]) -> Bool {
    left == right && text(left).utf8.elementsEqual(text(right).utf8)
      && left.map { $0.response?.body } == right.map { $0.response?.body }
  }

  @Test(arguments: Array(UInt64(1)...4))
  func lineEndsOfVersionControlAreAccepted(seed: UInt64) throws {
    var random = RandomExchanges(seed: seed)
    for round in 0..<100 {
      let exchanges = (0..<3).map { _ in random.exchange() }
      let text = text(exchanges)
      let returns = text.split(separator: "\n", omittingEmptySubsequences: false)
        .joined(separator: "\r\n")
      let bare = String(text.dropLast())
      let isSame =
        try areSame(CassetteReader.exchanges(in: returns), exchanges)
        && areSame(CassetteReader.exchanges(in: bare), exchanges)
      guard !isSame else { continue }
      Issue.record("seed \(seed), round \(round): \(text.debugDescription)")
      return
    }
  }

  @Test func theFormatIsStable() {
    let first = Exchange(
      request: RecordedRequest(
        url: "http://127.0.0.1:8000/posts?page=1",
        headers: [HeaderField("Accept", "application/json")]),
      response: RecordedResponse(
        status: 200, headers: [HeaderField("Content-Type", "application/json")],
        body: Array("[{\"id\": 1},\n {\"id\": 2}]\n".utf8), cuts: [4, 8, 12]))
    let second = Exchange(
      request: RecordedRequest(url: "http://127.0.0.1:8000/foods.csv"),
      response: RecordedResponse(
        status: 200, url: "http://127.0.0.1:8000/data/foods.csv",
        body: Array("name,kind \r\nPie,sweet".utf8)),
      fault: .network("127.0.0.1:8000 closed the connection", isTransient: true))
    let third = Exchange(
      request: RecordedRequest(url: "http://127.0.0.1:8000/icon"),
      response: RecordedResponse(status: 404, body: [0, 1, 2, 255]))
    #expect(
      text([first, second, third]) == #"""
        dsshell cassette 1

        GET http://127.0.0.1:8000/posts?page=1
        > Accept: application/json
        < 200
        < Content-Type: application/json
        ~ 4x3
        | [{"id": 1},
        |  {"id": 2}]
        |

        GET http://127.0.0.1:8000/foods.csv
        < 200 http://127.0.0.1:8000/data/foods.csv
        |\name,kind \r
        | Pie,sweet
        ! dropped: 127.0.0.1:8000 closed the connection

        GET http://127.0.0.1:8000/icon
        < 404
        = AAEC/w==

        """#)
  }

  @Test func anEditedBodyKeepsThePiecesThatFit() throws {
    let exchanges = try CassetteReader.exchanges(
      in:
        "dsshell cassette 1\nGET http://a.test/\n< 200\n~ 2 9x2 99999999999x9999999999\n| abcdefghijkl\n"
    )
    #expect(exchanges.first?.response?.cuts == [2, 11])
  }
}
