// item: sectioned by name, fixed
import DataSources
import DataTables
import Testing

/// The sources of `item`, each over those that it wraps.
@MainActor final class ItemSources {
  let sections: SimpleSource
  let titles: SimpleSource
  let title: MultiSource
  let item: SectionedSource

  init() async throws {
    sections = SimpleSource([["name": "a", "title": "b"]], name: "a \"quoted\" \\(name)")
    titles = SimpleSource([["name": "c", "title": "d"]])
    title = MultiSource([sections, titles])
    var settings = SectionSettings()
    settings.titles = ["a", "\"", 1, "1"]
    item = SectionedSource(
      title,
      key: try ObjectKeyPath(parsing: "name"),
      mode: .fixed,
      settings: settings
    )
  }

  /// Fetches the sources below too.
  func fetch() async throws {
    try await item.fetchData()
  }
}

// The expectations of the session about item.
@MainActor struct ItemSourcesTests {
  @Test func theExpectationsHold() async throws {
    let sources = try await ItemSources()
    try await sources.fetch()
    #expect(try await sources.item.sectionTitles() == ["a", "\"", 1, "1", "#"])
  }
}
