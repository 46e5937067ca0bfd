import TestSupport
import Testing

@testable import DataTables

struct TOMLReaderTests {
  @Test func valuesOfAllTypesAreRead() throws {
    let text = """
      title = "TOML \\u00e9"   # comment
      hex = 0xFF
      octal = 0o17
      big = 9_223_372_036_854_775_807
      ratio = 6.50e2
      limit = inf
      flag = true
      day = 1979-05-27
      clock = 07:32:00.5
      moment = 1979-05-27T00:32:00-07:00
      local = 1979-05-27 00:32:00
      utc = 1979-05-27T00:32:00.000001Z
      list = [1, [2, "x"], {y = 1, x.z = 2}]
      long = '''
      raw
      '''
      """
    let value = try read(text).value
    let expected =
      #"{"title":"TOML é","hex":255,"octal":15,"big":9223372036854775807,"ratio":6.50e2,"#
      + #""limit":"Infinity","flag":true,"day":"1979-05-27","clock":"07:32:00.5","#
      + #""moment":"1979-05-27T00:32:00-07:00","local":"1979-05-27 00:32:00","#
      + #""utc":"1979-05-27T00:32:00.000001Z","list":[1,[2,"x"],{"y":1,"x":{"z":2}}],"#
      + #""long":"raw\n"}"#
    #expect(value.json == expected)
    guard case .record(let record) = value else { return #expect(Bool(false)) }
    #expect(["day", "moment", "local", "utc"].allSatisfy { record[$0]?.type == .date })
  }

  @Test(arguments: ["", " \n\t\r\n", "# a comment\n"])
  func aTextWithoutKeysHasNoRows(text: String) throws {
    let loaded = try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "x.toml")
    #expect(loaded.table.count == 0)
  }

  @Test func theLinesOfTablesAreKnown() throws {
    let text = """
      name = "x"
      points = [
        1, # [
        [2,
         3], "]", 4 ]

      [[products]]
      name = "a"
      text = \"\"\"
      [[products]]
      \"\"\"
      [products.size]
      w = 1
      [[products]]
      name = "b"
      [servers."beta 1"]
      ip = 1
      [servers.alpha]
      ip = 2
      """
    let content = try read(text)
    #expect(content.lines[["products"]] == [7, 14])
    #expect(content.lines[["points"]] == [3, 4, 5, 5])
    #expect(content.lines[["servers"]] == [16, 18])
    #expect(content.lines[[]] == [1, 2, 7, 16])
  }

