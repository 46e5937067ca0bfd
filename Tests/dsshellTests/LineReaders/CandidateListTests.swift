import Testing

@testable import dsshell

@Suite struct CandidateListTests {
  @Test func candidatesFillColumnsDownwards() {
    #expect(
      CandidateList(["load", "list", "let", "漢字", "count"], width: 16).text == """
        load   漢字
        list   count
        let

        """)
    #expect(CandidateList(["a", "b"], width: 1).text == "a\nb\n")
    #expect(CandidateList([], width: 80).text == "")
  }

  @Test func aLongListShowsHowManyAreLeft() {
    let words = (0..<250).map { "w\($0)" }
    #expect(CandidateList(words, width: 80).text.hasSuffix("… 50 more\n"))
  }

  @Test(arguments: [
    (["letters", "lettuce"], "lett"), (["a", "b"], ""), (["one"], "one"), ([], ""),
    (["é", "e\u{301}x"], "é"), (["漢字", "漢"], "漢"),
  ])
  func theCommonPrefixConsistsOfWholeCharacters(words: [String], prefix: String) {
    #expect(CandidateList.commonPrefix(words) == prefix)
  }
}
