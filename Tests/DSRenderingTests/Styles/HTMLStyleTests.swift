import DSInterpreter
import DSRendering
import DataTables
import Testing

@Suite struct HTMLStyleTests {
  private func html(
    _ output: Output, _ terminal: TerminalTraits = TerminalTraits()
  ) async throws -> String {
    try await text(output, in: HTMLStyle(), for: terminal)
  }

  @Test func aDocumentFramesTheOutputs() {
    #expect(HTMLStyle().beginning.hasPrefix("<!DOCTYPE html>\n<html"))
    #expect(HTMLStyle().beginning.hasSuffix("<body>\n"))
    #expect(HTMLStyle().end == "</body>\n</html>\n")
    for style in Styles.all where style != HTMLStyle.self {
      #expect(style.init().beginning.isEmpty && style.init().end.isEmpty)
    }
  }

  @Test func everyTextIsEscaped() async throws {
    let text = "<script>alert(\"1\" & '2')</script>\u{1B}[2J"
    let escaped =
      "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;\\u{1b}[2J"
    let value = Value.string(text)
    let object = Value.record(Record([(text, value)]))
    let store = SectionsInMemory(keys: [text], [(value, [object]), (value, [object])])
    let grid = Grid(columns: [Grid.Column(text)], rows: [[value]])
    var report = Report(headline: text, data: Record([]))
    report.notes = [Report.Note(subject: text, text: text)]
    for content in [
      Output.Content.value(value), .list([value]), .object(object), .grid(grid),
      .report(report), .text([text], data: nil),
    ] {
      let shown = try await html(Output(content))
      #expect(!shown.contains("<script>"))
      #expect(shown.contains(escaped))
    }
    for showsIndexPaths in [true, false] {
      let shown = try await html(store.listing(showsIndexPaths: showsIndexPaths))
      #expect(!shown.contains("<script>"))
      #expect(shown.contains("<td>\(escaped)</td>"))
      #expect(shown.contains("<th>\(escaped)</th>"))
    }
  }

  @Test func numbersAndNullsHaveClasses() async throws {
    #expect(
      try await html(Outputs.sections).contains(
        "<tr><td class=\"number\">10</td><td class=\"null\">null</td><td></td>"
          + "<td class=\"number\">12</td></tr>"))
  }

  @Test func eachSectionHasABody() async throws {
    let shown = try await html(
      SectionsInMemory.foods.listing(showsIndexPaths: true), TerminalTraits(rowLimit: 3))
    #expect(
      shown.contains(
        """
        <tbody>
        <tr><th colspan="3" scope="rowgroup">A</th></tr>
        <tr><td class="path">[0, 0]</td><td>Apple</td><td>fruit</td></tr>
        """))
    #expect(shown.hasSuffix("<p class=\"more\">… 1 more section with 1 object (more)</p>\n"))
  }
}
