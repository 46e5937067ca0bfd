import TestSupport
import Testing

@testable import DataTables

struct RelaxedJSONTests {
  private func load(_ text: [UInt8], name: String = "x.json") throws -> LoadedTable {
    var options = ReadOptions()
    try ReadOption.relaxed.apply(true, to: &options)
    return try FormatTable.core.read(MemoryBytes(text), named: name, options: options)
  }

  private func value(_ text: String) throws -> Value {
    var reader = RelaxedJSONReader(Array(text.utf8), 0..<text.utf8.count, limits: ReadLimits())
    let value = try reader.next()
    try reader.expectEnd()
    return try #require(value)
  }

  @Test(arguments: [
    ("{a: 1, $b_2: 2, 'c d': 3, é: 4}", #"{"a":1,"$b_2":2,"c d":3,"é":4}"#),
    ("[1, 2,]", "[1,2]"), ("{a: 1,}", #"{"a":1}"#), ("[]", "[]"), ("{ }", "{}"),
    ("// x\n[1 /* y\n */, 2]// z", "[1,2]"), ("/**/ 1 /***/", "1"),
    ("'it\\'s \"x\"'", #""it's \"x\"""#), (#"'a\x41\u0042\v\0'"#, #""aAB\u000b\u0000""#),
    ("'a\\\nb\\\r\nc'", #""abc""#), (#"'\ud83d\ude00\ud800'"#, "\"😀\u{FFFD}\""),
    ("[+1, .5, 5., -.5e1, 0x1F, -0xff]", "[1,0.5,5.0,-0.5e1,31,-255]"),
    ("0xFFFFFFFFFFFFFFFF", "18446744073709551615"), ("-0x8000000000000000", "-9223372036854775808"),
    ("\u{FEFF}\u{A0}[\u{2028}true, false, null]", "[true,false,null]"),
    (#"{"a": 1, "a": 2}"#, #"{"a":2}"#),
    ("{'a': None, 'b': [True, False]}", #"{"a":null,"b":[true,false]}"#),
  ])
  func relaxedTextsHaveTheValues(text: String, json: String) throws {
    #expect(try value(text).json == json)
  }

  @Test func readingCanBeCancelled() throws {
    let cancellation = Cancellation()
    cancellation.cancel()
    let text = Array(("[" + String(repeating: "{a: 1},", count: 10_000) + "]").utf8)
    var reader = RelaxedJSONReader(
      text, 0..<text.count, limits: ReadLimits(), cancellation: cancellation)
    let failure = #expect(throws: RelaxedJSONReader.Failure.self) { try reader.next() }
    #expect(try failure?.tableError(in: text) == .cancelled)
    let input = FormatInput(
      name: "", bytes: MemoryBytes(text), cancellation: cancellation)
    #expect(throws: TableError.cancelled) { try RelaxedJSON(input.bytes, input).load() }
    #expect(throws: TableError.cancelled) { try RelaxedJSON.canRead(input.bytes, input) }
  }

  @Test func notANumberAndInfinityAreNumbers() throws {
    for (text, double) in [("Infinity", Double.infinity), ("-Infinity", -.infinity)] {
      guard case .real(let real) = try value(text) else {
        Issue.record("\(text)")
        continue
      }
      #expect(real.value == double)
    }
    guard case .real(let real) = try value("NaN") else {
      Issue.record("NaN")
      return
    }
    #expect(real.value.isNaN)
  }

  @Test(arguments: [
    "{", "[", "{a", "{a:", "{a:1", "[1", "[1 2]", "{a:1 b:2}", "[,]", "{,}", "'x", "'x\n'",
    "\"\\", "\"\\u12", "\"\\1\"", "01", "1e", "0x", "0xG", "+", "-", ".", "1.2.3", "--1", "tru",
    "nul", "undefined", "{1a: 1}", "{'a' 1}", "/", "/* x", "[1] /", "{a-b: 1}", "1true", "+-1",
    "++Infinity", "Infinit", "[1]]", "}",
  ])
  func otherTextsAreErrors(text: String) {
    #expect(throws: (any Error).self) { try value(text) }
    #expect(throws: TableError.self) { try load(Array(text.utf8)) }
  }

  @Test(arguments: 0..<8)
  func validJSONHasTheSameValues(seed: Int) throws {
    var texts = JSONTexts(seed: UInt64(seed))
    for round in 0..<100 {
      let text = texts.broken(texts.document())
      guard let strict = try? JSONFormat.value(text) else { continue }
      var reader = RelaxedJSONReader(text, 0..<text.count, limits: ReadLimits())
      let relaxed = try reader.next()
      try reader.expectEnd()
      #expect(
        relaxed?.json == strict.json,
        "seed \(seed), round \(round): \(String(decoding: text, as: UTF8.self))")
    }
  }

  @Test(arguments: 0..<4)
  func anyBytesAreReadOrRejected(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let pieces = [
      "{", "}", "[", "]", ",", ":", "'", "\"", "\\", "\\u", "d800", "0x", "1", "-", ".", "e", "a",
      "é",
      "//", "/*", "*/", "\n", " ", "NaN", "Infinity", "true", "null",
    ]
    for _ in 0..<2_000 {
      var text = (0..<random.below(12)).flatMap { _ in Array(random.one(of: pieces).utf8) }
      if random.below(20) == 0 { text.append(UInt8(random.below(256))) }
      // Neither reading may crash, and an error has a place in the text.
      for name in ["x.json", "x.ndjson"] {
        do { _ = try load(text, name: name) } catch TableError.format(_, let position?) {
          let column = try #require(position.column)
          #expect(position.line >= 1 && column >= 1)
          #expect(column <= text.count + 1)
        } catch is TableError {}
      }
    }
  }

  @Test(arguments: ["\n", "\r", "\r\n"])
  func linesEndAtReturnsToo(end: String) throws {
    let text = "{a: 1,\(end) b: 2,\(end) c: @ }"
    #expect(
      throws: TableError.format("expected a value, found `@`", at: TextPosition(line: 3, column: 5))
    ) { try load(Array(text.utf8)) }
    let values = try load(Array("{a: 1}\(end)\(end){a: 2}".utf8))
    #expect(try (0..<2).map { try values.table.line(of: $0) } == [1, 3])
  }

  @Test func escapesThatAreHalfAPairAreReported() throws {
    let note = "2 unpaired surrogates read as U+FFFD, first at line 2"
    let document = try load(Array("[{a: 1},\r{a: '\\ud800', b: '\\udc00'}]".utf8))
    #expect(document.report.notes == [note])
    let lines = try load(Array("{a: 1}\n{a: '\\ud800\\ud800'}\n".utf8), name: "x.ndjson")
    #expect(lines.report.notes == [note])
  }

  @Test func manyKeysAreAllReported() throws {
    let text = "{" + (0..<600).map { "k\($0): 1" }.joined(separator: ",") + "}"
    #expect(try load(Array(text.utf8)).report.columns.count == 600)
  }

  @Test func duplicateKeysAreReported() throws {
    let note = "1 record has a duplicate key, first at line 2; the last value counts"
    let document = try load(Array("[{a: 1},\r{a: 2, a: 3}]".utf8))
    #expect(document.report.notes == [note])
    let lines = try load(Array("{a: 1}\n{a: 2, a: 3}\n".utf8), name: "x.ndjson")
    #expect(lines.report.notes == [note])
  }

  @Test func depthIsLimited() throws {
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    let error = #expect(throws: TableError.self) { try load(deep) }
    guard case .limit(_, "maxDepth: 2000", TextPosition(line: 1, column: 513)) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func malformedLinesAreRejected() throws {
    let loaded = try load(Array("{a: 1}\r\n\n{a:\n{a: NaN}".utf8), name: "x.ndjson")
    #expect(loaded.table.count == 2)
    #expect(loaded.report.rejects.map(\.line) == [3])
    #expect(loaded.report.rejects.map(\.column) == [4])
    #expect(try loaded.table.line(of: 1) == 4)
  }

  @Test(arguments: ["{a: 1}", "[1,]", "// c\n{\"a\": [1]}", "[NaN]"])
  func theOptionIsSuggestedWhereItHelps(text: String) {
    let error = #expect(throws: TableError.self) {
      try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "x.json")
    }
    #expect(error?.message.hasPrefix("not strict JSON, but `relaxed: true` reads it: ") == true)
  }
}
