import Testing

@testable import DataTables

/// Loads of delimited text: rows, reports and errors.
struct DelimitedFormatTests {
  private func load(
    _ text: String, named name: String = "t.csv", _ change: (inout ReadOptions) -> Void = { _ in }
  ) throws -> LoadedTable {
    try load(Array(text.utf8), named: name, change)
  }

  private func load(
    _ bytes: [UInt8], named name: String = "t.csv", _ change: (inout ReadOptions) -> Void = { _ in }
  ) throws -> LoadedTable {
    var options = ReadOptions()
    change(&options)
    return try FormatTable.core.read(MemoryBytes(bytes), named: name, options: options)
  }

  private func json(_ loaded: LoadedTable) throws -> [String] {
    try loaded.table.objects(at: Array(0..<loaded.table.count)).map(\.json)
  }

  @Test(arguments: [
    "name,n\nPie,1\nJam,2\n", "name,n\r\nPie,1\r\nJam,2\r\n", "name,n\rPie,1\rJam,2",
  ])
  func allLineEndsAreRead(text: String) throws {
    #expect(try json(load(text)) == [#"{"name":"Pie","n":1}"#, #"{"name":"Jam","n":2}"#])
  }

  @Test func lineEndsAreReported() throws {
    #expect(try load("a,b\n1,2\n").report.lineEnds == nil)
    #expect(try load("a,b\r\n1,2\r\n").report.lineEnds == "CRLF")
    #expect(try load("a,b\r1,2\r").report.lineEnds == "CR")
  }

  @Test(arguments: [
    (",", "CSV"), (";", "CSV with ';'"), ("|", "CSV with '|'"), ("\t", "TSV"),
  ])
  func theDelimiterIsDetected(delimiter: String, format: String) throws {
    let rows = [["name", "kind"], ["Pie", "sweet"], ["Jam", "sweet"]]
    let written = rows.map { $0.joined(separator: delimiter) }.joined(separator: "\n")
    let loaded = try load(written)
    #expect(loaded.table.keys == ["name", "kind"])
    #expect(loaded.report.format == format)
  }

