import DSInterpreter
import DSRendering
import DataTables
import DisplayText
import Testing

@Suite struct BoxStyleTests {
  private func box(
    _ output: Output, _ terminal: TerminalTraits = TerminalTraits()
  ) async throws -> String {
    try await text(output, in: BoxStyle(), for: terminal)
  }

  @Test func aGridHasLinesAroundItsCells() async throws {
    #expect(
      try await box(Outputs.sections) == """
        ┌─────────┬───────┬───────┬─────────┐
        │ section │ title │ index │ objects │
        ├─────────┼───────┼───────┼─────────┤
        │       0 │ A     │ A     │       2 │
        │       1 │ B     │ B     │       1 │
        │      10 │ null  │       │      12 │
        └─────────┴───────┴───────┴─────────┘

        """)
  }

  @Test func aTitleAndACommandFitAcrossTheColumns() async throws {
    let store = SectionsInMemory(
      keys: ["n"], [("a long title of a section", [record(["n": 1])]), ("b", [])])
    #expect(
      try await box(store.listing(showsIndexPaths: true)) == """
        ┌────────┬──────────────────┐
        │        │                n │
        ├────────┴──────────────────┤
        │ a long title of a section │
        ├────────┬──────────────────┤
        │ [0, 0] │                1 │
        ├────────┴──────────────────┤
        │ b                         │
        └───────────────────────────┘

        """)
  }

  @Test func nothingIsNoBox() async throws {
    #expect(try await box(SectionsInMemory(keys: [], []).listing(showsIndexPaths: true)) == "")
    #expect(try await box(Outputs.pie) == "name: Pie\nkind: sweet\n")
  }

  @Test(arguments: 8...60) func noLineIsWiderThanTheTerminal(width: Int) async throws {
    let long = String(repeating: "x", count: 30)
    let store = SectionsInMemory(
      keys: ["a", "b"], [(.string(long), [record(["a": "漢字漢字", "b": .string(long)])])])
    let lines = try await box(store.listing(showsIndexPaths: true), TerminalTraits(width: width))
      .split(separator: "\n")
    for line in lines { #expect(String(line).displayWidth <= max(width, 12), "\(line)") }
    #expect(
      Set(lines.dropLast(0).filter { $0.first != "…" }.map { String($0).displayWidth }).count == 1)
  }
}
