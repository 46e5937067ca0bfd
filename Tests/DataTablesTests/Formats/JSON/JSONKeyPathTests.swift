import TestSupport
import Testing

@testable import DataTables

@Suite struct JSONKeyPathTests {
  private func load(
    _ text: String, at path: String?, extraValues: [String] = [], format: String? = "json"
  ) throws -> LoadedTable {
    var options = ReadOptions()
    options.format = format
    options.keyPath = try path.map { try ObjectKeyPath(parsing: $0) }
    var request = ReadRequest(options: options)
    request.extraValues = try extraValues.map { try ObjectKeyPath(parsing: $0) }
    return try FormatTable.core.read(
      MemoryBytes(Array(text.utf8)), named: "response", request: request)
  }

  @Test(arguments: [
    (#"{"links": [{"a": 1}, {"a": 2}], "n": 3}"#, "links", 2),
    (#"{"links": {"a": 1}}"#, "links", 1),
    (#"{"other": []}"#, "links", 0),
    (#"{"links": null}"#, "links", 0),
    (#"[{"a": 1}]"#, "links", 0),
    (#"{"d": {"items": [[1, 2], [3]]}}"#, "d.items[0]", 2),
    (#"{"a": [1, 2, 3], "\u0061": [4]}"#, "a", 1),
    (#"{"a": {"b": [1]}, "a": {}}"#, "a.b", 0),
  ])
  func theRowsAreAtTheKeyPath(text: String, path: String, count: Int) throws {
    #expect(try load(text, at: path).table.count == count)
  }

  @Test func extraValuesAreRead() throws {
    let loaded = try load(
      #"{"page": 2, "data": [1], "meta": {"next": "ab\n", "big": []}}"#, at: "data",
      extraValues: ["page", "meta.next", "total"])
    #expect(
      loaded.extraValues == [
        try ObjectKeyPath(parsing: "page"): 2, try ObjectKeyPath(parsing: "meta.next"): "ab\n",
      ])
    #expect(loaded.report.notes == [])
    #expect(try load("{}", at: "data").report.notes == ["no value at `data`"])
  }

  @Test(arguments: [
    ("data.itms", "no value at `data.itms`; `data` has the keys `items`, `meta`"),
    ("dat.items", "no value at `dat.items`; the document has the key `data`"),
    (
      "data.meta.pge",
      "no value at `data.meta.pge`; `data.meta` has the keys `page`, `a`, `b`, `c` and 1 more"
    ),
    ("data.items[7]", "no value at `data.items[7]`"),
  ])
  func aMissingPathIsReportedWithTheNearestKeys(path: String, note: String) throws {
    let text = #"{"data": {"items": [], "meta": {"a": 1, "b": 2, "c": 3, "d": 4, "page": 5}}}"#
    for rows in [nil, "values"] {
      var options = ReadOptions()
      options.keyPath = try ObjectKeyPath(parsing: path)
      try ReadOption.rows.apply(rows.map { .string($0) }, to: &options)
      let loaded = try FormatTable.core.read(
        MemoryBytes(Array(text.utf8)), named: "x.json", options: options)
      #expect(loaded.table.count == 0)
      #expect(loaded.report.notes == [note])
    }
    var options = ReadOptions()
    options.keyPath = try ObjectKeyPath(parsing: path)
    try ReadOption.relaxed.apply(true, to: &options)
    let relaxed = try FormatTable.core.read(
      MemoryBytes(Array(text.utf8)), named: "x.json", options: options)
    #expect(relaxed.report.notes == [note])
  }

  @Test func aMalformedRowIsReportedWithItsPositionInTheDocument() {
    #expect(
      throws: TableError.format(
        "expected `,` or `}`, found `2`", at: TextPosition(line: 2, column: 10))
    ) { try load("{\"data\": [\n {\"a\": 1 2}]}", at: "data") }
  }

  @Test(arguments: [
    (#"{"data": [1]} x"#, "expected the end of the document, found `x`"),
    (#"{"data": [1], "rest": [}"#, "expected `,` or `]`, found `}`"),
    (
      #"{"data": [1], "rest": "x"#,
      "expected a closing quote, found the end of the text"
    ),
    (#"{"data": [1]"#, "expected `,` or `}`, found the end of the text"),
    (#"{"data" [1]}"#, "expected `:` after a key, found `[`"),
    (#"{data: [1]}"#, "expected a key in quotes, found `d`"),
    ("", "expected a value, found the end of the text"),
  ])
  func aMalformedDocumentIsRejected(text: String, message: String) {
    do {
      _ = try load(text, at: "data")
      Issue.record("the document was read")
    } catch {
      // The message may begin with the advice to read the text as relaxed JSON.
      #expect((error as? TableError)?.message.contains(message) == true, "\(error)")
    }
  }

  @Test func otherFormatsDoNotSupportKeyPaths() {
    let error = #expect(throws: TableError.self) {
      try load("a\n1\n", at: "data", format: "csv")
    }
    #expect(error?.message.hasPrefix("the format csv does not support `keyPath:`") ?? false)
  }

  @Test func theDepthIsLimited() throws {
    let deep = "{\"a\":" + String(repeating: "[", count: 3_000)
    #expect(throws: TableError.self) { try load(deep, at: "b") }
    let path = String(repeating: "a.", count: 600) + "a"
    let records = String(repeating: "{\"a\":", count: 600)
    #expect(throws: TableError.self) { try load(records, at: path) }
  }

  @Test(arguments: [UInt64(11), 12, 13])
  func locatedValuesEqualThoseOfTheWholeDocument(seed: UInt64) throws {
    var texts = JSONTexts(seed: seed)
    for round in 0..<400 {
      let text = texts.document()
      let paths = (0..<3).map { _ in path(&texts) }
      var locator = JSONLocator(
        MemoryBytes(text), paths: paths, limits: ReadLimits(), cancellation: Cancellation(),
        window: 1 + texts.random.below(60))
      try locator.locate()
      let whole = try JSONFormat.value(text)
      for (path, range) in zip(paths, locator.ranges) {
        let found = try range.map { try JSONFormat.value(Array(text[$0])) }
        #expect(found == whole.at(path.steps[...]), "seed \(seed), round \(round), \(path)")
      }
    }
  }

  @Test(arguments: [UInt64(21), 22, 23])
  func theLocatorAcceptsEveryValidDocument(seed: UInt64) throws {
    var texts = JSONTexts(seed: seed)
    for round in 0..<400 {
      let text = texts.broken(texts.document())
      var locator = JSONLocator(
        MemoryBytes(text), paths: [path(&texts)], limits: ReadLimits(),
        cancellation: Cancellation(), window: 1 + texts.random.below(60))
      guard (try? JSONFormat.value(text)) == nil else {
        #expect(throws: Never.self, "seed \(seed), round \(round)") { try locator.locate() }
        continue
      }
      try? locator.locate()
    }
  }

  @Test(arguments: [UInt64(31), 32, 33])
  func rowsReadDuringThePassEqualThoseOfTheWholeDocument(seed: UInt64) throws {
    var texts = JSONTexts(seed: seed)
    for round in 0..<100 {
      let rows = (0..<texts.random.below(5)).map { _ in texts.document() }
      let array = "[" + rows.map { self.text($0) }.joined(separator: ",") + "]"
      let around = (self.text(texts.document()), self.text(texts.document()))
      let document = #"{"x":\#(around.0),"a":{"b":[0,\#(array)]},"y":\#(around.1)}"#
      let text = MemoryBytes(Array(document.utf8))
      let path = ObjectKeyPath([.key("a"), .key("b"), .index(1)])
      var found: (start: Int, rows: [Value])?
      let (window, minChunkSize) = (1 + texts.random.below(60), 1 + texts.random.below(40))
      var locator = JSONLocator(
        text, paths: [path], limits: ReadLimits(), cancellation: Cancellation(), window: window
      ) { start, depth in
        var document = JSONDocument(
          text, layout: .elements, range: start..<text.count, request: ReadRequest(),
          cancellation: Cancellation())
        (document.isInner, document.depth) = (true, depth)
        (document.window, document.minChunkSize) = (window, minChunkSize)
        let (loaded, end) = try document.loadToEnd()
        found = (start, try loaded.table.objects(at: Array(0..<loaded.table.count)))
        return end + 1
      }
      try locator.locate()
      let expected = try rows.map { try JSONFormat.value($0) }
      #expect(found?.rows == expected, "seed \(seed), round \(round)")
      #expect(locator.ranges[0].map { Array(text.bytes[$0]) } == Array(array.utf8))
    }
  }

  @Test func aLargeArrayWithinTheTextIsReadByAllWorkers() throws {
    let row = #"{"id": 1, "name": "\#(String(repeating: "x", count: 200))"}"#
    let rows = Array(repeating: row, count: 60_000).joined(separator: ", ")
    let loaded = try load(
      #"{"data": [\#(rows)], "rest": [\#(row), \#(row)], "n": 7}"#, at: "data", extraValues: ["n"])
    #expect(loaded.table.count == 60_000)
    #expect(loaded.extraValues == [ObjectKeyPath(key: "n"): 7])
    let other = try load(#"{"rest": [\#(row)], "data": [\#(row)], "more": [\#(rows)]}"#, at: "data")
    #expect(other.table.count == 1)
  }

  @Test func theLastOfDuplicateArraysIsRead() throws {
    let loaded = try load(#"{"a": [1, 2], "a": [3], "b": 1}"#, at: "a")
    #expect(try loaded.table.objects(at: Array(0..<loaded.table.count)) == [3])
    #expect(try load(#"{"a": [1, 2], "a": null}"#, at: "a").table.count == 0)
  }

  @Test func extraValuesMayBeWithinTheRows() throws {
    let loaded = try load(
      #"{"data": [{"id": 4}, {"id": 5}]}"#, at: "data", extraValues: ["data[1].id"])
    #expect(loaded.table.count == 2)
    #expect(loaded.extraValues.values.map(\.self) == [5])
  }

  @Test func theDepthOfRowsIsCountedFromTheDocument() throws {
    var options = ReadOptions()
    options.keyPath = ObjectKeyPath(key: "data")
    let text = MemoryBytes(Array(#"{"data": [{"a": [1]}]}"#.utf8))
    options.limits.depth = 4
    #expect(try FormatTable.core.read(text, named: "x.json", options: options).table.count == 1)
    options.limits.depth = 3
    #expect(
      throws: TableError.limit(
        "a value is nested deeper than 3 levels", setting: "maxDepth: 2048",
        at: TextPosition(line: 1, column: 17))
    ) { try FormatTable.core.read(text, named: "x.json", options: options) }
  }

  @Test func columnsAreReportedOnlyOnRequest() throws {
    for name in ["x.json", "x.csv"] {
      let text = MemoryBytes(Array((name == "x.csv" ? "a\n1\n" : #"[{"a": 1}]"#).utf8))
      var request = ReadRequest()
      #expect(
        try FormatTable.core.read(text, named: name, request: request).report.columns.count == 1)
      request.reportsColumns = false
      let loaded = try FormatTable.core.read(text, named: name, request: request)
      #expect(loaded.report.columns.isEmpty)
      let column = try loaded.table.column(ObjectKeyPath(key: "a"), cancellation: Cancellation())
      #expect(column.type == .integer)
    }
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func path(_ texts: inout JSONTexts) -> ObjectKeyPath {
    let keys: [ObjectKeyPath.Step] = [
      .key("a"), .key("b"), .key("q\"uote"), .key(""), .index(0), .index(1), .index(2),
    ]
    return ObjectKeyPath((0..<1 + texts.random.below(4)).map { _ in texts.random.one(of: keys) })
  }
}

extension Value {
  fileprivate func at(_ steps: ArraySlice<ObjectKeyPath.Step>) -> Value? {
    guard let step = steps.first else { return self }
    switch (step, self) {
    case (.key(let key), .record(let record)): return record[key]?.at(steps.dropFirst())
    case (.index(let index), .array(let values)) where values.indices.contains(index):
      return values[index].at(steps.dropFirst())
    default: return nil
    }
  }
}
