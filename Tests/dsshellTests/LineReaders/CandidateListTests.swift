import Testing

@testable import DSInterpreter
@testable import dsshell

@Suite struct CandidateListTests {
  private func list(_ words: [String], width: Int) -> CandidateList {
    CandidateList(words.map { Completions.Candidate($0) }, width: width)
  }

  @Test func descriptionsAreAligned() {
    let candidates = [
      Completions.Candidate("0", description: "A (1)"),
      Completions.Candidate("10", description: "漢字 (2)"), Completions.Candidate("x:"),
    ]
    #expect(
      CandidateList(candidates, width: 30).text == """
        0   A (1)     x:
        10  漢字 (2)

        """)
    // A description that does not fit is left out.
    #expect(CandidateList(candidates, width: 5).text == "0\n10\nx:\n")
  }

  @Test func candidatesFillColumnsDownwards() {
    #expect(
      list(["load", "list", "let", "漢字", "count"], width: 16).text == """
        load   漢字
        list   count
        let

        """)
    #expect(list(["a", "b"], width: 1).text == "a\nb\n")
    #expect(list([], width: 80).text == "")
  }

  @Test func aLongListShowsHowManyAreLeft() {
    let words = (0..<250).map { "w\($0)" }
    #expect(list(words, width: 80).text.hasSuffix("… 50 more\n"))
  }

  @Test(arguments: [
    (["letters", "lettuce"], "lett"), (["a", "b"], ""), (["one"], "one"), ([], ""),
    (["é", "e\u{301}x"], "é"), (["漢字", "漢"], "漢"),
  ])
  func theCommonPrefixConsistsOfWholeCharacters(words: [String], prefix: String) {
    #expect(CandidateList.commonPrefix(words) == prefix)
  }
}
