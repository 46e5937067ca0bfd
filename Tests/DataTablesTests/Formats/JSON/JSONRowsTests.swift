import TestSupport
import Testing

@testable import DataTables

/// The rows of JSON documents that are one object, and of several values.
struct JSONRowsTests {
  private func load(_ text: String, options: ReadOptions = ReadOptions()) throws -> LoadedTable {
    try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "x.json", options: options)
  }

  private func rows(_ loaded: LoadedTable) throws -> [String] {
    try loaded.table.objects(at: Array(0..<loaded.table.count)).map(\.json)
  }

  /// In every place of a document that is built as a whole.
  @Test(arguments: [
    ("{\n\"u\": {\"a\": 1}, \"u\": {\"a\": 2}}", 1), ("{\"u\":\n{\"a\": 1, \"a\": 2}}", 2),
    ("\n{\"u\": [{\"a\": 1},\n\n{\"a\": 1, \"a\": 2}]}", 4),
  ])
  func duplicateKeysOfMembersAreReported(text: String, line: Int) throws {
    var options = ReadOptions()
    try ReadOption.rows.apply("values", to: &options)
    let notes = try load(text, options: options).report.notes
    #expect(
      notes.contains(
        "1 record has a duplicate key, first at line \(line); the last value counts"), "\(notes)")
  }

  @Test(arguments: 0..<400)
  func objectsHaveTheRowsThatTheirValuesHave(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    func value(_ depth: Int) -> Value {
      switch random.below(depth > 0 ? 6 : 2) {
      case 0: return 1
      case 1: return "x,{[\"\\"
      case 2: return .array((0..<random.below(3)).map { _ in value(depth - 1) })
      case 3:
        return .array((0..<random.below(3)).map { .record(Record([("id", .integer($0))])) })
      default:
        let keys = ["0", "a", "b c", "type"].prefix(random.below(5))
        return .record(Record(keys.map { ($0, value(depth - 1)) }))
      }
    }
    let keys = ["a", "b c", "items", "type", "e", "f", "g", "h", "i", "j"]
      .prefix(random.below(11))
    let record = Record(keys.map { ($0, value(2)) })
    let document = Value.record(record)
    let shape = random.one(of: [nil, "object", "values", "columns"])
    var options = ReadOptions()
    try ReadOption.rows.apply(shape.map(Value.string), to: &options)
    let found = try? load(document.json, options: options)
    let expected = try? DocumentRows(of: document, options: options)
    #expect((found == nil) == (expected == nil), "seed \(seed): \(document.json)")
    guard let found, let expected else { return }
    // The survey looks only at the first element of an array.
    let isMixed = record.values.contains { value in
      guard case .array(let elements) = value, case .record? = elements.first else { return false }
      return elements.contains { $0.type != .record }
    }
    if isMixed || record.values.contains(where: { $0.json.contains("[{") && $0.type == .record }) {
      return
    }
    #expect(try rows(found) == expected.rows.map(\.json), "seed \(seed): \(document.json)")
    let notes = found.report.notes.filter {
      !$0.contains("not a record") && !$0.contains("not records")
    }
    #expect(notes == expected.notes, "seed \(seed): \(document.json)")
  }

  @Test(arguments: 0..<200)
  func valuesOneAfterAnotherAreRows(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let pool = ["{\"a\":1}", "{\n \"a\": [1, {}]\n}", "[1]", "\"x\"", "{}", "12", "null"]
    let values = (0..<Int(2 + random.below(40))).map { _ in random.one(of: pool) }
    var text = random.one(of: ["", " ", "\n"])
    for value in values {
      let needsSpace = "0123456789l".contains(text.last ?? " ") && "1n".contains(value.first ?? " ")
      text += (needsSpace ? " " : random.one(of: ["", " ", "\n", "\r\n\t"])) + value
    }
    text += random.one(of: ["", "\n"])
    let loaded = try load(text)
    #expect(
      try rows(loaded) == values.map { try Value(json: $0).json }, "seed \(seed): \(text)")
    // Every row can be read alone.
    let row = random.below(values.count)
    #expect(try loaded.table.object(at: row).json == Value(json: values[row]).json)
  }

  @Test func rowsSpanWindowsAndKeepTheirLines() throws {
    let value = "{\n\"a\": \"" + String(repeating: "x", count: 1_000) + "\"\n}\n"
    let loaded = try load(String(repeating: value, count: 1_000))
    #expect(loaded.report.format == "concatenated JSON")
    #expect(loaded.table.count == 1_000)
    #expect(try loaded.table.line(of: 999) == 2_998)
    #expect(try loaded.table.object(at: 500) == loaded.table.object(at: 0))
  }

  @Test(arguments: [
    (#"{"items":[{"a":1},{"a":"#, "expected a value, found the end of the text"),
    (#"{"a":1} x"#, "expected the end of the document, found `x`"),
    (#"{"a":1}{"a":2"#, "expected `,` or `}`, found the end of the text"),
    (#"{"a":1},{"a":2}"#, "expected the end of the document, found `,`"),
    (#"12 13x"#, "expected the end of the document, found `1`"),
    (#"{"a" 1}"#, "expected `:` after a key, found `1`"),
  ])
  func malformedTextsStateWhatIsWrong(text: String, message: String) {
    let error = #expect(throws: TableError.self) { try load(text) }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }

  @Test func featuresOfGeoJSONAreRows() throws {
    let loaded = try load(
      #"{"type":"FeatureCollection","name":"x","features":[{"type":"Feature","id":1}]}"#)
    #expect(loaded.report.format == "GeoJSON")
    #expect(try rows(loaded) == [#"{"type":"Feature","id":1}"#])
  }

  @Test func documentsInMemoryAreLimited() throws {
    var options = ReadOptions()
    try ReadOption.rows.apply("values", to: &options)
    options.limits.document = 10
    #expect(throws: TableError.self) { try load(#"{"a":{"b":1}}"#, options: options) }
    try ReadOption.rows.apply("columns", to: &options)
    options.limits.document = 64 << 20
    let members = (0..<10_000).map { "\"k\($0)\":1" }.joined(separator: ",")
    let elements = [String](repeating: "1", count: 10_000).joined(separator: ",")
    let error = #expect(throws: TableError.self) {
      try load("{\(members),\"a\":[\(elements)]}", options: options)
    }
    #expect(error?.message == "10,001 columns of 10,000 rows have more than 16,777,216 cells")
  }
}
