import Testing

@testable import DataTables

/// Columns of large texts in any format that are decoded during the scan for rows.
@Suite struct AnticipatedColumnsTests {
  private static let never = Cancellation()
  private static let rows = 40_000
  private static let path = ObjectKeyPath(key: "name")

  private static let texts = [
    ("t.csv", "name,age\n" + (0..<rows * 3).map { "Ann \($0 % 7),\($0)\n" }.joined()),
    ("t.ndjson", (0..<rows).map { "{\"name\":\"Ann \($0 % 7)\",\"age\":\($0)}\n" }.joined()),
    (
      "t.json",
      "[" + (0..<rows).map { "{\"name\":\"Ann \($0 % 7)\",\"age\":\($0)}" }.joined(separator: ",")
        + "]"
    ),
  ]

  private func table(
    _ name: String, _ store: CountingBytes, anticipating keys: [String]
  ) throws -> any Table {
    var request = ReadRequest()
    request.anticipatedKeys = keys
    return try FormatTable.core.read(store, named: name, request: request).table
  }

  private func values(_ table: any Table, _ path: ObjectKeyPath) throws -> [Value] {
    switch try table.column(path, cancellation: Self.never) {
    case .coded(let codes, let values): (0..<codes.count).map { values[codes[$0]] }
    case .keyed(let column): column.keys.map { column.value(of: $0) }
    }
  }

  @Test(arguments: texts)
  func anticipatedColumnsEqualOthersAndAreNotReadAgain(name: String, text: String) throws {
    let store = CountingBytes(text)
    let table = try table(name, store, anticipating: ["name", "missing", "age"])
    let read = store.bytesRead
    for path in [Self.path, try ObjectKeyPath(parsing: "name.length"), ObjectKeyPath(key: "age")] {
      let plain = try self.table(name, CountingBytes(text), anticipating: [])
      #expect(try values(table, path) == values(plain, path))
    }
    #expect(store.bytesRead == read)
    #expect(throws: TableError.self) {
      try table.column(ObjectKeyPath(key: "missing"), cancellation: Self.never)
    }
  }

  @Test(arguments: texts)
  func aPathRequestedTwiceIsNotReadAgain(name: String, text: String) throws {
    let store = CountingBytes(text)
    let table = try table(name, store, anticipating: ["name"])
    let read = store.bytesRead
    try table.decode([Self.path, Self.path], cancellation: Self.never)
    #expect(store.bytesRead == read)
  }

  @Test(arguments: ["t.csv", "t.ndjson"])
  func mostlyDistinctValuesAreStoredAsTexts(name: String) throws {
    let names = (0..<90_000).map { "Ann \(UInt64($0) &* 0x9E37_79B9_7F4A_7C15)" }
    let text =
      name == "t.csv"
      ? "name,age\n" + names.map { "\($0),1\n" }.joined()
      : names.map { "{\"name\":\"\($0)\"}\n" }.joined()
    let store = CountingBytes(text)
    let table = try table(name, store, anticipating: ["name"])
    let read = store.bytesRead
    let column = try table.column(Self.path, cancellation: Self.never)
    guard case .coded(_, let values) = column, case .texts = values.storage else {
      Issue.record("the column is not stored as texts")
      return
    }
    #expect(try self.values(table, Self.path) == names.map { .string($0) })
    #expect(store.bytesRead == read)
  }

  @Test func columnsWhoseChunksCannotBeJoinedAreReadOnceMore() throws {
    // Distinct strings in one half of the text, distinct numbers in the other.
    let rows = (0..<400_000).map { $0 < 200_000 ? "{\"name\":\"x\($0)\"}" : "{\"name\":\($0)}" }
    let store = CountingBytes(rows.joined(separator: "\n"))
    let table = try table("t.ndjson", store, anticipating: ["name"])
    let read = store.bytesRead
    let values = try values(table, Self.path)
    #expect(store.bytesRead - read < store.count * 3 / 2)
    #expect(values[7] == .string("x7"))
    #expect(values[399_999] == .integer(399_999))
  }

  @Test(arguments: texts)
  func releasedColumnsAreDecodedAgain(name: String, text: String) throws {
    let store = CountingBytes(text)
    let table = try table(name, store, anticipating: ["name"])
    let read = store.bytesRead
    table.release([Self.path])
    let plain = try self.table(name, CountingBytes(text), anticipating: [])
    #expect(try values(table, Self.path) == values(plain, Self.path))
    #expect(store.bytesRead > read)
  }

  @Test(arguments: texts)
  func accessThrowsIfTheBytesChanged(name: String, text: String) throws {
    let store = CountingBytes(text)
    let table = try table(name, store, anticipating: ["name"])
    store.change()
    #expect(throws: TableError.changed("the bytes changed")) {
      try table.column(Self.path, cancellation: Self.never)
    }
  }
}
