import DataTables
import Testing

@testable import DSRendering

@Suite struct ValueTextTests {
  @Test func theStringNullDiffersFromTheValue() {
    #expect(Value.string("null").text == "\"null\"")
    #expect(Value.null.text == "null")
    #expect(Value.string("NULL").text == "NULL")
  }

  @Test func nestedStringsAreQuoted() {
    #expect(Value.array(["a\"b\\c\nd"]).text == #"["a\"b\\c\nd"]"#)
  }

  @Test func bytesAreHexadecimal() {
    #expect(Value.data([0, 255, 16]).text == "<00ff10>")
    #expect(Value.data(Array(repeating: 1, count: 2000)).text.hasSuffix("01… 2,000 bytes>"))
  }
}

@Suite struct ByteScaleTests {
  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (9_999, "9.9 kB"), (10_000, "10 kB"),
    (999_999, "999 kB"), (1_000_000, "1.0 MB"), (41_300, "41 kB"), (2_100_000_000, "2.1 GB"),
    (Int.max, "9.2 EB"),
  ])
  func numbersHaveAtMostThreeDigits(count: Int, text: String) {
    #expect(ByteScale(for: count).text(count) == text)
  }

  @Test(arguments: [
    (0, 190_000_000, "  0"), (190_000_000, 190_000_000, "190"), (20_000, 2_100_000, "0.0"),
    (2_050_000, 2_100_000, "2.0"), (7, 512, "  7"),
  ])
  func aGrowingNumberKeepsItsWidth(count: Int, total: Int, text: String) {
    #expect(ByteScale(for: total).padded(count, as: total) == text)
  }
}
