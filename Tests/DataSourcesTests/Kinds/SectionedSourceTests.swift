import DataSources
import DataTables
import Testing

struct SectionedSourceTests {
  private func sectioned(
    _ objects: [Value], key: String?, sort: [SortDescriptor] = []
  ) async throws -> SectionedSource {
    let key = try key.map { try path($0) }
    let source = SectionedSource(SimpleSource(objects), key: key, sort: sort)
    try await source.fetchData()
    return source
  }

  private func by(
    _ key: String, _ direction: SortDescriptor.Direction = .ascending
  ) throws -> SortDescriptor { SortDescriptor(try path(key), direction: direction) }

  @Test func neighborsWithEqualKeysShareASection() async throws {
    let source = try await sectioned(
      records("category", ["first", "first", "second", "third"]), key: "category")
    #expect(try source.sizes == [2, 1, 1])
    let object = try await source.object(at: IndexPath(section: 2, row: 0))
    #expect(object == .record(Record([("category", "third")])))
  }

  @Test func sectionsFollowTheOrderOfTheSort() async throws {
    let source = try await sectioned(
      records("category", ["beta", "alpha", "gamma", "alpha"]), key: "category",
      sort: [by("category")])
    #expect(try source.sizes == [2, 1, 1])
    #expect(try await source.sectionTitles() == ["alpha", "beta", "gamma"])
    #expect(source.summary == "sectioned by category, sorted by category")
  }

  @Test func aDerivedKeyDeterminesSections() async throws {
    let names: [Value] = ["aardvark", "anteater", "bee", "bear", "blue jay", "cow", "crow"]
    let source = try await sectioned(records("name", names), key: "name.firstCharacter")
    #expect(try source.sizes == [2, 3, 2])
    #expect(try await source.sectionTitles() == ["a", "b", "c"])
    #expect(try await source.sectionIndexTitles() == ["A", "B", "C"])
  }

  @Test func theFirstCharacterIsAGrapheme() async throws {
    let source = try await sectioned(
      records("name", ["e\u{301}clair", "éclair", "👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦x", ""]),
      key: "name.firstCharacter")
    #expect(try source.sizes == [2, 2, 1])
    #expect(try await source.sectionTitles() == ["é", "👨‍👩‍👧‍👦", nil])
    #expect(try await source.sectionIndexTitles() == ["É", "👨‍👩‍👧‍👦", ""])
  }

  @Test func aRepeatedTitleIsReported() async throws {
    let source = try await sectioned(
      records("category", ["beta", "alpha", "beta"]), key: "category")
    #expect(try await source.sectionTitles() == ["beta", "alpha", "beta"])
    let repeated = try source.content.repeatedTitles
    #expect(repeated.map(\.title) == ["beta"] && repeated.map(\.sections) == [[0, 2]])
  }

  @Test func missingAndNullShareASection() async throws {
    let objects: [Value] = [
      .record(Record([("k", "x")])), .record(Record([])), .record(Record([("k", nil)])),
      .record(Record([("k", "x")])),
    ]
    let source = try await sectioned(objects, key: "k")
    #expect(try source.sizes == [1, 2, 1])
    #expect(try await source.sectionTitles() == ["x", nil, "x"])
  }

  @Test func anEmptySourceHasNoSectionsWithAKeyAndOneWithout() async throws {
    let keyed = try await sectioned([], key: "k")
    #expect(keyed.numberOfSections == 0)
    #expect(try await keyed.sectionTitles() == [])
    let plain = try await sectioned([], key: nil)
    #expect(try plain.sizes == [0])
    #expect(try await plain.sectionTitles() == [""])
  }

  @Test func missingPricesAreLastDescendingAndFirstAscending() async throws {
    let objects = [("b", 3), ("a", nil), ("a", 5), ("a", 9), ("a", 5)].enumerated().map {
      Value.record(
        Record([
          ("category", Value.string($1.0)), ("price", $1.1.map { .integer($0) } ?? .null),
          ("n", .integer($0)),
        ]))
    }
    let down = try await sectioned(
      objects, key: "category", sort: [by("category"), by("price", .descending)])
    #expect(try await down.references() == [["a", 3, 2, 4, 1], ["b", 0]])
    let up = try await sectioned(objects, key: "category", sort: [by("category"), by("price")])
    #expect(try await up.references() == [["a", 1, 2, 4, 3], ["b", 0]])
  }

