import DataTables
import TestSupport
import Testing

@testable import DocumentFormats

struct YAMLReaderTests {
  @Test func mappingsKeepTheOrderOfTheirKeys() throws {
    let documents = try read("zoo: 1\napple: [a, 'b', \"c\"]\nmid: {y: 1, x: 2}\n")
    #expect(documents[0].value.json == #"{"zoo":1,"apple":["a","b","c"],"mid":{"y":1,"x":2}}"#)
  }

  @Test(
    arguments: [
      ("", "null"), ("~", "null"), ("Null", "null"), ("nULL", #""nULL""#), ("true", "true"),
      ("FALSE", "false"), ("yes", #""yes""#), ("off", #""off""#), ("12", "12"), ("+12", "12"),
      ("-7", "-7"), ("007", #""007""#), ("0x1F", "31"), ("0o17", "15"), ("0xZZ", #""0xZZ""#),
      ("1.50", "1.50"), (".5", "0.5"), ("-.5", "-0.5"), ("5.", "5.0"), ("+1.5e3", "1.5e3"),
      ("1.e2", "1.0e2"), (".", #"".""#), ("-x", #""-x""#), ("+", #""+""#), ("-.e5", #""-.e5""#),
      ("1_000", #""1_000""#), ("12:30:45", #""12:30:45""#), ("1e400", "1e400"),
      (".inf", #""Infinity""#), ("-.INF", #""-Infinity""#), (".NaN", #""NaN""#),
      ("12345678901234567890", "12345678901234567890"), ("'12'", #""12""#), ("!!str 12", #""12""#),
      ("!!float 3", "3"), ("! 12", #""12""#), ("!!binary aGk=", #""aGk=""#),
      ("0x-1", #""0x-1""#), ("2001-12-14", #""2001-12-14""#),
    ])
  func aScalarFollowsTheCoreSchema(text: String, json: String) throws {
    #expect(try read("v: \(text)\n")[0].value.json == "{\"v\":\(json)}")
  }

  @Test func datesAndBytesHaveTypes() throws {
    let values = try read("[2001-12-14, '2001-12-14', 2001-12-14T10:00:00Z, !!binary aGk=]")
    guard case .array(let elements) = values[0].value else { return #expect(Bool(false)) }
    #expect(elements.map(\.type) == [.date, .string, .date, .data])
  }

  @Test func eachDocumentHasItsValueAndLine() throws {
    let documents = try read("# first\na: 1\n---\n- x\n- y\n---\n---\nlast\n...\n")
    #expect(documents.map(\.value.json) == [#"{"a":1}"#, #"["x","y"]"#, #""last""#])
    #expect(documents.map(\.line) == [2, 4, 8])
  }

  @Test func theLinesOfElementsAreKnownAtPathsOfKeys() throws {
    let document = try read("top:\n  rows:\n  - a: 1\n\n  - a: 2\n    b: [1,\n     2]\nend: {}\n")[
      0]
    #expect(document.lines[["top", "rows"]] == [3, 5])
    #expect(document.lines[[]] == [1, 8])
    #expect(document.lines[["top", "rows", "b"]] == nil)
  }

  @Test func aliasesRepeatTheirValues() throws {
    let text = "a: &x {k: [1, 2]}\nb: *x\nc: &x 3\nd: *x\n"
    #expect(
      try read(text)[0].value.json == #"{"a":{"k":[1,2]},"b":{"k":[1,2]},"c":3,"d":3}"#)
  }

  @Test func mergeKeysAddWhatIsNotSet() throws {
    let text = """
      base: &base {a: 1, b: 2}
      other: &other {b: 3, c: 4}
      one: {<<: *base, b: 9}
      two: {b: 9, <<: [*other, *base]}
      quoted: {"<<": 1}
      """
    let expected =
      #"{"base":{"a":1,"b":2},"other":{"b":3,"c":4},"one":{"a":1,"b":9},"#
      + #""two":{"b":9,"c":4,"a":1},"quoted":{"<<":1}}"#
    #expect(try read(text)[0].value.json == expected)
  }

  @Test func keysThatAreNotStringsKeepTheirText() throws {
    let text = "1: a\ntrue: b\n~: c\n? [x, {y: 1}]\n: d\n&k name: e\nagain:\n  *k : f\n"
    #expect(
      try read(text)[0].value.json
        == #"{"1":"a","true":"b","~":"c","[\"x\",{\"y\":1}]":"d","name":"e","again":{"name":"f"}}"#)
  }

  @Test func findingsAreNoted() throws {
    let text = "a: 1\na: 2\nb: !Ref x\nc: !Ref [1]\n? [1]\n: 2\n---\n"
    var reader = try reader(text)
    while try reader.next() != nil {}
    #expect(
      reader.findings.notes == [
        "1 record has a duplicate key, first at line 1; the last value counts",
        "1 key is a list or mapping, read as JSON, first at line 5",
        "2 values have the unknown tag `!Ref`, which is ignored, first at line 3",
        "1 empty document skipped",
      ])
  }

  @Test(
    arguments: [
      ("a: [1, 2\nb: 3\n", 2, 2), ("a: 1\n\tb: 2\n", 2, 1), ("a: *x\n", 1, 4),
      ("a: &x [1, *x]\n", 1, 11), ("a: !!int x\n", 1, 4), ("a: {<<: 1}\n", 1, 5),
      ("a: 'x\n", 2, 1), ("a: b: c\n", 1, 5), ("a: \u{7}\n", 1, 4),
    ])
  func anErrorNamesItsPlace(text: String, line: Int, column: Int) {
    #expect { try read(text) } throws: { error in
      guard case TableError.format(_, let position) = error else { return false }
      return position == TextPosition(line: line, column: column)
    }
  }

  @Test func bytesThatAreNotUTF8AreAnEncodingError() {
    #expect(throws: TableError.encoding(expected: "UTF-8", offset: 3, fitting: "latin1")) {
      var reader = try YAMLReader(
        MemoryBytes(Array("a: ".utf8) + [0xE9, 0x0A]), limits: ReadLimits(),
        cancellation: Cancellation())
      while try reader.next() != nil {}
    }
  }

  @Test(arguments: ["[", "{a: ", "- ", "? ", "&a [", "!!seq ["])
  func depthIsLimited(opening: String) {
    expectLimit(String(repeating: opening, count: 100_000))
  }

  // libyaml's own limit is reached within brackets before that of `maxDepth:`.
  @Test(arguments: [150, 1_500])
  func theDepthWithinBracketsIsThatOfTheLimits(depth: Int) throws {
    let text = "a: " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    var limits = ReadLimits()
    limits.depth = 100
    var reader = try YAMLReader(
      MemoryBytes(Array(text.utf8)), limits: limits, cancellation: Cancellation())
    do {
      _ = try reader.next()
      Issue.record("expected an error")
    } catch TableError.limit(let message, let setting, _) {
      #expect(message == "a value is nested deeper than 100 levels")
      #expect(setting == "maxDepth: 1000")
    }
  }

  @Test func aliasesMayNotExpandWithoutLimit() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...20 {
      let aliases = [String](repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(aliases)]\n"
    }
    expectLimit(text)
  }

  @Test func manyKeysAreRead() throws {
    let text = (0..<100_000).map { "k\($0): \($0)\n" }.joined()
    guard case .record(let record) = try read(text)[0].value else { return #expect(Bool(false)) }
    #expect(record.count == 100_000)
    #expect(record["k99999"]?.json == "99999")
  }

  /// Truncated and mutated documents end with a value or a `TableError`.
  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8])
  func damagedTextIsNoCrash(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let sample = Array(Self.sample.utf8)
    for _ in 0..<300 {
      var bytes = sample
      for _ in 0...random.below(4) {
        switch random.below(4) {
        case 0: bytes.removeLast(random.below(bytes.count))
        case 1 where !bytes.isEmpty:
          bytes[random.below(bytes.count)] = random.one(of: Array("[]{}:,-?&*!|>'\"%@`#\t\n ".utf8))
        case 2 where !bytes.isEmpty: bytes[random.below(bytes.count)] = UInt8(random.below(256))
        default: bytes.insert(contentsOf: bytes.prefix(40), at: random.below(bytes.count + 1))
        }
      }
      do {
        var reader = try YAMLReader(
          MemoryBytes(bytes), limits: ReadLimits(), cancellation: Cancellation())
        while try reader.next() != nil {}
      } catch is TableError {
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
  }

  static let sample = """
    %YAML 1.1
    --- !!map
    # people
    base: &base {city: "Bonn\\n", tags: [a, b]}
    people:
    - name: Ann
      <<: *base
      born: 2001-02-03
      note: |
        two
        lines
    - {name: 'Bob', age: 41, <<: *base, "x y": !!binary aGk=}
    ? [complex, {key: 1}]
    : >-
      folded
      text
    ...
    ---
    - 1.5e3
    - ~
    """

  private func reader(_ text: String) throws -> YAMLReader {
    try YAMLReader(
      MemoryBytes(Array(text.utf8)), limits: ReadLimits(), cancellation: Cancellation())
  }

  @discardableResult
  private func read(_ text: String) throws -> [LocatedDocument] {
    var reader = try reader(text)
    var documents: [LocatedDocument] = []
    while let document = try reader.next() { documents.append(document) }
    return documents
  }

  private func expectLimit(_ text: String) {
    #expect { try read(text) } throws: { error in
      if case TableError.limit = error { true } else { false }
    }
  }
}
