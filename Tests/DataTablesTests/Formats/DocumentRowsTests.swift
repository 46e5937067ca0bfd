import Testing

@testable import DataTables

struct DocumentRowsTests {
  private func read(
    _ json: String, rows: String? = nil, keyPath: String? = nil
  ) throws -> DocumentRows {
    var options = ReadOptions()
    try ReadOption.rows.apply(rows.map(Value.string), to: &options)
    try ReadOption.keyPath.apply(keyPath.map(Value.string), to: &options)
    return try DocumentRows(of: try Value(json: json), options: options)
  }

  @Test(arguments: [
    (#"[{"a":1},{"a":2}]"#, #"[{"a":1},{"a":2}]"#, ""),
    (#"{"a":1}"#, #"[{"a":1}]"#, ""),
    ("5", "[5]", ""),
    (
      #"{"n":2,"items":[{"a":1},{"a":2}]}"#, #"[{"a":1},{"a":2}]"#,
      "the rows are the elements of `items`, without `n`; `rows: object` keeps the object"
    ),
    (
      #"{"items":[{"a":1}]}"#, #"[{"a":1}]"#,
      "the rows are the elements of `items`; `rows: object` keeps the object"
    ),
    (#"{"items":[]}"#, #"[{"items":[]}]"#, ""),
    (#"{"items":[{"a":1},2]}"#, #"[{"items":[{"a":1},2]}]"#, ""),
    (
      #"{"a":[{}],"b c":[{}]}"#, #"[{"a":[{}],"b c":[{}]}]"#,
      "the object holds several arrays of records: add `keyPath: a` or `keyPath: \"b c\"`"
    ),
    (
      #"{"data":{"items":[{"a":1}]}}"#, #"[{"data":{"items":[{"a":1}]}}]"#,
      "for the records in it, add `keyPath: data.items`"
    ),
    (
      #"{"u":{"a":1},"v":{"a":2}}"#, #"[{"u":{"a":1},"v":{"a":2}}]"#,
      "its members are objects; `rows: values` reads each as a row"
    ),
    (
      #"{"a":[1],"b":[2]}"#, #"[{"a":[1],"b":[2]}]"#,
      "its members are arrays; `rows: columns` reads them as columns"
    ),
  ])
  func rowsAreDetected(json: String, rows: String, note: String) throws {
    let found = try read(json)
    #expect(Value.array(found.rows).json == rows)
    #expect(found.notes.joined(separator: "\n") == note)
  }

  @Test(arguments: [
    (#"{"u":{"a":1},"v":{"key":2}}"#, "values", #"[{"key_2":"u","a":1},{"key_2":"v","key":2}]"#),
    (#"{"u":1,"v":null}"#, "values", #"[{"key":"u","value":1},{"key":"v","value":null}]"#),
    (#"{}"#, "values", "[]"),
    (#"{"a":[1,2],"b":[3]}"#, "columns", #"[{"a":1,"b":3},{"a":2,"b":null}]"#),
    (#"{"a":[1,2],"t":"x"}"#, "columns", #"[{"a":1,"t":"x"},{"a":2,"t":"x"}]"#),
    (
      #"{"a":{"0":1,"1":2},"b":{"1":4}}"#, "columns",
      #"[{"key":"0","a":1,"b":null},{"key":"1","a":2,"b":4}]"#
    ),
    (#"{"items":[{"a":1}]}"#, "object", #"[{"items":[{"a":1}]}]"#),
    (#"[1,2]"#, "object", "[1,2]"),
  ])
  func shapesAreApplied(json: String, shape: String, rows: String) throws {
    #expect(Value.array(try read(json, rows: shape).rows).json == rows)
  }

  @Test(arguments: [
    ("[1]", "values"), ("5", "columns"), (#"{"a":1}"#, "columns"), (#"{"a":1}"#, "table"),
  ])
  func aShapeThatDoesNotFitIsAnError(json: String, shape: String) {
    #expect(throws: TableError.self) { try read(json, rows: shape) }
  }

  @Test func rowsKnowTheirPlace() throws {
    #expect(try read(#"{"a":[{}]}"#).path(ofRow: 0)?.description == "a[0]")
    #expect(
      try read(#"{"x":{"u":{}}}"#, rows: "values", keyPath: "x").path(ofRow: 0)?.description
        == "x.u")
    #expect(try read(#"{"a":[1,2]}"#, rows: "columns").path(ofRow: 0) == nil)
    #expect(try read(#"{"a":1}"#, keyPath: "b").rows.isEmpty)
    #expect(try read(#"{"a":{"b":1}}"#, keyPath: "a").rows.count == 1)
  }
}
