import TestSupport
import Testing

@testable import DataTables

/// Texts that are rewritten with edited rows.
struct RewritingTests {
  private func table(
    _ text: String, _ name: String, _ options: ReadOptions = ReadOptions()
  ) throws -> any RewritableTable {
    let loaded = try FormatTable.core.read(
      MemoryBytes(Array(text.utf8)), named: name, options: options)
    return try #require(loaded.table as? any RewritableTable)
  }

  private func rewritten(_ table: any RewritableTable, _ rows: [RewrittenRow]) throws -> String {
    var bytes: [UInt8] = []
    for part in try table.rewritten(rows, cancellation: Cancellation()) {
      switch part {
      case .copied(let range): bytes += try table.store.bytes(range)
      case .written(let written): bytes += written
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Delimited text

  private static let csv = """
    id, name ,note\r
    # a comment\r
    1,"Pie",""\r
    02,Carrot,"a ""b"", c"\r
    \r
    # before the last\r
    3,"Two\r
    lines",1.50\r

    """

  private func csvTable(_ text: String = csv) throws -> any RewritableTable {
    var options = ReadOptions()
    options.commentPrefix = "#"
    return try table(text, "a.csv", options)
  }

  @Test func unchangedRowsKeepAllBytes() throws {
    let table = try csvTable()
    #expect(table.count == 3)
    #expect(try rewritten(table, [.kept(0..<3)]) == Self.csv)
    #expect(try rewritten(table, [.kept(0..<1), .kept(1..<2), .kept(2..<3)]) == Self.csv)
    let same = try table.objects(at: [0, 1, 2]).enumerated().map { row, object in
      RewrittenRow.replaced(row, with: object)
    }
    #expect(try rewritten(table, same) == Self.csv)
  }

  @Test func aChangedCellIsQuotedOnlyWhereItMustBe() throws {
    let table = try csvTable()
    guard case .record(let record) = try table.object(at: 0) else { return }
    let names = record.keys
    let rows: [RewrittenRow] = [
      .replaced(0, with: .record(Record(zip(names, ["1", "Apple", "x,y"])))), .kept(1..<3),
    ]
    #expect(
      try rewritten(table, rows)
        == Self.csv.replacing("1,\"Pie\",\"\"\r\n", with: "1,Apple,\"x,y\"\r\n"))
  }

  @Test func aRemovedRowVanishesWithItsLine() throws {
    let table = try csvTable()
    #expect(
      try rewritten(table, [.kept(0..<1), .kept(2..<3)])
        == Self.csv.replacing("02,Carrot,\"a \"\"b\"\", c\"\r\n", with: ""))
    #expect(
      try rewritten(table, [])
        == "id, name ,note\r\n# a comment\r\n\r\n# before the last\r\n")
  }