  @Test(
    arguments: [
      (
        "a = 1\nb = \n", 2, 5,
        "expected a value, found the end of the line"
      ),
      ("a = 1\na = 2\n", 2, 1, "the key `a` of line 1 is set again"),
      ("[x\n", 1, 3, "expected `]` after the name of a table, found the end of the line"),
      ("[x]\n[y]\n[x]\n", 3, 1, "`x` of line 1 is defined again"),
      ("[[x]]\n[x]\n", 2, 1, "`x` of line 1 is defined again"),
      ("x = []\n[[x]]\n", 2, 1, "`x` is not an array of tables: line 1 defines it"),
      ("x = {}\n[x.y]\n", 2, 1, "`x` is not a table: line 1 sets it"),
      (
        "[a.b.c]\nz = 9\n[a]\nb.c.t = 9\n", 4, 1,
        "a dotted key cannot add to `b`, which line 1 defines"
      ),
      ("a = \"x\ny\"\n", 1, 5, "a string has no closing `\"`"),
      ("a = \"\"\"x\ny\"\"\n", 1, 5, "a string has no closing `\"`"),
      (
        "a = \"\\q\"\n", 1, 6,
        "unknown escape; write a backslash as `\\\\`, or the string in single quotes"
      ),
      ("a = \"\\uD800\"\n", 1, 6, "expected 4 hexadecimal digits of a character"),
      (
        "a = x\n", 1, 5,
        "text must be in quotes: `x`"
      ),
      ("a = 1 2\n", 1, 7, "expected the end of the line, found `2`"),
      ("a = [1 2]\n", 1, 8, "expected `,` or `]` after an element, found `2`"),
      (
        "x = 1\n= 2", 2, 1,
        "expected a key of letters, digits, `_` and `-` or in quotes, found `=`"
      ),
      ("a = 2001-13-01\n", 1, 5, "`2001-13-01` is neither a number nor a date"),
      ("a = '\u{1}'\n", 1, 6, "the control character 1 must be written as an escape"),
    ])
  func anErrorNamesItsPlace(text: String, line: Int, column: Int, message: String) {
    #expect(throws: TableError.format(message, at: TextPosition(line: line, column: column))) {
      try read(text)
    }
  }

  @Test(
    arguments: [
      ("+7", "7"), ("-0", "-0"), ("1_000", "1000"),
      ("99999999999999999999", "99999999999999999999"),
      ("0b101", "5"), ("+1.50", "1.50"), ("1e06", "1e06"), ("-inf", #""-Infinity""#),
      ("nan", #""NaN""#),
      ("1979-05-27t07:32:00.1234567891z", #""1979-05-27T07:32:00.123456789Z""#),
      ("07:32", #""07:32""#), ("\"\\x41\\e\"", #""A\u001b""#),
      ("\"\"\"\"a\"\"\"\"\"", #""\"a\"\"""#),
      ("\"\"\"\n\na \\\n\n  b\"\"\"", #""\na b""#),
      ("{a = 1,\n b.c = 2,}", #"{"a":1,"b":{"c":2}}"#),
      ("[]", "[]"), ("''", #""""#),
    ])
  func aValueIsRead(text: String, json: String) throws {
    #expect(try read("v = \(text)\n").value.json == "{\"v\":\(json)}")
  }

  @Test(
    arguments: [
      "1__0", "_1", "1_", "01", "1.", ".5", "++1", "+-1", "0x", "0x-1", "0xG", "1.e5", "07:60",
      "2001-02-30", "2001-02-03T25:00:00", "tru", "True", "1:2", "0x_1", "0x+1",
      "2001-02-03T04:05:06+0100",
      "2001-02-03T04:05:06+01",
    ])
  func aMalformedWordIsAnError(text: String) {
    #expect(throws: TableError.self) { try read("v = \(text)\n") }
  }

  @Test func aNULIsAnError() {
    #expect(throws: TableError.self) { try read("a = 1 # \0\nb = 2\n") }
  }

  @Test func bytesThatAreNotUTF8AreAnEncodingError() {
    #expect(throws: TableError.encoding(expected: "UTF-8", offset: 5, fitting: "latin1")) {
      try read(Array("a = '".utf8) + [0xE9, 0x27])
    }
  }

  @Test(
    arguments: [
      "a = " + String(repeating: "[", count: 100_000),
      "a = " + String(repeating: "{a = ", count: 100_000),
      String(repeating: "a.", count: 100_000) + "a = 1",
      "[" + String(repeating: "a.", count: 100_000) + "a]\n",
      "a = " + String(repeating: "[\n", count: 100_000),
      "x = {" + String(repeating: "a.", count: 100_000) + "a = 1}",
    ])
  func depthIsLimited(text: String) {
    #expect { try read(text) } throws: { error in
      if case TableError.limit = error { true } else { false }
    }
  }

  @Test func manyKeysAreRead() throws {
    let text = (0..<100_000).map { "k\($0) = \($0)\n" }.joined()
    guard case .record(let record) = try read(text).value else { return #expect(Bool(false)) }
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
          bytes[random.below(bytes.count)] = random.one(of: Array("[]{}=.,'\"\\#\n 0Tu".utf8))
        case 2 where !bytes.isEmpty: bytes[random.below(bytes.count)] = UInt8(random.below(256))
        default: bytes.insert(contentsOf: bytes.prefix(40), at: random.below(bytes.count + 1))
        }
      }
      do {
        _ = try read(bytes)
      } catch is TableError {
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
  }

  static let sample = """
    title = "x \\u00e9 \\"q\\""
    a.b.'c d' = [1, 2.5, {x = 1, y.z = 'w'}]
    [owner]
    dob = 1979-05-27T07:32:00-08:00
    text = \"\"\"
    several \\
      lines\"\"\"\"
    [[rows]]
    id = 1
    [rows.inner]
    k = 0xFF
    [[rows]]
    id = 2 # end
    """

  private func read(_ text: String) throws -> LocatedDocument { try read(Array(text.utf8)) }

  private func read(_ bytes: [UInt8]) throws -> LocatedDocument {
    try TOMLReader.read(bytes, limits: ReadLimits(), cancellation: Cancellation())
  }
}
