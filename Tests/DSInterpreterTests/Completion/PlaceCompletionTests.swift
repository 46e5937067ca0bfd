import Testing

@testable import DSInterpreter

@Suite struct PlaceCompletionTests {
  @Test(arguments: [
    "object letters [", "object letters[", "print letters[", "show letters from: [",
    "remove letters [", "insert letters {name: Fig} at: [", "remove letters [[0, 1], [",
    "show letters ", "show letters [",
  ])
  func sectionsHaveTheirTitles(line: String) async throws {
    let typed = try await UnfinishedLine()
    let sections = await typed.completions(line).candidates.filter { !$0.text.hasSuffix(":") }
    #expect(sections.map(\.text) == ["0", "1", "2", "3", "4", "5", "6", "7"])
    #expect(sections.first?.description == "A (2)")
  }

  @Test(arguments: ["object letters [5, ", "object letters[5,", "print letters[5, "])
  func rowsHaveTheirRange(line: String) async throws {
    let typed = try await UnfinishedLine()
    #expect(
      await typed.completions(line).candidates == [
        Completions.Candidate("0", description: "0..<2"),
        Completions.Candidate("1", description: "last row"),
      ])
  }

  @Test func digitsSelectSections() async throws {
    let typed = try await UnfinishedLine(
      after: """
        let numbers = simple [\((0..<300).map { "{n: \($0)}" }.joined(separator: ", "))]
        let many = sectioned numbers key: n | fetch
        """)
    #expect(
      await typed.words("object many [2")
        == ([
          "20", "21", "22", "23", "24", "25", "26", "27", "28",
          "29",
        ] + (200...299).map(String.init)))
    #expect(await typed.words("object many [").count == 200)
    #expect(await typed.words("object many [30") == [])
    #expect(await typed.words("object many [x") == [])
    #expect(await typed.words("object many [99999999999999999999") == [])
    #expect(await typed.words("object many [400, ") == [])
  }

  @Test func anIndexPathBeginsWithABracket() async throws {
    let typed = try await UnfinishedLine()
    let found = await typed.completions("object letters ")
    #expect(found.candidates == [Completions.Candidate("[", endsWord: false)])
  }

  @Test func titlesAreCompleted() async throws {
    let typed = try await UnfinishedLine(
      after: """
        let towns = sectioned (simple [{t: "Bad Ems"}, {t: Bergen}, {t: Oslo}]) key: t sort: t
        fetch towns
        """)
    #expect(await typed.words("sectionForTitle letters G") == [])
    #expect(await typed.words("sectionForTitle towns ") == ["\"Bad Ems\"", "Bergen", "Oslo"])
    #expect(await typed.words("sectionForTitle towns B") == ["\"Bad Ems\"", "\"Bergen\""])
    #expect(await typed.words("sectionForTitle towns \"Bad E") == ["\"Bad Ems\""])
    #expect(await typed.words("sectionForTitle towns 'Bad E") == ["'Bad Ems'"])
    #expect(await typed.words("sectionForIndexTitle towns ") == ["B", "O"])
  }
}
