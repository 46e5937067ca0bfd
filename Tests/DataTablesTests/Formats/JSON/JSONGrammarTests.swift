import Testing

@testable import DataTables

@Suite struct JSONGrammarTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-0", "-1", "10", "1.0", "0.5", "-0.0", "1e1", "1E+1", "1e-1",
    "0e0", "1.5e10", "123456789012345678901234567890", "1e400", #""""#, #""a""#, #""\"\\\/""#,
    #""\b\f\n\r\t""#, #""\u0000""#, #""\u00e9\u00C9""#, #""\ud83d\ude00""#, "\"\u{7F}\"",
    "\"\u{80}\"", "\"é漢😀\"", "\"\u{2028}\"", #""\ud800""#, #""\udc00""#, #""\ud800\u0041""#,
    #""\ud800\ud800""#, "[]", "[ ]", "[1]", "[1,2]", "[ 1 , 2 ]", "[[],[[]]]", "{}", "{ }",
    #"{"a":1}"#, #"{ "a" : 1 , "b" : [ ] }"#, #"{"":0}"#, #"{"a":{"a":{}}}"#, #"{"a":1,"a":2}"#,
    " 1", "1 ", "\t\n\r 1\t\n\r ", "[1\n,2]", "{\n\"a\"\r\n:\t1\n}", "[null,true,false]",
    "[\"a\",{\"b\":null}]", "\"an ordinary string of more than sixteen bytes\"",
  ])
  func validTextsAreRead(text: String) throws {
    let value = try Value(json: text)
    let expected = try SlowJSON.value(Array(text.utf8))
    #expect(value == expected)
    #expect(value.json == expected.json)
    #expect(try Value(json: value.json) == value)
  }

  @Test(arguments: [
    ("", 1), (" ", 2), ("-", 2), ("-01", 3), ("012", 2), ("1.", 3), (".5", 1), ("0.1.2", 4),
    ("1e", 3), ("1e+", 4), ("1e1.5", 4), ("+1", 1), ("0x1", 2), ("1_0", 2), ("Infinity", 1),
    ("NaN", 1), ("nan", 2), ("True", 1), ("tru", 4), ("truE", 4), ("nulll", 5), ("nul", 4),
    ("[", 2), ("]", 1), ("[1", 3), ("[1,", 4), ("[1,]", 4), ("[,1]", 2), ("[1 2]", 4),
    ("[1}", 3), ("[1]]", 4), ("[1],", 4), ("{", 2), ("}", 1), (#"{"a""#, 5), (#"{"a":"#, 6),
    (#"{"a" 1}"#, 6), (#"{"a":1"#, 7), (#"{"a":1,"#, 8), (#"{"a":1,}"#, 8), (#"{,}"#, 2),
    (#"{a:1}"#, 2), (#"{'a':1}"#, 2), (#"{1:1}"#, 2), (#"{"a":1]"#, 7), (#"{"a":1;"b":2}"#, 7),
    (#"{"a"::1}"#, 6), (#"{"a":}"#, 6), (#"{"a":1 "b":2}"#, 8), ("\"", 2), ("\"a", 3),
    ("'a'", 1), ("\"\n\"", 2), ("\"\t\"", 2), ("\"\0\"", 2), ("\"\u{1F}\"", 2), (#""\"#, 3),
    (#""\a""#, 3), (#""\x41""#, 3), (#""\'""#, 3), (#""\u""#, 4), (#""\u12""#, 6),
    (#""\u12G4""#, 6), (#""\u{41}""#, 4), (#""\U0041""#, 3), ("1 2", 3), ("1,2", 2),
    ("{} {}", 4), ("\"a\" x", 5), ("// c\n1", 1), ("/* c */ 1", 1), ("1 # c", 3), ("\u{FEFF}1", 1),
    ("\u{A0}1", 1), ("\u{2028}1", 1), ("\u{0B}1", 1), ("\u{0C}1", 1), ("1\0", 2), ("é", 1),
    ("[\"a\" \"b\"]", 6), ("--1", 2), ("-a", 2), ("[1,,2]", 4), ("truefalse", 5),
    ("{\"a\":tru}", 9), ("[\u{A0}]", 2), ("1e5e5", 4), ("-.5", 2),
  ])
  func invalidTextsAreRejectedWithTheirPosition(text: String, column: Int) {
    #expect(throws: TableError.self) { try Value(json: text) }
    do {
      _ = try Value(json: text)
    } catch TableError.format(let message, let place) {
      #expect(message.contains("expected"), "\(message)")
      let lines = text.utf8.prefix(column - 1).split(
        separator: 0x0A, omittingEmptySubsequences: false)
      #expect(place == TextPosition(line: lines.count, column: (lines.last?.count ?? 0) + 1))
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xC3, 0x22],
      [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xE0, 0x80, 0x80, 0x22], [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
      [0x22, 0xF0, 0x9F, 0x98],
      [0x22, 0x80, 0x22], [0x5B, 0xE9, 0x5D], [0x31, 0xFE],
    ] as [[UInt8]])
  func bytesThatAreNotUTF8AreRejectedWithTheirOffset(bytes: [UInt8]) {
    let offset = bytes.firstIndex { $0 >= 0x80 } ?? 0
    #expect(
      throws: TableError.encoding(expected: "UTF-8", offset: offset, fitting: "latin1")
    ) { try JSONFormat.value(bytes) }
  }

  @Test func loneSurrogatesAreReadAsTheReplacementCharacter() throws {
    #expect(try Value(json: #""\ud800x\udc00\ud83d\ude00""#) == "\u{FFFD}x\u{FFFD}😀")
  }

  @Test func aDuplicateKeyKeepsItsFirstPositionAndItsLastValue() throws {
    #expect(try Value(json: #"{"a":1,"b":2,"\u0061":3}"#).json == #"{"a":3,"b":2}"#)
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
  func aValueNestedTooDeepExceedsTheLimit(opening: String) {
    let text = String(repeating: opening, count: 100_000)
    do {
      _ = try Value(json: text)
      Issue.record("the value was accepted")
    } catch TableError.limit(let message, let setting, let place) {
      #expect(message == "a value is nested deeper than 512 levels")
      #expect(setting == "maxDepth: 2048")
      let levels = opening.utf8.filter { $0 == 0x5B || $0 == 0x7B }.count
      let inner = opening.utf8.count / levels * (512 % levels)
      #expect(place == TextPosition(line: 1, column: 512 / levels * opening.utf8.count + inner + 1))
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func valuesUpToTheDepthLimitAreRead() throws {
    let text = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(try Value(json: text).json == text)
    var limits = ReadLimits()
    limits.depth = .max
    let deeper = String(repeating: "[", count: 3_000) + String(repeating: "]", count: 3_000)
    #expect(throws: TableError.self) { try Value(json: deeper, limits: limits) }
  }

  @Test(arguments: [UInt64(21), 22])
  func valuesRoundTripThroughTheirText(seed: UInt64) throws {
    var samples = SampleValues(seed: seed)
    for _ in 0..<5_000 {
      let value = samples.value(depth: 3)
      let text = value.json
      // Dates and data are read back as strings, so compare the texts.
      let again = try Value(json: text).json
      if again != text { Issue.record("seed \(seed): \(text) became \(again)") }
    }
  }
}