  @Test func quotedCellsMayContainDelimitersLineEndsAndQuotes() throws {
    let loaded = try load("a,b\n\"1,2\",\"x\ny\"\n\"say \"\"hi\"\"\",5\" pipe\n")
    #expect(
      try json(loaded) == [
        #"{"a":"1,2","b":"x\ny"}"#, #"{"a":"say \"hi\"","b":"5\" pipe"}"#,
      ])
    #expect(loaded.report.rejected == 0)
  }

  @Test func anEmptyCellIsNullAndTwoQuotesAreAnEmptyString() throws {
    #expect(try json(load("a,b\n,\"\"\n")) == [#"{"a":null,"b":""}"#])
  }

  @Test func aColumnTypeFitsAllCells() throws {
    let text = """
      i,r,b,d,t,zip,s,e
      1,1.50,true,2012-11-01,2012-11-01T10:00:00Z,01234,x,
      -2,3,FALSE,2012-12-31,2012-11-02T10:00:00Z,10001,2,
      """
    let loaded = try load(text)
    #expect(
      loaded.report.columns.map(\.type) == [
        .integer, .real, .bool, .date, .date, .string, .string, .string,
      ])
    #expect(
      try json(loaded)[0]
        == #"{"i":1,"r":1.50,"b":true,"d":"2012-11-01","t":"2012-11-01T10:00:00Z","zip":"01234","s":"x","e":null}"#
    )
  }

  @Test func leadingZerosAreReportedWithTheirFirstLine() throws {
    let zip = try load("id,zip\n1,10001\n2,01234\n3,00501\n").report.columns[1]
    #expect(zip.evidence == "2 values have leading zeros, first at line 3: 01234")
  }

  @Test func outliersAmongNumbersAreReportedWithTheirLinesAndAFix() throws {
    let text = "a\n1\nn/a\n2.5\n3\nn/a\n"
    let amount = try load(text).report.columns[0]
    #expect(
      amount.evidence
        == "3 numbers, 2 non-numbers, at lines 3 (\"n/a\") and 6 (\"n/a\"); add `nulls: n/a` to make it real"
    )
    let fixed = try load(text) { $0.nulls = ["n/a"] }
    #expect(fixed.report.columns[0].type == .real)
    #expect(try json(fixed)[1] == #"{"a":null}"#)
  }

  @Test func aLargeFileIsReportedFromItsFirstRows() throws {
    let rows = (0..<200_000).map { "\($0),\($0 == 5 ? "NA" : "\($0)"),0\($0)\n" }.joined()
    let loaded = try load("id,n,zip\n" + rows)
    #expect(loaded.report.columns.map(\.isExact) == [false, false, false])
    #expect(
      loaded.report.columns.map(\.evidence) == [
        nil, "mostly numbers, but line 7 has \"NA\"; add `nulls: NA` to read it as null",
        "values have leading zeros, first at line 2: 00",
      ])
  }

  @Test func aChangedColumnTypeIsReported() throws {
    let rows = (0..<200_000).map { "\($0),\($0 == 199_999 ? "none" : "\($0 % 7)")\n" }.joined()
    let table = try load("id,n\n" + rows).table
    #expect(table.typeChanges == [])
    _ = try table.column(ObjectKeyPath(key: "n"), cancellation: Cancellation())
    #expect(
      table.typeChanges == [
        TypeChange(
          key: "n", from: .integer, to: .string,
          evidence: "199,999 numbers, 1 non-number, at line 200001 (\"none\"); "
            + "add `nulls: none` to make it integer")
      ])
  }

  @Test func aShortRowIsPaddedAndALongOneIsRejected() throws {
    let loaded = try load("a,b,c\n1,2\n1,2,3\n1,2,3,4\n\n7,8,9\n")
    #expect(loaded.table.count == 3)
    #expect(loaded.report.padded?.count == 1)
    #expect(loaded.report.padded?.line == 2)
    let reject = try #require(loaded.report.rejects.first)
    #expect(reject.line == 4)
    #expect(reject.reason == "has 4 fields for 3 keys")
    #expect(reject.text == "1,2,3,4")
  }

  @Test func aMalformedQuoteRejectsOnlyItsLine() throws {
    let loaded = try load("a,b\n1,2\n\"x\"y,3\n4,5\n6,\"open\n7,8\n")
    #expect(try json(loaded) == [#"{"a":1,"b":2}"#, #"{"a":4,"b":5}"#, #"{"a":7,"b":8}"#])
    #expect(
      loaded.report.rejects.map { "\($0.line):\($0.column) \($0.reason)" } == [
        "3:4 has text after a closing quote", "5:1 has an unclosed quote",
      ])
  }

  @Test func aStrictLoadFailsAtTheFirstRejectedRow() {
    #expect(
      throws: TableError.format("the row has 3 fields for 2 keys", at: .init(line: 3, column: 1))
    ) {
      try load("a,b\n1,2\n1,2,3\n") { $0.isStrict = true }
    }
  }

  @Test func commentsAreSkippedAndGivenKeysAreUsed() throws {
    let loaded = try load("# about\nAD\t1\n# more\nAE\t2\n", named: "t.tab") {
      $0.commentPrefix = "#"
      $0.keys = ["code", "n"]
    }
    #expect(try json(loaded) == [#"{"code":"AD","n":1}"#, #"{"code":"AE","n":2}"#])
    #expect(loaded.report.notes == ["2 comment lines skipped"])
  }

  @Test func aFileWithoutAHeaderGetsNumberedKeys() throws {
    let loaded = try load("1,2\n3,4\n") { $0.hasHeader = false }
    #expect(loaded.table.keys == ["column1", "column2"])
    #expect(loaded.table.count == 2)
  }

  @Test func duplicateAndMissingKeysAreRenamed() throws {
    let loaded = try load("a,,a\n1,2,3\n")
    #expect(loaded.table.keys == ["a", "column2", "a_2"])
    #expect(loaded.report.notes.count == 2)
  }

  @Test(arguments: ["1,NA\n2,3\n", "1,NA\n1,-\n2,3\n"])
  func oneOrSeveralWordsForNullAreSuggested(rows: String) throws {
    let evidence = try #require(try load("a,b\n" + rows).report.columns[1].evidence)
    #expect(evidence.contains("`nulls: "))
  }

  @Test func manyColumnsWithEqualNamesAreRead() throws {
    let names = Array(repeating: "a", count: 5_000).joined(separator: ",")
    let cells = (0..<5_000).map(String.init).joined(separator: ",")
    let loaded = try load(names + "\n" + cells + "\n")
    #expect(loaded.table.keys.last == "a_5000")
    #expect(loaded.report.notes.last == "4,996 more keys renamed")
    #expect(loaded.report.columns.allSatisfy { $0.type == .integer })
  }

  @Test func aHeaderWithoutRowsHasNoObjects() throws {
    let loaded = try load("name,kind")
    _ = try loaded.table.column(ObjectKeyPath(key: "nme"), cancellation: Cancellation())
    #expect(loaded.table.count == 0)
    #expect(loaded.table.keys == ["name", "kind"])
  }

  @Test func anEmptyFileIsAnError() {
    #expect(throws: TableError.self) { try load("") }
  }

  @Test func declaredTypesTakePrecedence() throws {
    let loaded = try load("zip,n\n10001,1\n") { $0.types = ["zip": .string] }
    #expect(try json(loaded) == [#"{"zip":"10001","n":1}"#])
    #expect(throws: TableError.unknownKey("zap", known: ["zip"])) {
      try load("zip\n1\n") { $0.types = ["zap": .string] }
    }
  }

  @Test func aByteOrderMarkIsSkipped() throws {
    let loaded = try load([0xEF, 0xBB, 0xBF] + Array("a\n1\n".utf8))
    #expect(loaded.table.keys == ["a"])
    #expect(loaded.report.encoding == "UTF-8 with BOM")
  }

  @Test func otherEncodingsAreDeclaredOrDetectedByTheirMark() throws {
    let latin = Array("name\nCaf".utf8) + [0xE9, 0x0A]
    #expect(
      throws: TableError.encoding(expected: "UTF-8", offset: 8, fitting: "latin1")
    ) { try load(latin) }
    #expect(try json(load(latin) { $0.encoding = "latin1" }) == [#"{"name":"Café"}"#])
    let units: [UInt8] = "a\né\n".utf16.flatMap { unit -> [UInt8] in
      [UInt8(unit & 0xFF), UInt8(unit >> 8)]
    }
    let wide: [UInt8] = [0xFF, 0xFE] + units
    #expect(try json(load(wide)) == [#"{"a":"é"}"#])
  }

  @Test func aFileWithNULBytesIsNotText() {
    #expect(throws: TableError.self) { try load([0x61, 0x0A, 0x00, 0x0A]) }
  }

  @Test(arguments: [(100_000, 131_072), (200_000, 262_144), (500_000, 524_288)])
  func aRowBeyondTheLimitIsAnError(length: Int, limit: Int) throws {
    let text = "a,b\n" + String(repeating: "x", count: length) + ",1\n"
    do {
      _ = try load(text) { $0.limits.row = 100_000 }
      Issue.record("the row was accepted")
    } catch TableError.limit(let message, let setting, _) {
      #expect(message == "a row has more than 100,000 bytes")
      #expect(setting == "maxRow: \(limit)")
    }
  }

  @Test func anOpenQuoteBeyondTheLimitRejectsOnlyItsLine() throws {
    let row = String(repeating: "y", count: 90) + ",1\n"
    let loaded = try load("a,b\n\"open,1\n" + String(repeating: row, count: 3_000)) {
      $0.limits.row = 50_000
    }
    #expect(loaded.table.count == 3_000)
    #expect(loaded.report.rejects.map(\.line) == [2])
  }

  @Test func manyDistinctNumbersKeepTheirOrder() throws {
    let numbers = (0..<40_000).map { ($0 * 7_919) % 40_009 }
    let loaded = try load("n\n" + numbers.map { "\($0).5\n" }.joined())
    let path = ObjectKeyPath(key: "n")
    guard case .keyed(let column) = try loaded.table.column(path, cancellation: Cancellation())
    else {
      Issue.record("the column has no keys")
      return
    }
    #expect(column.kind == .real)
    let order = try loaded.table.sorted(.natural(numbers.count), by: [SortDescriptor(path)])
    let first = try loaded.table.objects(at: (0..<3).map { order[$0] }).map(\.json)
    #expect(first == [#"{"n":0.5}"#, #"{"n":1.5}"#, #"{"n":2.5}"#])
  }

  @Test func moreThanSixteenBitsOfDistinctStringsAreCoded() throws {
    // Three of each, because mostly distinct strings are not coded.
    let names = (0..<210_000).map { "name \($0 / 3)" }
    let loaded = try load("s\n" + names.joined(separator: "\n"))
    guard
      case .coded(.wide(let codes), let values) = try loaded.table.column(
        ObjectKeyPath(key: "s"), cancellation: Cancellation())
    else {
      Issue.record("the codes have 16 bits")
      return
    }
    #expect(codes.map { values[Int($0)] } == names.map { .string($0) })
  }
}
