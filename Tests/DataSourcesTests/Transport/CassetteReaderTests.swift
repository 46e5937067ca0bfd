import DataTables
import TestSupport
import Testing

@testable import DataSources

@Suite struct CassetteReaderTests {
  @Test(arguments: [
    ("", 1, "is empty"),
    ("\n# a comment\n", 3, "is empty"),
    ("GET http://a.test/\n", 1, "does not begin with `dsshell cassette 1`"),
    ("dsshell cassette 2\n", 1, "another version"),
    ("dsshell cassette 1\n< 200\n", 2, "`GET` or `POST` and the URL are missing"),
    ("dsshell cassette 1\nGET http://a/\n+ x\n< 200\n", 3, "only a `POST` has a body"),
    (
      "dsshell cassette 1\nPOST http://a/\n< 200\n+ x\n", 4,
      "the body of the request must precede the response"
    ),
    ("dsshell cassette 1\n\nGET http://a.test/\n\n", 3, "has no response"),
    ("dsshell cassette 1\nGET http://a.test/\nGET http://b.test/\n< 200\n", 2, "has no response"),
    ("dsshell cassette 1\nGET http://a.test/\n> Accept\n< 200\n", 3, "a header is `Name: value`"),
    ("dsshell cassette 1\nGET http://a.test/\n< 20O\n", 3, "is a number such as 200"),
    ("dsshell cassette 1\nGET http://a.test/\n< \n", 3, "is a number such as 200"),
    ("dsshell cassette 1\nGET http://a.test/\n| x\n", 3, "the status of the response is missing"),
    (
      "dsshell cassette 1\nGET http://a.test/\n< 200\n> Accept: x\n", 4, "must precede the response"
    ),
    ("dsshell cassette 1\nGET http://a.test/\n< 200\n| x\n< A: b\n", 5, "must precede its body"),
    ("dsshell cassette 1\nGET http://a.test/\n< 200\n| x\n= QQ==\n", 5, "not both"),
    ("dsshell cassette 1\nGET http://a.test/\n< 200\n= Q?\n", 4, "not base64"),
    ("dsshell cassette 1\nGET http://a.test/\n< 200\n~ 3x\n", 4, "`3x` is not a length"),
    ("dsshell cassette 1\nGET http://a.test/\n< 200\n~ 0\n", 4, "`0` is not a length"),
    ("dsshell cassette 1\nGET http://a.test/\n! gone: x\n", 3, "a fault is `dropped:`"),
    ("dsshell cassette 1\nGET http://a.test/\n! timeout soon: x\n", 3, "a fault is `dropped:`"),
    ("dsshell cassette 1\nGET http://a.test/\n! dropped: x\n| y\n", 4, "may follow its fault"),
    ("dsshell cassette 1\nGET http://a.test/\n< 200\nbody\n", 4, "`body` does not begin"),
    ("dsshell cassette 1\nGET http://a.test/\n< 200\n|x\n", 4, "`|x` does not begin"),
    ("dsshell cassette 1\nGET http://a.test/\n< 200\n|\\a\\q\n", 4, "does not begin"),
  ])
  func aMistakeIsReportedWithItsLine(text: String, line: Int, message: String) {
    #expect {
      try CassetteReader.exchanges(in: text)
    } throws: { error in
      guard case TableError.format(let what, at: let place) = error else { return false }
      return place?.line == line && what.contains(message)
    }
  }

  @Test func commentsBlankLinesAndByteOrderMarksAreAccepted() throws {
    let exchanges = try CassetteReader.exchanges(
      in:
        "\u{FEFF}# by hand\ndsshell cassette 1\r\n\r\nGET http://a.test/\r\n# why\r\n<\\200\r\n|\r\n| x"
    )
    #expect(exchanges.count == 1)
    #expect(exchanges.first?.response == RecordedResponse(status: 200, body: Array("\nx".utf8)))
  }

  @Test(arguments: Array(UInt64(1)...8))
  func noTextBreaksTheReader(seed: UInt64) {
    var random = RandomExchanges(seed: seed)
    var read = 0
    for _ in 0..<300 {
      let exchanges = (0..<2).map { _ in random.exchange() }
      var bytes = CassetteText.text(of: exchanges.map(CassetteText.text))
      for _ in 0...random.random.below(4) { damage(&bytes, by: &random.random) }
      do {
        _ = try CassetteReader.exchanges(in: String(decoding: bytes, as: UTF8.self))
        read += 1
      } catch {
        guard case .format(_, .some) = error else {
          Issue.record("seed \(seed): \(error)")
          return
        }
      }
    }
    // Some damaged texts are still valid.
    #expect((1..<300).contains(read), "seed \(seed)")
  }

  private func damage(_ bytes: inout [UInt8], by random: inout SplitMix64) {
    let index = random.below(bytes.count)
    switch random.below(4) {
    case 0: bytes.remove(at: index)
    case 1: bytes[index] = random.one(of: Array("GET<>~|=!#\\ux{}: \n\r09".utf8))
    case 2: bytes.removeSubrange(index..<min(bytes.count, index + random.below(30)))
    default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: index)
    }
    if bytes.isEmpty { bytes = [0x0A] }
  }
}
