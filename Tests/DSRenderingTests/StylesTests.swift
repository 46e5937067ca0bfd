import DSRendering
import Testing

@Suite struct StylesTests {
  @Test func theNamesAreTheValuesOfTheOutputOption() {
    #expect(
      Styles.names
        == ["table", "box", "json", "jsonl", "csv", "tsv", "markdown", "html", "line"])
    #expect(Styles.completeNames == ["json", "jsonl", "csv", "tsv"])
  }

  @Test(arguments: Styles.names) func everyNameHasItsStyle(name: String) throws {
    let style = try #require(Styles.style(named: name))
    #expect(type(of: style).name == name)
  }

  @Test func anUnknownNameHasNoStyle() {
    #expect(Styles.style(named: "xml") == nil)
  }

  @Test func writingStopsWhenTheReaderCloses() async throws {
    struct Gone: Error {}
    for style in Styles.all {
      var chunks = 0
      await #expect(throws: Gone.self) {
        try await style.init().render(
          SectionsInMemory.numbers(100_000).listing(), for: TerminalTraits(rowLimit: nil)
        ) { _ in
          chunks += 1
          if chunks == 3 { throw Gone() }
        }
      }
      #expect(chunks == 3)
    }
  }
}