  @Test func anInsertedRowHasTheStyleOfTheRowBefore() throws {
    let table = try csvTable()
    guard case .record(let record) = try table.object(at: 0) else { return }
    let object = Value.record(Record(zip(record.keys, [4, "Fig", .null])))
    #expect(
      try rewritten(table, [.kept(0..<3), .inserted(object)]) == Self.csv + "4,\"Fig\",\r\n")
    #expect(
      try rewritten(table, [.inserted(object), .kept(0..<3)])
        == Self.csv.replacing("1,\"Pie\"", with: "4,\"Fig\",\r\n1,\"Pie\""))
  }

  @Test func aTextWithoutALastLineEndGetsNone() throws {
    let table = try table("a,b\n1,2\n3,4", "a.csv")
    let object: Value = ["a": 5, "b": 6]
    #expect(
      try rewritten(table, [.kept(0..<2), .inserted(object)]) == "a,b\n1,2\n3,4\n5,6")
    #expect(try rewritten(table, [.kept(1..<2), .kept(0..<1)]) == "a,b\n3,4\n1,2\n")
    #expect(
      try rewritten(table, [.kept(0..<1), .replaced(1, with: object)]) == "a,b\n1,2\n5,6")
  }

  @Test func aValueThatAColumnReadsOtherwiseIsRefused() throws {
    var options = ReadOptions()
    options.types = ["h": .hex, "s": .seconds]
    options.nulls = ["NA"]
    let table = try table("h,s,t\n0xFF,1700000000,x\n", "a.csv", options)
    func saved(_ key: String, _ value: Value) throws -> String {
      guard case .record(let record) = try table.object(at: 0) else { return "" }
      let values = zip(record.keys, record.values).map { ($0, $0 == key ? value : $1) }
      return try rewritten(table, [.replaced(0, with: .record(Record(values)))])
    }
    #expect(try saved("h", "0x11") == "h,s,t\n0x11,1700000000,x\n")
    #expect(try saved("t", "") == "h,s,t\n0xFF,1700000000,\"\"\n")
    #expect(try saved("t", 5) == "h,s,t\n0xFF,1700000000,5\n")
    let (other, notation) = (
      "choose another value", "write it as a string in the notation of the column"
    )
    for (key, value, read, fix) in [
      ("h", 17, "23", notation), ("h", "none", "null", other),
      ("s", Value(literal: "2024-01-31"), "null", notation), ("t", "NA", "null", other),
    ] {
      let message = "column `\(key)` would read \(value.excerpt) as \(read); \(fix)"
      #expect(throws: TableError.badArgument(message)) { try saved(key, value) }
    }
  }

  @Test func aNewKeyIsRefused() throws {
    let table = try table("a,b\n1,2\n", "a.csv")
    #expect(throws: TableError.noColumn("the file has no column `c`")) {
      try rewritten(table, [.inserted(["a": 1, "c": 2])])
    }
  }

  // MARK: JSON

  private static let json = """
    {"rows": [
      {"id": 1, "name": "Pie",  "tags": ["a","b"]},
      { "name":"Carrot", "id":2.0 },
      {"id": 3}
    ], "total": 3}

    """

  private func jsonTable() throws -> any RewritableTable {
    var options = ReadOptions()
    options.keyPath = ObjectKeyPath(key: "rows")
    return try table(Self.json, "a.json", options)
  }

  @Test func aMemberChangesAlone() throws {
    let table = try jsonTable()
    #expect(try rewritten(table, [.kept(0..<3)]) == Self.json)
    let rows: [RewrittenRow] = [
      .replaced(0, with: ["id": 1, "name": "Apple", "tags": ["a", "c"]]),
      .replaced(1, with: ["name": "Carrot", "id": Value(literal: "2.0"), "new": true]),
      .kept(2..<3),
    ]
    let expected = Self.json
      .replacing("\"Pie\"", with: "\"Apple\"").replacing("\"b\"", with: "\"c\"")
      .replacing("\"id\":2.0 }", with: "\"id\":2.0, \"new\":true }")
    #expect(try rewritten(table, rows) == expected)
  }

  @Test func removedMembersVanishWithTheirCommas() throws {
    let table = try jsonTable()
    for (object, line): (Value, String) in [
      (["id": 1, "tags": ["a", "b"]], "{\"id\": 1,  \"tags\": [\"a\",\"b\"]}"),
      (["name": "Pie"], "{\"name\": \"Pie\"}"), ([:], "{}"),
    ] {
      let rows: [RewrittenRow] = [.replaced(0, with: object), .kept(1..<3)]
      #expect(
        try rewritten(table, rows)
          == Self.json.replacing(
            "{\"id\": 1, \"name\": \"Pie\",  \"tags\": [\"a\",\"b\"]}", with: line))
    }
  }

  @Test func elementsAreInsertedAndRemovedWithSeparators() throws {
    let table = try jsonTable()
    #expect(
      try rewritten(table, [.kept(2..<3), .kept(0..<1), .inserted(["id": 4, "name": "Fig"])])
        == """
        {"rows": [
          {"id": 3},
          {"id": 1, "name": "Pie",  "tags": ["a","b"]},
          {"id": 4, "name": "Fig"}
        ], "total": 3}

        """)
  }

  @Test(arguments: [
    ("[]", "[{\"a\": 1}, {\"a\": 2}]"), ("[ ]\n", "[ {\"a\": 1}, {\"a\": 2} ]\n"),
    ("[\n]", "[\n  {\"a\": 1},\n  {\"a\": 2}\n]"),
    (
      "{\"n\": 0,\r\n  \"rows\": [\r\n\r\n  ]\r\n}",
      """
      {"n": 0,\r
        "rows": [\r
          {"a": 1},\r
          {"a": 2}\r
        ]\r
      }
      """
    ),
  ])
  func anEmptyArrayIsFilled(text: String, expected: String) throws {
    var options = ReadOptions()
    if text.contains("rows") { options.keyPath = ObjectKeyPath(key: "rows") }
    let table = try table(text, "a.json", options)
    #expect(try rewritten(table, []) == text)
    #expect(try rewritten(table, [.inserted(["a": 1]), .inserted(["a": 2])]) == expected)
  }

  @Test(arguments: ["", "\n", " \n "]) func emptyLinesOfJSONAreFilled(text: String) throws {
    let table = try table(text, "a.ndjson")
    let result = try rewritten(table, [.inserted(["a": 1]), .inserted(["a": 2])])
    #expect(try self.table(result, "a.ndjson").objects(at: [0, 1]) == [["a": 1], ["a": 2]])
    #expect(result.hasPrefix(text))
  }

  @Test(arguments: [("a,b", ""), ("a,b\r\n", "\r\n"), ("a,b\n# c\n", "\n")])
  func aHeaderAloneIsFollowedByRows(text: String, end: String) throws {
    let table = try csvTable(text)
    let lineEnd = end.isEmpty ? "\n" : end
    #expect(
      try rewritten(table, [.inserted(["a": 1, "b": "x"])])
        == text + (end.isEmpty ? lineEnd : "") + "1,x" + end)
  }

  @Test func aRowOfOneNullIsNotABlankLine() throws {
    let table = try table("n\n1\n2\n", "a.csv")
    #expect(
      try rewritten(table, [.replaced(0, with: ["n": .null]), .kept(1..<2)]) == "n\n\"\"\n2\n")
    #expect(try rewritten(table, [.kept(0..<2), .inserted([:])]) == "n\n1\n2\n\"\"\n")
  }

  @Test func anEqualNumberWithAnotherTextIsAChange() throws {
    let csv = try table("n,m\n1.50,2\n", "a.csv")
    let object: Value = ["n": Value(literal: "1.5"), "m": 2]
    #expect(try rewritten(csv, [.replaced(0, with: object)]) == "n,m\n1.5,2\n")
    let json = try table("[{\"n\":1.50}]", "a.json")
    #expect(try rewritten(json, [.replaced(0, with: object)]) == "[{\"n\":1.5,\"m\":2}]")
  }

  @Test func numbersAfterEachOtherStayApart() throws {
    let table = try table("{\"a\":1}{\"a\":2}", "a.json")
    #expect(
      try rewritten(table, [.kept(0..<1), .inserted(5), .inserted(6), .kept(1..<2)])
        == "{\"a\":1}\n5\n6\n{\"a\":2}")
  }

  @Test func linesOfJSONKeepTheirEnds() throws {
    let text = "{\"a\": 1}\r\n\r\n  {\"a\":2} \r\n{\"a\": 3}"
    let table = try table(text, "a.ndjson")
    #expect(try rewritten(table, [.kept(0..<3)]) == text)
    #expect(
      try rewritten(table, [.kept(0..<1), .replaced(1, with: ["a": 5]), .inserted(["a": 6])])
        == "{\"a\": 1}\r\n\r\n  {\"a\":5} \r\n{\"a\":6}")
  }

  /// The text is read in several blocks, and many lines begin or end near the end of a block.
  @Test(arguments: ["\n", "\r\n"]) func removedLinesOfALongTextVanish(end: String) throws {
    let lines = (0..<3_000).map { row in
      let name = String(repeating: "x", count: row % 97 == 0 ? 5_000 : row % 97)
      return "\t{\"a\": \"\(name)\"} " + end
    }
    let table = try table(lines.joined(), "a.ndjson")
    for first in 0..<2 {
      let rows = Array(stride(from: first, to: lines.count, by: 2))
      let result = try rewritten(table, rows.map { .kept($0..<$0 + 1) })
      let isExpected = result == rows.map { lines[$0] }.joined()
      #expect(isExpected, "from row \(first) on")
    }
  }

  // MARK: Random edits

  /// A text after random edits is read as the edited objects, and its unchanged rows have the bytes
  /// that they had.
  @Test(arguments: ["a.csv", "a.ndjson", "a.json"]) func randomEditsAreRead(name: String) throws {
    for seed in 1...UInt64(300) {
      var random = SplitMix64(seed: seed)
      let text = Self.text(name, &random)
      let table = try table(text, name)
      let (rows, objects) = try Self.edits(of: table, &random)
      let result = try rewritten(table, rows)
      let again = try self.table(result, name)
      let found = try again.objects(at: Array(0..<again.count))
      #expect(found == objects, "seed \(seed):\n\(text)\nbecame\n\(result)")
      for case .kept(let range) in rows {
        for row in range {
          let line = try rewritten(table, [.kept(row..<row + 1)])
          let core = line.split(whereSeparator: \.isNewline).dropFirst(name == "a.csv" ? 1 : 0)
          #expect(core.allSatisfy { result.contains($0) }, "seed \(seed)")
        }
      }
    }
  }

  private static func word(_ random: inout SplitMix64) -> String {
    random.one(of: ["Pie", "a,b", "x \"y\"", "Zürich", "two words", "", "é", "don't"])
  }

  /// At least one row of an id and a name, which some rows have in quotes.
  private static func text(_ name: String, _ random: inout SplitMix64) -> String {
    let end = random.one(of: ["\n", "\r\n"])
    let rows = (0...random.below(8)).map { row -> String in
      let word = word(&random)
      let json = Value.string(word).json
      if name != "a.csv" {
        let space = random.one(of: ["", " "])
        return "{\"id\":\(space)\(row),\(space)\"name\":\(space)\(json)}"
      }
      let mustQuote = word.isEmpty || word.contains(",") || word.contains("\"")
      let quoted = "\"" + word.replacing("\"", with: "\"\"") + "\""
      return "\(row)," + (mustQuote || random.below(3) == 0 ? quoted : word)
    }
    let last = random.below(2) == 0 ? end : ""
    switch name {
    case "a.csv": return "id,name\(end)" + (["0,Text"] + rows).joined(separator: end) + last
    case "a.json": return "[\(end)  " + rows.joined(separator: ",\(end)  ") + "\(end)]" + last
    default: return rows.joined(separator: end) + last
    }
  }

  private static func edits(
    of table: any RewritableTable, _ random: inout SplitMix64
  ) throws -> (rows: [RewrittenRow], objects: [Value]) {
    // The first row keeps the type of the columns, and the array from being empty.
    var sources = Array(0..<table.count)
    var added: [Value] = []
    var originals: [Int: Int] = [:]
    for _ in 0..<random.below(5) {
      let place = 1 + random.below(sources.count)
      let object: Value = ["id": .integer(100 + added.count), "name": .string(word(&random))]
      switch random.below(4) {
      case 0:
        sources.insert(table.count + added.count, at: place)
        added.append(object)
      case 1 where place < sources.count:
        let row = sources[place]
        originals[table.count + added.count] = row < table.count ? row : originals[row]
        sources[place] = table.count + added.count
        added.append(object)
      case 2 where place < sources.count: sources.remove(at: place)
      case 3 where place < sources.count:
        let moved = sources.remove(at: place)
        sources.insert(moved, at: 1 + random.below(sources.count))
      default: break
      }
    }
    let objects = try sources.map { source in
      source < table.count ? try table.object(at: source) : added[source - table.count]
    }
    let rows = RewrittenRow.parts(
      of: sources.map { $0..<$0 + 1 }, count: table.count, original: { originals[$0] },
      object: { added[$0 - table.count] })
    return (rows, objects)
  }
}
