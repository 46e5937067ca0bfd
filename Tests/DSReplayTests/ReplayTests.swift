import Testing

@testable import DSReplay

@Suite struct ReplayTests {
  static func outcome(_ text: String) async -> FileOutcome {
    await ReplayRunner().run(ReplayScript(text, path: "test.ds"))
  }

  @Test func aScriptThatIsAsExpectedPasses() async {
    let outcome = await Self.outcome(
      """
      let foods = simple [{name: Pie}, {name: Apple}, {name: Asparagus}]
      let letters = sectioned foods key: name.firstCharacter sort: name
      fetch letters
      #~ letters: {int} sections, 3 objects
      titles letters
      #| A
      #| P

      """)
    #expect(outcome.failures.map(\.picture) == [])
    #expect(outcome.sections.map(\.passedCommands) == [4])
  }
}
