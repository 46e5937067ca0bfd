import Testing

@testable import DSInterpreter

/// Lines as people write them.
let examples = [
  "# People by city.",
  "let people = load fixtures/people.csv types: {zip: string}",
  "let byCity = sectioned people key: city sort: city, age desc, name",
  "fetch byCity",
  "sections byCity",
  "object byCity [1, 2]",
  "expect byCity.numberOfSections == 3",
  "expect byCity[1, 2].name == \"Éric Martin\"",
  "expect (indexPath byCity {name: \"Ann\"}) == [0, 1]",
  "expect throws outOfRange: object byCity [9, 0]",
  "let letters = load fixtures/people.csv | sectioned key: name.firstCharacter sort: name",
  "load Scripts/data/foods.csv",
  "indexPath letters {name: Grape}",
  "let raw = sectioned foods key: kind",
  "insert foods {name: Peach, kind: fruit}",
  "remove foods [0, 6]",
  "let posts = remote https://example.test/posts keyPath: data",
  "let bad = remote https://example.test/missing | fetch",
  "let months = sectioned sales key: when mode: month sort: when desc",
  "let foods = simple [{name: Pie}, {name: Apple}, {name: Asparagus}]",
  "expect (indexPath letters {name: Pie}) == [1, 0]",
  "object letters [7, 0]",
  "set raw key: null",
  "load sales.csv delimiter: \";\"",
  "print (count letters) > 3 and not (letters.isFetching)",
  "let items = simple [1, 2, \"third object\"] name: Test",
  "sectioned sales mode: fixed titles: A...Z other: \"#\"",
  "filtered people where: name BEGINSWITH[cd] 'e' AND age >= 18 name: adults",
  "let n = (count letters)",
  "fetch letters; sections letters",
  "letters[5, 1].name",
  "(titles letters)",
]

@Suite struct ExampleTests {
  @Test(arguments: examples)
  func everyExampleParses(text: String) {
    #expect(parse(text).mistakes.map(\.message) == [])
  }

  @Test func aWholeScriptParsesWithAnyLineEnds() {
    for end in ["\n", "\r\n", "\r"] {
      let parsed = parse("#!/usr/bin/env dsshell" + end + examples.joined(separator: end))
      #expect(parsed.mistakes.isEmpty)
      #expect(parsed.lines.count == examples.count)
    }
  }
}
