import Testing

@testable import DataTables

@Suite struct JSONTableTests {
  private func load(
    _ text: String, lines: Bool = false, options: ReadOptions = ReadOptions(),
    cancellation: Cancellation = Cancellation()
  ) throws -> LoadedTable {
    let format: any TableFormat = lines ? NDJSONFormat() : JSONFormat()
    return try format.read(
      FormatInput(
        name: "", bytes: MemoryBytes(Array(text.utf8)), request: ReadRequest(options: options),
        cancellation: cancellation))
  }

  private func column(_ table: any Table, _ path: String) throws -> [Value] {
    let column = try table.column(ObjectKeyPath(parsing: path), cancellation: Cancellation())
    guard case .coded(let codes, let values) = column else { return [] }
    return (0..<codes.count).map { values[codes[$0]] }
  }

  @Test func theElementsOfAnArrayAreTheRows() throws {
    let table = try load(#" [{"b": 1, "a": 1.50}, {"a": null, "c": []}] "#).table
    #expect(table.count == 2)
    #expect(table.keys == ["b", "a", "c"])
    #expect(
      try table.objects(at: [1, 0]).map(\.json) == [#"{"a":null,"c":[]}"#, #"{"b":1,"a":1.50}"#])
    #expect(try column(table, "a") == [Value(literal: "1.5"), nil])
    #expect(try column(table, "b") == [1, nil])
  }

  @Test(arguments: [("{\"a\": 1}", 1), ("7", 1), ("[]", 0), (" [ ] ", 0), ("[[], {}]", 2)])
  func anArrayHasARowPerElementAndAnotherValueIsOneRow(text: String, count: Int) throws {
    #expect(try load(text).table.count == count)
  }

  @Test func rowsThatAreNotRecordsAreObjects() throws {
    let table = try load(#"["Pie", 1, "Carrot"]"#).table
    #expect(table.keys == [])
    #expect(try table.objects(at: [0, 1, 2]) == ["Pie", 1, "Carrot"])
    #expect(try column(table, "firstCharacter") == ["P", nil, "C"])
    #expect(throws: TableError.self) { try column(table, "name") }
  }

  @Test func recordsAmongOtherRowsKeepTheirKeys() throws {
    let loaded = try load(#"[{"name": "Pie"}, "Carrot", null]"#)
    #expect(try column(loaded.table, "name") == ["Pie", nil, nil])
    #expect(loaded.report.notes == ["2 rows are not records, first at line 1"])
  }

  @Test func pathsContinueInNestedValues() throws {
    let table = try load(#"[{"a": {"b": [1, 2]}}, {"a": {"b": [3]}}, {"a": null}]"#).table
    #expect(try column(table, "a.b[0]") == [1, 3, nil])
  }

  @Test func aKeyInNoRowIsUnknown() throws {
    let table = try load(#"[{"name": 1}]"#).table
    #expect(throws: TableError.unknownKey("nme", known: ["name"])) { try column(table, "nme") }
    #expect(try column(try load("[]").table, "nme") == [])
  }

  @Test func columnsWithManyNumbersBecomeKeys() throws {
    let rows = (0..<20_000).map { #"{"i":\#($0 * 7),"r":\#($0).25}"# }
    let table = try load(rows.joined(separator: "\n"), lines: true).table
    for (key, kind) in [("i", NumericColumn.Kind.integer), ("r", .real)] {
      let column = try table.column(ObjectKeyPath(key: key), cancellation: Cancellation())
      guard case .keyed(let numbers) = column else {
        Issue.record("\(key) has no keys")
        continue
      }
      #expect(numbers.kind == kind)
      #expect(Array(numbers.keys) == numbers.keys.sorted())
      #expect(numbers.keys.count == 20_000)
    }
  }

  @Test func aMalformedDocumentIsReportedWithItsPosition() {
    #expect(
      throws: TableError.format(
        "expected `,` or `}`, found `\"`", at: TextPosition(line: 2, column: 9))
    ) { try load("[{\"a\": 1},\n{\"a\": 2 \"b\": 3}]") }
  }

  @Test func malformedLinesAreRejected() throws {
    let text = "{\"a\":1}\r\n\r\n  {\"a\":x}\r\n{\"a\":3} 4\r\n[5]\r\n{\"a\":"
    let report = try load(text, lines: true).report
    #expect(report.rows == 2)
    #expect(report.rejected == 3)
    #expect(report.rejects.map(\.line) == [3, 4, 6])
    #expect(report.rejects.map(\.offset) == [13, 22, 38])
    #expect(report.rejects.map(\.column) == [6, 9, 6])
    #expect(report.rejects.map(\.text) == ["{\"a\":x}", "{\"a\":3} 4", "{\"a\":"])
    #expect(report.rejects[0].reason == "expected a value, found `x`")
    #expect(report.rejects[2].reason == "expected a value, found the end of the text")
  }

  @Test func aStrictLoadFailsAtTheFirstMalformedLine() {
    var options = ReadOptions()
    options.isStrict = true
    #expect(
      throws: TableError.format(
        "expected a value, found `x`", at: TextPosition(line: 2, column: 7))
    ) { try load("{\"a\":1}\n {\"a\":x}\n", lines: true, options: options) }
  }

  @Test func anEmptyTextHasNoLinesAndIsNotADocument() throws {
    #expect(try load("", lines: true).table.count == 0)
    #expect(try load("\n \r\n", lines: true).table.count == 0)
    #expect(
      throws: TableError.format(
        "expected a value, found the end of the text", at: TextPosition(line: 1, column: 1))
    ) { try load("") }
  }

  @Test(arguments: [true, false])
  func aRowBeyondTheLimitIsAnError(lines: Bool) {
    var options = ReadOptions()
    options.limits.row = 1_000
    let long = #"{"a":"\#(String(repeating: "x", count: 2_000))"}"#
    let text = lines ? "{}\n\(long)\n" : "[{},\n\(long)]"
    #expect(
      throws: TableError.limit(
        "a row has more than 1,000 bytes", setting: "maxRow: 2048",
        at: TextPosition(line: 2, column: 1))
    ) { try load(text, lines: lines, options: options) }
  }

  /// Comparing each key with each other one would take minutes.
  @Test func manyKeysAreDecodedInLinearTime() throws {
    let members = (0..<32_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    let table = try load("[{\(members)},{\(members)}]").table
    let time = try ContinuousClock().measure {
      try table.decode(table.keys.map { ObjectKeyPath(key: $0) }, cancellation: Cancellation())
    }
    #expect(time < .seconds(15))
    #expect(try table.report(on: "k31999", cancellation: Cancellation()).type == .integer)
  }

  @Test func aCanceledLoadStops() {
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(throws: TableError.cancelled) { try load("[1]", cancellation: cancellation) }
  }

  @Test func anObjectReadsOnlyItsGroup() throws {
    let store = CountingBytes((0..<10_000).map { #"{"n":\#($0)}"# }.joined(separator: "\n"))
    let table = try NDJSONFormat().read(FormatInput(name: "", bytes: store)).table
    let before = store.bytesRead
    #expect(try table.object(at: 7_777).json == #"{"n":7777}"#)
    #expect(store.bytesRead - before < 1_000)
    #expect(try table.line(of: 7_777) == 7_778)
  }

  @Test func mixedAndNestedValuesAreReported() throws {
    let text = """
      {"i": 1, "r": 1, "m": 1, "s": "2012-11-01", "n": {"x": 1}, "b": true, "z": null}
      {"i": 2, "r": 2.5, "m": "x", "s": "a", "n": null, "b": false, "z": null}
      {"i": null, "r": null, "m": 3, "s": null, "n": {}, "b": null}
      """
    let columns = try load(text, lines: true).report.columns
    #expect(columns.map(\.type) == [.integer, .real, .value, .string, .value, .bool, .string])
    #expect(columns.map(\.isExact) == Array(repeating: true, count: 7))
    #expect(columns[2].evidence == "mixed: 2 numbers, 1 string, first at line 2")
    #expect(columns[4].evidence == "nested records in 2 of 3 rows")
    #expect(columns.filter { $0.evidence != nil }.count == 2)
  }

  @Test func largeTextsAreReportedFromASample() throws {
    let rows = (0..<60_000).map { #"{"n":\#($0),"s":"text"}"# } + [#"{"late":1}"#]
    let report = try load(rows.joined(separator: "\n"), lines: true).report
    #expect(report.rows == 60_001)
    #expect(report.columns.map(\.key) == ["n", "s", "late"])
    #expect(report.columns.prefix(2).map(\.type) == [.integer, .string])
    #expect(report.columns.map(\.isExact) == [false, false, false])
  }

  @Test func anObjectWithManyKeysIsRead() throws {
    let members = (0..<50_000).map { #""k\#($0)":\#($0)"# }
    let table = try load("{" + members.joined(separator: ",") + "}").table
    #expect(table.keys.count == 50_000)
    #expect(try column(table, "k49999") == [49_999])
  }

  @Test func unpairedSurrogatesAreReported() throws {
    let report = try load("{\"a\":1}\n{\"a\":\"\\ud800 \\udc00\"}", lines: true).report
    #expect(
      report.notes == ["2 unpaired surrogates read as U+FFFD, first at line 2"])
  }

  @Test func duplicateKeysAreReported() throws {
    let text = #"{"a":1,"b":2}"# + "\n" + #"{"b":1,"a":2}"# + "\n" + #"{"a":1,"b":2,"a":3}"#
    let report = try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "t.ndjson").report
    #expect(
      report.notes == ["1 record has a duplicate key, first at line 3; the last value counts"])
  }

  @Test(arguments: [
    ("{\"a\": 1}", true, false), (" \n[1]", true, false), ("{\"a\":1}\n{\"a\":2}", false, true),
    ("[1]\n\n[2]\n", false, true), ("{\n\"a\": 1\n}", true, false), ("[\n{},\n{}\n]", true, false),
    ("a,b\n1,2", false, false), ("", false, false), ("1\n2", false, false),
    ("{\"a\":1}\n{\"a\":", false, true),
  ])
  func documentsAndLinesAreDetectedFromTheBytes(text: String, isJSON: Bool, isNDJSON: Bool) throws {
    let sample = try FormatSample(MemoryBytes(Array(text.utf8)), named: "", encoding: nil)
    #expect((JSONFormat().recognize(sample) >= .likely) == isJSON)
    #expect((NDJSONFormat().recognize(sample) >= .likely) == isNDJSON)
  }
}
