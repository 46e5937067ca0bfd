import Testing

@testable import DataTables

/// Columns of large texts that are decoded while the rows are looked for.
@Suite struct AnticipatedColumnsTests {
  private static let never = Cancellation()
  private static let rows = 40_000
  private static let path = ObjectKeyPath(key: "name")

  private static let texts = [
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
    var options = ReadOptions()
    options.anticipatedKeys = keys
    return try TableFormats.read(store, named: name, options: options).table
  }

  private func values(_ table: any Table, _ path: ObjectKeyPath) throws -> [Value] {
    switch try table.column(path, cancellation: Self.never) {
    case .coded(let codes, let values): (0..<codes.count).map { values[codes[$0]] }
    case .keyed(let column): column.keys.map { column.value(of: $0) }
    }
  }

  @Test(arguments: texts)
  func areTheSameAndNotReadAgain(name: String, text: String) throws {
    let store = CountingBytes(text)
    let table = try table(name, store, anticipating: ["name", "nobody", "age"])
    let read = store.bytesRead
    for path in [Self.path, try ObjectKeyPath(parsing: "name.length"), ObjectKeyPath(key: "age")] {
      let plain = try self.table(name, CountingBytes(text), anticipating: [])
      #expect(try values(table, path) == values(plain, path))
    }
    // Twice the same path, as of a key that is sorted by and cut by.
    try table.decode([Self.path, Self.path], cancellation: Self.never)
    #expect(store.bytesRead == read)
    #expect(throws: TableError.self) {
      try table.column(ObjectKeyPath(key: "nobody"), cancellation: Self.never)
    }
  }

  @Test(arguments: texts)
  func areOneReadingWhenSeveralPathsAreWantedAtOnce(name: String, text: String) throws {
    let store = CountingBytes(text)
    let table = try table(name, store, anticipating: ["name"])
    let read = store.bytesRead
    try table.decode([Self.path, Self.path], cancellation: Self.never)
    #expect(store.bytesRead == read)
  }

  @Test(arguments: texts)
  func areDecodedAgainWhenTheyWereReleased(name: String, text: String) throws {
    let store = CountingBytes(text)
    let table = try table(name, store, anticipating: ["name"])
    let read = store.bytesRead
    table.release([Self.path])
    let plain = try self.table(name, CountingBytes(text), anticipating: [])
    #expect(try values(table, Self.path) == values(plain, Self.path))
    #expect(store.bytesRead > read)
  }

  @Test(arguments: texts)
  func areRefusedWhenTheBytesChangedMeanwhile(name: String, text: String) throws {
    let store = CountingBytes(text)
    let table = try table(name, store, anticipating: ["name"])
    store.change()
    #expect(throws: TableError.changed("the bytes are others")) {
      try table.column(Self.path, cancellation: Self.never)
    }
  }
}
