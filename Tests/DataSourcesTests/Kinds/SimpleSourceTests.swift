import DataSources
import DataTables
import Testing

struct SimpleSourceTests {
  @Test func anArrayIsOneSectionTitledWithTheName() async throws {
    let source = SimpleSource([1, 2, "third object"], name: "Test")
    #expect(try source.sizes == [3])
    #expect(try await source.sectionTitles() == ["Test"])
    #expect(try await source.object(at: IndexPath(section: 0, row: 2)) == "third object")
    #expect(try await source.allObjects() == [1, 2, "third object"])
  }

  @Test func anEmptyArrayIsOneSectionWithAnEmptyTitle() async throws {
    let source = SimpleSource([])
    #expect(try source.sizes == [0])
    #expect(try await source.sectionTitles() == [""])
    #expect(try await source.allObjects() == [])
  }

  @Test func aFetchOfAnArrayReportsWillAndFinished() async throws {
    let source = SimpleSource([1])
    let listener = Listener()
    source.delegate = listener
    try await source.fetchData()
    #expect(listener.events == ["will", "finished"])
    #expect(source.transcript.map(\.event.name) == ["will", "finished"])
    #expect(source.transcript.last?.objects == 1)
  }

  @Test func aNewNameBecomesTheTitleAtTheNextFetch() async throws {
    let source = SimpleSource([1], name: "old")
    source.name = "new"
    #expect(try await source.sectionTitles() == ["old"])
    try await source.fetchData()
    #expect(try await source.sectionTitles() == ["new"])
  }

  @Test func anInvalidIndexPathIsOutOfRange() async throws {
    let source = SimpleSource([1, 2, 3], name: "Test")
    await #expect(throws: SourceError.sectionOutOfRange(1, sections: 1)) {
      try await source.object(at: IndexPath(section: 1, row: 0))
    }
    let path = IndexPath(section: 0, row: 9)
    await #expect(throws: SourceError.rowOutOfRange(path, rows: 3, title: "Test")) {
      try await source.object(at: path)
    }
    await #expect(throws: SourceError.self) {
      try await source.object(at: IndexPath(section: 0, row: -1))
    }
    await #expect(throws: SourceError.self) {
      try await source.object(at: IndexPath(section: -1, row: 0))
    }
    let store = try #require(source.content.store.local)
    #expect(throws: SourceError.rowOutOfRange(path, rows: 3, title: "Test")) {
      try store.object(at: path)
    }
    #expect(try store.object(at: IndexPath(section: 0, row: 1)) == 2)
  }

  @Test func aMissingObjectHasNoIndexPath() async throws {
    let source = SimpleSource([1, "1", 1, .record(Record([("a", 1), ("b", nil)])), nil])
    func row(of object: Value) async throws -> Int? {
      try await source.indexPath(for: object)?.row
    }
    #expect(try await row(of: Value(literal: "1.00")) == 0)
    #expect(try await row(of: "1") == 1)
    #expect(try await row(of: nil) == 4)
    #expect(try await row(of: 2) == nil)
    #expect(try await row(of: .record(Record([("b", nil), ("a", 1)]))) == 3)
    #expect(try await row(of: .record(Record([("a", 1)]))) == nil)
    #expect(try await row(of: .record(Record([("z", 1)]))) == nil)
  }

  @Test func anIndexPathIsFoundByValuesUnderKeys() async throws {
    let source = SimpleSource(records("name", ["Pie", nil, "Ann", "Pie"]))
    let content = try source.content
    #expect(try await content.indexPath(matching: Record([("name", "Ann")]))?.row == 2)
    #expect(try await content.indexPath(matching: Record([("name", "Pie")]))?.row == 0)
    #expect(try await content.indexPath(matching: Record([("name", nil)]))?.row == 1)
    #expect(try await content.indexPath(matching: Record([("nope", 1)])) == nil)
  }

  @Test func aBatchContainsObjectsOfOneSection() async throws {
    let inner = SimpleSource(records("x", [1, 1, 1, 2, 3, 3]))
    let source = SectionedSource(inner, key: try path("x"))
    try await source.fetchData()
    var starts: [IndexPath] = []
    for try await batch in try source.content.batches(of: 2) { starts.append(batch.start) }
    #expect(starts.map { [$0.section, $0.row] } == [[0, 0], [0, 2], [1, 0], [2, 0]])
    var objects: [Value] = []
    for try await batch in try source.content.batches(in: 1..<9) { objects += batch.objects }
    #expect(objects == records("x", [2, 3, 3]))
  }
}
