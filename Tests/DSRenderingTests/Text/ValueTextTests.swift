import DataTables
import Testing

@testable import DSRendering

@Suite struct ValueTextTests {
  @Test func theStringNullIsNotTheValue() {
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

  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (1_988_214, "1,988,214"), (-1000, "-1,000"),
    (Int.min, "-9,223,372,036,854,775,808"),
  ])
  func thousandsAreSeparated(number: Int, text: String) {
    #expect(number.grouped == text)
  }
}
