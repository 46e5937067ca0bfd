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
}
