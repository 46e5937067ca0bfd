import DSInterpreter
import DSRendering
import DataTables
import Testing

@Suite struct NoRowsTests {
  @Test func noRowsAreAHeaderForProgramsAndAWordForPeople() async throws {
    let grid = Grid(
      columns: [Grid.Column("number"), Grid.Column("event")], rows: [], hidesHeader: true,
      placeholder: "q: no fetch yet")
    let output = Output(.grid(grid))
    #expect(try await text(output, in: CSVStyle()) == "number,event\n")
    #expect(try await text(output, in: JSONStyle()) == "[]\n")
    #expect(try await text(output) == "q: no fetch yet\n")
    #expect(try await text(output, in: MarkdownStyle()) == "q: no fetch yet\n\n")
    #expect(try await text(output, in: LineStyle()) == "q: no fetch yet\n\n")
  }

  @Test func whatHasNoColumnsHasOneOfValues() async throws {
    #expect(try await text(Output(.object(record([:]))), in: CSVStyle()) == "value\n{}\n")
    #expect(try await text(Output(.text([], data: [])), in: CSVStyle()) == "value\n")
  }
}
