import DataSources
import DataTables
import Testing

struct FilteredSourceTests {
  private func comparison(
    _ key: String, _ operator: ComparisonOperator.Kind, _ value: Value
  ) throws -> Predicate {
    .comparison(
      try Predicate.Comparison(.key(try path(key)), ComparisonOperator(`operator`), .value(value)))
  }

  @Test func emptySectionsAreRemovedAndOthersKept() async throws {
    let foods = SimpleSource(records("name", ["Apple", "Avocado", "Banana", "Cherry"]))
    let letters = SectionedSource(foods, key: try path("name.firstCharacter"))
    let filtered = FilteredSource(letters, where: try comparison("name.length", .greater, 5))
    #expect(filtered.numberOfSections == 0)
    try await filtered.fetchData()
    #expect(try await filtered.sectionTitles() == ["A", "B", "C"])
    #expect(try filtered.sizes == [1, 1, 1])
    filtered.predicate = try comparison("name", .beginsWith, "B")
    try await filtered.fetchData()
    #expect(try await filtered.sectionTitles() == ["B"])
    filtered.showsEmpty = true
    try await filtered.fetchData()
    #expect(try filtered.sizes == [0, 1, 0])
    filtered.predicate = nil
    try await filtered.fetchData()
    #expect(try filtered.sizes == [2, 1, 1])
  }

  @Test func theUntitledSectionOfAFlatSourceIsKept() async throws {
    let nothing = try comparison("name", .equal, "Pie")
    let flat = FilteredSource(SimpleSource(records("name", ["Apple"])), where: nothing)
    try await flat.fetchData()
    #expect(try flat.sizes == [0])
    let titled = FilteredSource(
      SimpleSource(records("name", ["Apple"]), name: "Test"), where: nothing)
    try await titled.fetchData()
    #expect(try titled.sizes == [])
  }

  @Test func aFailedFetchKeepsTheOldContent() async throws {
    let foods = SimpleSource(records("name", ["Apple", "Banana"]))
    let filtered = FilteredSource(foods, where: try comparison("name", .beginsWith, "A"))
    try await filtered.fetchData()
    filtered.predicate = try comparison("nme", .beginsWith, "B")
    await #expect(throws: SourceError.data(.unknownKey("nme", known: ["name"]))) {
      try await filtered.fetchData()
    }
    #expect(try await filtered.allObjects() == records("name", ["Apple"]))
  }

  @Test func aSimpleSourceKeepsItsOnlySection() async throws {
    let source = try SimpleSource(
      [1, 2, 3],
      where: Predicate.comparison(
        try Predicate.Comparison(.object, ComparisonOperator(.greater), .value(5))), name: "Test")
    #expect(try source.sizes == [0])
    source.predicate = nil
    try await source.fetchData()
    #expect(try source.sizes == [3])
    #expect(throws: SourceError.self) {
      try SimpleSource(records("name", ["Apple"]), where: try comparison("nme", .equal, 1))
    }
  }

  @Test func sectionedSourcesFilterBeforeTheySplit() async throws {
    let foods = SimpleSource(records("name", ["Apple", "Banana", "Avocado"]))
    let letters = SectionedSource(
      foods, key: try path("name.firstCharacter"), where: try comparison("name", .beginsWith, "A"))
    try await letters.fetchData()
    #expect(try letters.sizes == [2])
  }

  @Test func theFirstObjectThatSatisfiesAPredicateIsFound() async throws {
    let foods = SimpleSource(records("name", ["Banana", "Apple", "Avocado"]))
    let letters = SectionedSource(
      foods, key: try path("name.firstCharacter"), sort: [SortDescriptor(try path("name"))])
    try await letters.fetchData()
    let content = try letters.content
    let found = try await content.indexPath(where: try comparison("name.length", .equal, 6))
    #expect(found == IndexPath(section: 1, row: 0))
    #expect(try await content.indexPath(where: try comparison("name", .equal, "Pie")) == nil)
  }
}
