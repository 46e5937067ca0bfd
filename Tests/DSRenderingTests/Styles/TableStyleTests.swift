import DSInterpreter
import DSRendering
import DataTables
import DisplayText
import Testing

@Suite struct TableStyleTests {
  @Test func numbersAreAlignedRight() async throws {
    #expect(
      try await text(Outputs.sections) == """
        section  title  index  objects
              0  A      A            2
              1  B      B            1
             10  null               12

        """)
  }

  @Test func eventsHaveNoHeaderAndNoBlanksAtTheEnd() async throws {
    #expect(
      try await text(Outputs.events) == """
        1  letters  will
        2    foods  will
        3    foods  finished  1 section, 12 objects

        """)
  }

  @Test func aLoadReportAlignsTheSubjectsOfItsNotes() async throws {
    #expect(
      try await text(Outputs.load) == """
        sales: 10,482 objects, 7 keys, CSV with ';', UTF-8 with BOM, CRLF
          zip     string: 212 values have leading zeros, first at line 3: 01234
          amount  string: 10,480 numbers, 2 non-numbers
          2 rows rejected: line 12 has 8 fields for 7 keys (rejects sales)

        """)
  }

  @Test func anObjectShowsItsKeysAndValues() async throws {
    #expect(try await text(Outputs.pie) == "name: Pie\nkind: sweet\n")
    #expect(try await text(Output(.object("Pie"))) == "Pie\n")
  }

  @Test func anIndexPathIsAValue() async throws {
    #expect(try await text(Output(.value([3, 0]))) == "[3, 0]\n")
    #expect(try await text(Output(.value(nil))) == "null\n")
    #expect(try await text(Output.none) == "")
  }

  @Test func everyTitleHasALine() async throws {
    #expect(try await text(Output(.list(["A", "null", nil, 3]))) == "A\n\"null\"\nnull\n3\n")
  }

  @Test func nestedValuesAreLiteralsOfTheLanguage() async throws {
    let value = record(["tags": ["a", "null"], "unit price": 3, "in": record(["x": nil])])
    #expect(
      try await text(Output(.value(value)))
        == #"{tags: ["a", "null"], "unit price": 3, in: {x: null}}"# + "\n")
  }

  @Test func showWritesObjectsBelowTheTitlesOfTheirSections() async throws {
    #expect(
      try await text(SectionsInMemory.foods.listing(showsIndexPaths: true)) == """
                  name        kind
        A
          [0, 0]  Apple       fruit
          [0, 1]  Asparagus   vegetable
        B
          [1, 0]  Banana      fruit
        S
          [2, 0]  Strawberry  fruit

        """)
  }

  @Test func showOfAFlatSourceWithoutATitleHasNoTitleLine() async throws {
    #expect(
      try await text(SectionsInMemory.numbers(2).listing(showsIndexPaths: true)) == """
          [0, 0]  0
          [0, 1]  1

        """)
  }

  @Test func objectsAreATableWithAHeaderOfKeys() async throws {
    #expect(
      try await text(SectionsInMemory.foods.listing()) == """
        name        kind
        Apple       fruit
        Asparagus   vegetable
        Banana      fruit
        Strawberry  fruit

        """)
  }

  @Test func aMissingKeyIsBlankAndNullIsNull() async throws {
    let store = SectionsInMemory(
      keys: ["a", "b"], [("", [record(["a": 1]), record(["a": nil, "b": "x"]), "loose"])])
    #expect(
      try await text(store.listing()) == """
           a  b  value
           1
        null  x
                 loose

        """)
  }

  @Test func withoutObjectsOnlyTheHeaderIsShown() async throws {
    let store = SectionsInMemory(keys: ["name", "kind"], [("", [])])
    #expect(try await text(store.listing()) == "name  kind\n")
    #expect(try await text(SectionsInMemory(keys: [], []).listing()) == "")
  }

  @Test func rowsThatDoNotFitAreCounted() async throws {
    let store = SectionsInMemory.numbers(1_988_216)
    let two = TerminalTraits(rowLimit: 2)
    #expect(try await text(store.listing(), for: two) == "0\n1\n… 1,988,214 more (more)\n")
    #expect(store.rowsRead == [0..<2])
    #expect(
      try await text(Outputs.sections, for: two) == """
        section  title  index  objects
              0  A      A            2
              1  B      B            1
        … 1 more (more)

        """)
    #expect(try await text(Output(.list([1, 2, 3])), for: two) == "1\n2\n… 1 more (more)\n")
  }

  @Test func showReadsOnlyTheFirstRowsOfEverySection() async throws {
    let store = SectionsInMemory(
      keys: [], (0..<2).map { section in (.integer(section), (0..<1_000_000).map { .integer($0) }) }
    )
    #expect(
      try await text(store.listing(showsIndexPaths: true), for: TerminalTraits(rowLimit: 6)) == """
        0
          [0, 0]  0
          [0, 1]  1
          [0, 2]  2
          … 999,997 more (more)
        1
          [1, 0]  0
          [1, 1]  1
          [1, 2]  2
          … 999,997 more (more)

        """)
    #expect(store.rowsRead == [0..<3, 0..<3])
  }

  @Test func aLongArrayIsAHeadAndACount() async throws {
    let array = Value.array((0..<2_000_000).map { .integer($0) })
    let two = TerminalTraits(rowLimit: 2)
    #expect(try await text(Output(.value(array)), for: two) == "[0, 1, … 1,999,998 more]\n")
    #expect(
      try await text(Output(.object(record(["a": array]))), for: two)
        == "a: [0, 1, … 1,999,998 more]\n")
    let deep = Value.array(Array(repeating: .array(Array(repeating: array, count: 50)), count: 50))
    #expect(try await text(Output(.value(deep)), for: TerminalTraits()).utf8.count < 20_000)
  }

  @Test func textIsBrokenBetweenWordsOnATerminal() async throws {
    let terminal = TerminalTraits(width: 24, textWidth: 24)
    let lines = ["  key:  the words of a long text", "short"]
    #expect(
      try await text(Output(.text(lines, data: nil)), for: terminal) == """
          key:  the words of a
                long text
        short

        """)
    #expect(
      try await text(Output(.text(lines, data: nil)), for: TerminalTraits(width: 24))
        == lines.map { $0 + "\n" }.joined())
    #expect(
      try await text(Output(.object(record(["name": "some words that are long"]))), for: terminal)
        == "name: some words that\n  are long\n")
  }

  @Test(arguments: 1...30) func noWordIsBroken(width: Int) async throws {
    let words = ["one", "twotwo", "three,", "é漢字", "fourfour", "5"]
    let terminal = TerminalTraits(width: width, textWidth: width)
    let output = Output(.text([words.joined(separator: " ")], data: nil))
    let lines = try await text(output, for: terminal).split(separator: "\n")
    #expect(lines.flatMap { $0.split(separator: " ") }.map(String.init) == words)
    for line in lines where line.contains(" ") { #expect(String(line).displayWidth <= width) }
  }

  @Test func withoutALimitAllRowsAreReadInBatches() async throws {
    let store = SectionsInMemory.numbers(3000)
    let all = try await text(store.listing(), for: TerminalTraits(rowLimit: nil))
    #expect(all.split(separator: "\n").count == 3000)
    #expect(store.rowsRead == [0..<1024, 1024..<2048, 2048..<3000])
  }

  @Test func theOutputOfManyEmptySectionsIsBounded() async throws {
    let store = SectionsInMemory(keys: [], (0..<9).map { (.integer($0), []) })
    #expect(
      try await text(store.listing(showsIndexPaths: true), for: TerminalTraits(rowLimit: 2))
        == "0\n1\n… 7 more sections without objects (more)\n")
  }

  @Test func cellsCannotBreakLinesOrControlTheTerminal() async throws {
    let store = SectionsInMemory(
      keys: ["k\n"], [("", [record(["k\n": "a\nb\u{1B}[2Jc\r\nd\t\u{202E}e\u{9B}f"])])])
    #expect(
      try await text(store.listing()) == #"""
        k\n
        a\nb\u{1b}[2Jc\r\nd\t\u{202e}e\u{9b}f

        """#)
  }

  @Test func colorMarksTitlesAndNulls() async throws {
    let terminal = TerminalTraits(hasColor: true)
    let store = SectionsInMemory(keys: ["a"], [("T", [record(["a": nil])])])
    #expect(
      try await text(store.listing(showsIndexPaths: true), for: terminal)
        == """
                  \u{1B}[1ma\u{1B}[0m
        \u{1B}[1mT\u{1B}[0m
          \u{1B}[2m[0, 0]\u{1B}[0m  \u{1B}[2mnull\u{1B}[0m

        """)
  }

  /// Programs read the lines of a document.
  @Test func linesThatAreKeptAreNotBroken() async throws {
    var output = Output(.text(["one two three", "four"], data: nil))
    output.keepsLines = true
    let terminal = TerminalTraits(width: 8, textWidth: 8, hasColor: false)
    #expect(try await text(output, for: terminal) == "one two three\nfour\n")
    output.keepsLines = false
    #expect(try await text(output, for: terminal) == "one two\nthree\nfour\n")
  }
}
