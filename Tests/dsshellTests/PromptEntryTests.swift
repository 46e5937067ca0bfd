import DSInterpreter
import Testing

@testable import dsshell

/// Lines of the prompt joined into commands.
@Suite struct PromptEntryTests {
  private func run(_ lines: [TypedLine]) async -> ScriptedLineReader {
    let reader = ScriptedLineReader(lines)
    let runner = ScriptRunner(
      interpreter: Interpreter(session: Session()), reporter: Reporter(allowsColor: false))
    var prompt = Prompt(runner: runner, reader: reader, history: nil)
    _ = await prompt.run()
    return reader
  }

  @Test func anEntryOfSeveralLinesIsRememberedAsOne() async {
    let reader = await run([.text("expect [1,"), .text("2] == [1, 2]"), .text("expect 1 == 1")])
    #expect(reader.prompts == ["ds> ", "  > ", "ds> ", "ds> "])
    #expect(reader.remembered == ["expect [1,\n2] == [1, 2]", "expect 1 == 1"])
  }

  @Test func blankSpacedAndRepeatedEntriesAreNotRemembered() async {
    let reader = await run([
      .text(""), .text("  "), .text(" expect 1 == 1"), .text("expect 2 == 2"),
      .text("expect 2 == 2"),
    ])
    #expect(reader.remembered == ["expect 2 == 2"])
  }

  @Test func anInterruptDiscardsTheLinesBeforeIt() async {
    let reader = await run([
      .text("expect [1,"), .interrupted(isEmpty: true), .text("expect 1 == 1"),
    ])
    #expect(reader.prompts == ["ds> ", "  > ", "ds> ", "ds> "])
    #expect(reader.remembered == ["expect 1 == 1"])
  }

  @Test func aLineIsCompletedAfterTheLinesBeforeIt() async {
    let reader = await run([
      .text("for item in [1] {"), .text("print it"), .text("print \"a"), .text("it"),
    ])
    let words = reader.completions.map { $0.candidates.map(\.text) }
    #expect(words[0].contains("load"))
    #expect(words[1...] == [["item"], [], []])
    #expect(reader.completions.map(\.start) == [17, 6, 6, 2])
  }
}
