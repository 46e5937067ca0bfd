import TestSupport
import Testing

@testable import DataTables

struct TextLinesTests {
  private func lines(_ text: String, _ ends: TextLines.Ends) -> [String] {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBytes { raw in
      TextLines(raw, ends: ends).map { String(decoding: bytes[$0.range], as: UTF8.self) }
    }
  }

  @Test(arguments: [
    ("a\nb", ["a", "b"], ["a", "b"]), ("a\r\nb\r\n", ["a", "b"], ["a", "b"]),
    ("a\rb\n", ["a", "b"], ["a\rb"]), ("\n\n", ["", ""], ["", ""]), ("", [], []),
    ("a\r\r\nb", ["a", "", "b"], ["a", "b"]), ("a\r", ["a"], ["a\r"]), ("a", ["a"], ["a"]),
  ])
  func linesEndAtTheirEnds(text: String, any: [String], feed: [String]) {
    #expect(lines(text, .any) == any)
    #expect(lines(text, .feed) == feed)
  }

  @Test(arguments: 1...3)
  func linesAreNumberedAndAdjacent(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    for _ in 0..<200 {
      let text = (0..<random.below(40)).map { _ in random.one(of: ["a", "\n", "\r", "\r\n", "é"]) }
      let bytes = Array(text.joined().utf8)
      bytes.withUnsafeBytes { raw in
        var (start, number) = (0, 0)
        for line in TextLines(raw) {
          number += 1
          #expect(line.range.lowerBound == start && line.number == number)
          #expect(!bytes[line.range].contains { $0 == 0x0A || $0 == 0x0D })
          #expect(line.isLast == (line.range.upperBound == bytes.count))
          start = line.next
        }
        #expect(start == bytes.count)
      }
    }
  }
}
