import Testing

@testable import DataTables

/// Every kind of line end, alone and mixed.
struct LineEndTests {
  private func load(_ text: String) throws -> LoadedTable {
    try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "t.csv")
  }

  private func json(_ loaded: LoadedTable) throws -> [String] {
    try loaded.table.objects(at: Array(0..<loaded.table.count)).map(\.json)
  }

  @Test(arguments: [
    ("a,b\n1,2\n3,4\n", nil), ("a,b\r\n1,2\r\n3,4", "CRLF"), ("a,b\r1,2\r3,4\r", "CR"),
    ("a,b\r1,2\r3,4", "CR"), ("a,b\r\r\n1,2\r\r\n3,4\r\r\n", "CRCRLF"),
    ("a,b\r1,2\n3,4\r\n", "mixed line ends"), ("a,b\n1,2\r3,4\n", "mixed line ends"),
    ("a,b\r\n1,2\n3,4", "mixed line ends"), ("a,b\r\r\n\r1,2\n\n\r\n3,4\r", "mixed line ends"),
  ])
  func rowsEndAtAnyLineEnd(text: String, reported: String?) throws {
    let loaded = try load(text)
    #expect(try json(loaded) == [#"{"a":1,"b":2}"#, #"{"a":3,"b":4}"#])
    #expect(loaded.report.lineEnds == reported)
  }

  @Test func aMixtureIsReportedWithLines() throws {
    #expect(
      try load("a,b\r\n1,2\n3,4\r5,6\r\r\n").report.notes == [
        "line ends are mixed: CRLF first at line 1, LF first at line 2, CR first at line 3, "
          + "CRCRLF first at line 4"
      ])
  }

  @Test(arguments: ["\r", "\r\n", "\n", "\r\r\n"])
  func lineEndsInQuotesAreContent(end: String) throws {
    for rowEnd in ["\n", "\r\n", "\r", "\r\r\n"] {
      let loaded = try load("a,b" + rowEnd + "\"x\(end)y\",z" + rowEnd + "3,\"\(end)\"" + rowEnd)
      let x = Value.string("x\(end)y").json
      #expect(
        try json(loaded) == [#"{"a":\#(x),"b":"z"}"#, #"{"a":"3","b":\#(Value.string(end).json)}"#])
    }
  }

  @Test func aReturnInFieldsOfCompleteRowsIsContent() throws {
    #expect(try json(load("a,b\n1,x\ry\n2,z\n")) == [#"{"a":1,"b":"x\ry"}"#, #"{"a":2,"b":"z"}"#])
  }

  @Test(arguments: ["x,y\rz,w\n", "\"x\",y\r\"z\",\"w\"\r"])
  func aReturnAfterTheSampleEndsRows(last: String) throws {
    let rows = (0..<60_000).map { "\($0),\($0)\n" }.joined()
    let loaded = try load("a,b\n" + rows + last)
    #expect(loaded.table.count == 60_002)
    #expect(try json(loaded).suffix(2) == [#"{"a":"x","b":"y"}"#, #"{"a":"z","b":"w"}"#])
    #expect(
      loaded.report.notes == ["line ends are mixed: LF first at line 1, CR first at line 60002"])
  }

  @Test func aReturnAfterTheSampleEndsRowsOfOneColumn() throws {
    let rows = (0..<60_000).map { "\($0)\n" }.joined()
    let loaded = try load("a\n" + rows + "7\r8\r\n9\n")
    #expect(loaded.table.count == 60_003)
    #expect(loaded.report.lineEnds == "mixed line ends")
  }
}
