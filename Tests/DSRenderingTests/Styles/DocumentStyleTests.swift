import DSInterpreter
import DSRendering
import DataTables
import Testing

@Suite struct MarkdownStyleTests {
  @Test func aGridIsAPipeTable() async throws {
    #expect(
      try await text(Outputs.sections, in: MarkdownStyle()) == """
        | section | title | index | objects |
        | --: | --- | --- | --: |
        | 0 | A | A | 2 |
        | 1 | B | B | 1 |
        | 10 | null |  | 12 |


        """)
  }

  @Test func pipesAndLineEndsAreEscapedInACell() async throws {
    let store = SectionsInMemory(keys: ["a|b"], [("", [record(["a|b": "x|y\nz\\"])])])
    #expect(
      try await text(store.listing(), in: MarkdownStyle()) == #"""
        | a\|b |
        | --- |
        | x\|y\\nz\\ |


        """#)
  }

  @Test func otherOutputsAreListsAndFences() async throws {
    #expect(try await text(Output(.list(["A", "B"])), in: MarkdownStyle()) == "- A\n- B\n\n")
    #expect(try await text(Outputs.pie, in: MarkdownStyle()) == "- name: Pie\n- kind: sweet\n\n")
    #expect(
      try await text(Output(.text(["a  b"], data: nil)), in: MarkdownStyle())
        == "```\na  b\n```\n\n")
    #expect(try await text(.none, in: MarkdownStyle()) == "")
  }
}

@Suite struct LineStyleTests {
  @Test func rowsAreBlocks() async throws {
    let store = SectionsInMemory(
      keys: ["a", "b"], [("", [record(["a": 1, "b": "x\ny"]), record(["a": nil])])])
    #expect(
      try await text(store.listing(), in: LineStyle()) == #"""
        a: 1
        b: x\ny

        a: null


        """#)
  }

  @Test func aReportShowsItsRecord() async throws {
    #expect(
      try await text(Outputs.load, in: LineStyle())
        == "source: sales\nsections: 1\nobjects: 10482\n\n")
  }

  @Test func rowsThatDoNotFitAreCounted() async throws {
    let one = TerminalTraits(rowLimit: 1)
    #expect(
      try await text(Output(.list([1, 2])), in: LineStyle(), for: one) == "1\n… 1 more (more)\n\n")
    #expect(
      try await text(SectionsInMemory.numbers(2).listing(), in: LineStyle(), for: one)
        == "0\n… 1 more (more)\n\n")
    #expect(
      try await text(SectionsInMemory.numbers(2).listing(), in: MarkdownStyle(), for: one)
        == "| value |\n| --: |\n| 0 |\n\n… 1 more (more)\n\n")
  }
}
