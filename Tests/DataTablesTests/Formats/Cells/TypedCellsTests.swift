import Testing

@testable import DataTables

/// Types of strings in rows in memory.
struct TypedCellsTests {
  private func typed(
    _ json: String, _ change: (inout ReadOptions) -> Void = { _ in }
  ) throws -> (rows: [String], report: LoadReport) {
    guard case .array(let rows) = try Value(json: json) else {
      return ([], LoadReport(format: "", rows: 0))
    }
    var options = ReadOptions()
    change(&options)
    let result = try TypedCells(rows, request: ReadRequest(options: options)) { $0 + 10 }.read()
    var report = LoadReport(format: "XML", rows: rows.count)
    result.add(to: &report)
    return (result.rows.map(\.json), report)
  }

  @Test func allCellsOfAKeyMustFit() throws {
    let (rows, report) = try typed(
      #"[{"a":"1","b":"x","c":"01","d":"2024-01-31"},{"a":"2.5","b":"3","c":"2","d":""}]"#)
    #expect(
      rows == [
        #"{"a":1,"b":"x","c":"01","d":"2024-01-31"}"#, #"{"a":2.5,"b":"3","c":"2","d":null}"#,
      ])
    #expect(report.columns.map(\.type) == [.real, .string, .string, .date])
    #expect(report.columns[2].evidence == "values have leading zeros, first at line 10: 01")
  }

  @Test func nestedStringsHaveTypesByTheirPath() throws {
    let (rows, report) = try typed(
      #"[{"a":{"x":"1","y":"z"},"b":["1","2"]},{"a":{"x":"2","y":"1"},"b":"3"}]"#)
    #expect(rows == [#"{"a":{"x":1,"y":"z"},"b":[1,2]}"#, #"{"a":{"x":2,"y":"1"},"b":3}"#])
    #expect(report.columns.map(\.type) == [.value, .value])
  }

  @Test(
    arguments: [
      (#"[{"b":["x","y"]},{"b":["z","w","v"]}]"#, "nested arrays in all 2 rows"),
      (#"[{"b":["x","y"]},{"b":"z"},{"b":"w"}]"#, "mixed: 1 array, 2 strings, first at line 11"),
      (#"[{"b":[{"c":"1"},"2"]},{"a":1}]"#, "nested arrays in 1 of 2 rows"),
      (#"[{"b":{"c":["1"]}},{"b":{"c":"2"}}]"#, "nested records in all 2 rows"),
      (#"[{"b":null},{"b":["1"]}]"#, "nested arrays in 1 of 2 rows"),
    ])
  func evidenceCountsRowsNotElements(json: String, evidence: String) throws {
    let column = try #require(try typed(json).report.columns.first { $0.key == "b" })
    #expect(column.type == .value)
    #expect(column.evidence == evidence)
  }

  @Test func otherValuesOfAKeyDecideToo() throws {
    let (rows, report) = try typed(#"[{"a":1,"b":true},{"a":"2","b":"2"}]"#)
    #expect(rows == [#"{"a":1,"b":true}"#, #"{"a":2,"b":"2"}"#])
    #expect(report.columns.map(\.type) == [.integer, .value])
  }

  @Test func requestedTypesAndNullsAreHonored() throws {
    let (rows, report) = try typed(#"[{"a":"NA","b":"x"},{"a":"1","b":"5"},{"a":"q","b":"6"}]"#) {
      $0.nulls = ["NA"]
      $0.types = ["b": .integer]
    }
    #expect(rows == [#"{"a":null,"b":null}"#, #"{"a":"1","b":5}"#, #"{"a":"q","b":6}"#])
    #expect(report.misfits == 1)
    #expect(report.rejects.map(\.line) == [10])
    #expect(
      report.columns[1].evidence
        == #"1 value is not an integer and is read as null, at line 10: "x""#)
  }

  @Test func aStrictLoadFails() {
    #expect(throws: TableError.self) {
      try typed(#"[{"a":"x"}]"#) {
        $0.types = ["a": .integer]
        $0.isStrict = true
      }
    }
    #expect(throws: TableError.unknownKey("z", known: ["a"])) {
      try typed(#"[{"a":"x"}]"#) { $0.types = ["z": .integer] }
    }
  }
}