  @Test func aSourceIsEmptyBeforeTheFirstFetch() async throws {
    let source = SectionedSource(SimpleSource([1]))
    #expect(source.numberOfSections == 0 && source.numberOfObjects == 0)
    #expect(try await source.sectionTitles() == [])
    #expect(try await source.sectionIndexTitles() == [])
    #expect(source.transcript.isEmpty)
    await #expect(throws: SourceError.notFetched) {
      try await source.object(at: IndexPath(section: 0, row: 0))
    }
    await #expect(throws: SourceError.notFetched) { try await source.references() }
  }

  @Test func settingsTakeEffectAtTheNextFetch() async throws {
    let source = try await sectioned(records("x", [2, 1, 2]), key: nil)
    source.key = try path("x")
    source.sort = [try by("x", .descending)]
    #expect(try source.sizes == [3])
    try await source.fetchData()
    #expect(try source.sizes == [2, 1])
    source.key = nil
    try await source.fetchData()
    #expect(try source.sizes == [3])
  }

  @Test func anUnknownKeyFailsAndKeepsTheSections() async throws {
    let source = try await sectioned(records("x", [1, 2]), key: "x")
    source.key = try path("y")
    let unknown = SourceError.data(.unknownKey("y", known: ["x"]))
    await #expect(throws: unknown) { try await source.fetchData() }
    #expect(source.error == unknown)
    #expect(try source.sizes == [1, 1])
    source.key = try path("x")
    source.sort = [try by("y")]
    await #expect(throws: unknown) { try await source.fetchData() }
    source.sort = []
    try await source.fetchData()
    #expect(source.error == nil)
  }

  @Test func aFailedFetchBelowKeepsTheOldSections() async throws {
    let inner = GatedSource()
    inner.result = .success(records("x", [1, 2]))
    let source = SectionedSource(inner, key: try path("x"))
    try await source.fetchData()
    inner.result = .failure(.io("gone"))
    let listener = Listener()
    source.delegate = listener
    await #expect(throws: SourceError.data(.io("gone"))) { try await source.fetchData() }
    #expect(listener.events == ["will", "failed"])
    #expect(try source.sizes == [1, 1])
    #expect(inner.numberOfObjects == 2)
  }

  @Test func sectionsCanBeSectionedAgain() async throws {
    let inner = SimpleSource(records("x", [3, 1, 2, 1]))
    let first = SectionedSource(inner, key: try path("x"), sort: [try by("x", .descending)])
    let second = SectionedSource(first)
    try await second.fetchData()
    #expect(try await second.allObjects() == records("x", [3, 2, 1, 1]))
    // The order of the sections below is the initial order of the stable sort, and the input.
    #expect(try await second.references() == [["", 0, 1, 2, 3]])
    #expect(try await first.references() == [[3, 0], [2, 2], [1, 1, 3]])
    #expect(try first.sizes == [1, 1, 2])
  }

  @Test func anIndexPathIncludesTheSection() async throws {
    let source = try await sectioned(
      records("x", [2, 1, nil, 2]), key: "x", sort: [by("x")])
    let content = try source.content
    let found = try await content.indexPath(matching: Record([("x", 2)]))
    #expect(found == IndexPath(section: 2, row: 0))
    #expect(
      try await source.indexPath(for: .record(Record([("x", nil)])))
        == IndexPath(section: 0, row: 0))
    #expect(try await source.indexPath(for: 2) == nil)
  }

  @Test func aSnapshotOutlivesTheNextFetchAndItsSource() async throws {
    var source: SectionedSource? = try await sectioned(records("x", [1, 2]), key: "x")
    let old = try #require(try source?.content)
    source?.key = nil
    try await source?.fetchData()
    #expect(old.numberOfSections == 2)
    source = nil
    #expect(try await old.object(at: IndexPath(section: 1, row: 0)) == records("x", [2])[0])
  }
}
