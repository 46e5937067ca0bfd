import TestSupport
import Testing

@testable import DataTables

struct INIReaderTests {
  @Test func sectionsAreRecordsWithTheirLines() throws {
    let reader = try read("; top\nuser = ann\n\n[a b]\nx=1\nY : two # words\n[c]; end\nz\n\r\n[d]")
    #expect(
      json(reader) == [
        #"null {"user":"ann"}"#, ##"a b {"x":"1","Y":"two # words"}"##, #"c {"z":true}"#, "d {}",
      ])
    #expect(reader.sections.map(\.line) == [2, 4, 7, 10])
  }

  @Test(
    arguments: [
      ("k = \"a b\"", "a b"), ("k = 'a'", "a"), ("k = \"a\" \"b\"", "\"a\" \"b\""), ("k =", ""),
      ("k = \"", "\""), ("k = x = y:z", "x = y:z"), ("k=a\\\n", "a\\"), ("k = a \\\n  b", "a b"),
      ("k = a \\\nb \\\n# c\nd", "a b d"), ("k = a\n  b\n\n  c", "a\nb\nc"),
      ("k =\n  b\n  c", "b\nc"),
      ("\tk = a\n\tj = b", "a"), ("k = C:\\dir\\\nj = 1", "C:\\dir\\"), ("k:v", "v"),
      ("k = a;b", "a;b"), ("k = a ; b", "a ; b"),
    ])
  func aValueIsReadAsWritten(text: String, value: String) throws {
    #expect(try read("[s]\n" + text).sections[0].members[0].value.json == Value.string(value).json)
  }

  @Test func commentsEndValuesWhereTheirPrefixIsGiven() throws {
    let text = "[s]\na = 1 # one\nb = x#y\nc = 2 ;two\nd # three\n"
    #expect(
      json(try read(text, comment: "#")) == [##"s {"a":"1","b":"x#y","c":"2 ;two","d":true}"##])
    #expect(
      try read(text).findings.notes == [
        "3 values contain ` #`, first at line 2; if it starts a comment, add `comment: \"#\"`"
      ])
  }

  @Test(
    arguments: [
      ("a.b=1\n! x\nc: 2\n", "x.properties", "INI"),
      ("A=1\n# c\nB=x y\n", "environment", "INI"),
      ("a=1\na=2\n", "x", nil), ("a=1;\nb=2;\n", "x", nil),
      ("a=1 b=2\nc=1 d=2\n", "x", "logfmt"), ("a=1,b\nc=2,d\n", "x.csv", "CSV"),
    ])
  func differentKeysWithValuesAreAConfiguration(
    text: String, name: String, format: String?
  ) throws {
    let loaded = try? FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: name)
    #expect(loaded?.report.format == format)
  }

  @Test func aRepeatedKeyHasAnArray() throws {
    let reader = try read("[s]\nk = 1\nj = x\nk = 2\nk = 3\n[t]\nk = 4")
    #expect(json(reader) == [#"s {"k":["1","2","3"],"j":"x"}"#, #"t {"k":"4"}"#])
    #expect(
      reader.findings.notes == ["1 key repeats in a section, first `k`; the values are an array"])
  }

  @Test func malformedLinesAreRejected() throws {
    let reader = try read("[s]\n = 1\n  : x\na = b\n")
    #expect(json(reader) == [#"s {"a":"b"}"#])
    #expect(reader.findings.rejects.map(\.line) == [2, 3])
    #expect(
      reader.findings.rejects.map(\.reason) == [
        "has no key before `=`", "has no key before `:`",
      ])
    var options = ReadOptions()
    options.isStrict = true
    #expect(
      throws: TableError.format(
        "the line has no key before `=`", at: TextPosition(line: 2, column: 2))
    ) { try read("[s]\n = 1\n", options: options) }
  }

  @Test(arguments: ["[a", "; x\n[a\n", "word\nother\n"])
  func aTextWithoutAKeyIsAnError(text: String) throws {
    for format in [nil, "ini"] {
      if format == nil, !text.contains("[") { continue }
      var options = ReadOptions()
      options.format = format
      #expect(throws: TableError.self) {
        try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "x.ini", options: options)
      }
    }
  }

  @Test func aHeaderThatIsNotClosedIsAnError() {
    let error = TableError.format(
      "expected `]` at the end of the header of a section", at: TextPosition(line: 2, column: 3))
    #expect(throws: error) { try read("[s]\n[t\na = 1\n") }
  }

  @Test func lineEndsMayBeMixed() throws {
    #expect(
      json(try read("[s]\r\na=1\rb=2\nc=3\r\n")) == [#"s {"a":"1","b":"2","c":"3"}"#])
  }

  @Test(arguments: [String(repeating: "x", count: 200), String(repeating: "x\n ", count: 80)])
  func aLongSectionIsALimit(value: String) {
    var options = ReadOptions()
    options.limits.row = 100
    #expect {
      try read("[s]\nk = " + value, options: options)
    } throws: { error in
      if case TableError.limit(_, setting: "maxRow: 256", at: _) = error { true } else { false }
    }
  }

  @Test func manyContinuedLinesAreRead() throws {
    let count = 300_000
    let text = "[s]\nk =" + String(repeating: "\n x", count: count)
    guard case .string(let value) = try read(text).sections[0].members[0].value else {
      return #expect(Bool(false))
    }
    #expect(value.utf8.count == 2 * count - 1)
  }

  @Test func manyKeysAreRead() throws {
    let text = (0..<100_000).map { "k\($0) = \($0)\nsame = 1\n" }.joined()
    let members = try read(text).sections[0].members
    #expect(members.count == 100_001)
    guard case .array(let values) = members[1].value else { return #expect(Bool(false)) }
    #expect(values.count == 100_000)
  }

  /// Every byte string is read without a crash, and no line with a key is lost.
  @Test(arguments: [1, 2, 3, 4])
  func randomTextIsNoCrash(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let parts = [
      "[", "]", "=", ":", "\"", "'", "\\", " ", "\t", "\n", "\r", "k", "#", ";", "\u{e9}",
    ]
    for _ in 0..<2_000 {
      let text = (0..<random.below(60)).map { _ in random.one(of: parts) }.joined()
      let comment = random.below(2) == 0 ? "#" : nil
      guard let reader = try? read(text, comment: comment) else { continue }
      for section in reader.sections { #expect(section.line > 0, "seed \(seed): \(text)") }
    }
  }

  private func read(
    _ text: String, comment: String? = nil, options: ReadOptions = ReadOptions()
  ) throws -> INIReader {
    try Array(text.utf8).withUnsafeBytes { bytes in
      var reader = INIReader(bytes, comment: comment)
      try reader.read(options, Cancellation())
      return reader
    }
  }

  private func json(_ reader: INIReader) -> [String] {
    reader.sections.map { section in
      let record = Record(section.members.map { ($0.key, $0.value) })
      return "\(section.name ?? "null") \(Value.record(record).json)"
    }
  }
}
