import Testing

@testable import DataTables

struct ReleasedColumnsTests {
  private static let never = Cancellation()
  private static let rows = 3_000

  private func table(_ name: String, _ store: CountingBytes) throws -> any Table {
    try FormatTable.core.read(store, named: name, options: ReadOptions()).table
  }

  private static let texts = [
    ("t.csv", "name,age\n" + (0..<rows).map { "Ann \($0 % 7),\($0)\n" }.joined()),
    (
      "t.ndjson",
      (0..<rows).map { "{\"name\":\"Ann \($0 % 7)\",\"age\":\($0)}\n" }.joined()
    ),
  ]

  @Test(arguments: texts)
  func releasedColumnsAreDecodedAgainAndEqual(name: String, text: String) throws {
    let store = CountingBytes(text)
    let table = try table(name, store)
    let path = ObjectKeyPath(key: "name")
    let derived = try ObjectKeyPath(parsing: "name.length")
    let age = ObjectKeyPath(key: "age")
    func values(_ path: ObjectKeyPath) throws -> [Value] {
      guard case .coded(let codes, let values) = try table.column(path, cancellation: Self.never)
      else { return [] }
      return (0..<codes.count).map { values[codes[$0]] }
    }
    let before = try (values(path), values(derived), values(age))
    #expect(before.0.count == Self.rows)
    var read = store.bytesRead
    #expect(try values(path) == before.0)
    #expect(store.bytesRead == read, "a column that was not released was read again")
    table.release([path])
    #expect(try values(age) == before.2)
    #expect(store.bytesRead == read, "a column that was not released was read again")
    #expect(try values(derived) == before.1)
    #expect(store.bytesRead > read, "a column that was released was not read again")
    read = store.bytesRead
    #expect(try values(path) == before.0)
    #expect(store.bytesRead == read)
    table.release([ObjectKeyPath(key: "no such")])
    #expect(try values(path) == before.0)
    #expect(store.bytesRead == read)
  }
}
