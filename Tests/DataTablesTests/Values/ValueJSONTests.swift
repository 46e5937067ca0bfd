import Testing

@testable import DataTables

@Suite struct ValueJSONTests {
  @Test(
    arguments: [
      (.null, "null"), (true, "true"), (-7, "-7"), (Value(literal: "1.50"), "1.50"),
      (Value(literal: "12345678901234567890"), "12345678901234567890"),
      (Value(literal: "2012-11-01 10:30"), "\"2012-11-01 10:30\""),
      ("a\"b\\c/d", #""a\"b\\c/d""#),
      ("\u{1}\u{8}\t\n\u{C}\r\u{1F}\u{7F}", "\"\\u0001\\b\\t\\n\\f\\r\\u001f\u{7F}\""),
      ("é😀\u{2028}", "\"é😀\u{2028}\""), ("", "\"\""), ("\0", "\"\\u0000\""),
      (.data([]), "\"\""), (.data([0]), "\"AA==\""), (.data([255, 254]), "\"//4=\""),
      (.data([77, 97, 110]), "\"TWFu\""), ([], "[]"), ([1, [nil], "x"], #"[1,[null],"x"]"#),
      ([:], "{}"),
      (["b": 1, "a\n": ["é"]], #"{"b":1,"a\n":["é"]}"#),
    ] as [(Value, String)])
  func aValueIsWrittenOnOneLine(_ value: Value, _ json: String) {
    #expect(value.json == json)
    var text = "x"
    value.appendJSON(to: &text)
    #expect(text == "x" + json)
  }

  @Test func doublesAreWrittenInJSONsForm() {
    #expect(Real(1e300).map { Value.real($0).json } == "1e+300")
    #expect(Real(.infinity) == nil)
    #expect(Real(.nan) == nil)
  }
}
