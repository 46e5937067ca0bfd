import DSInterpreter
import DSRendering
import DataTables
import Testing

@Suite struct DelimitedStyleTests {
  @Test func fieldsAreQuotedWhereNeeded() async throws {
    let store = SectionsInMemory(
      keys: ["a", "b,c"],
      [
        (
          "",
          [
            record(["a": "x,y", "b,c": "say \"hi\""]), record(["a": "two\nlines", "b,c": "tab\t"]),
            record(["a": nil, "b,c": ""]), record(["b,c": true]),
            record(["a": [1, "x"], "b,c": 2]),
          ]
        )
      ])
    #expect(
      try await text(store.listing(), in: CSVStyle()) == """
        a,"b,c"
        "x,y","say ""hi""\"
        "two
        lines",tab\t
        ,""
        ,true
        "[1,""x""]",2

        """)
    #expect(
      try await text(store.listing(), in: TSVStyle()) == """
        a\tb,c
        x,y\t"say ""hi""\"
        "two
        lines"\t"tab\t"
        \t""
        \ttrue
        "[1,""x""]"\t2

        """)
  }

  @Test func aCarriageReturnBeforeALineFeedIsQuoted() async throws {
    #expect(try await text(Output(.value("a\r\nb")), in: CSVStyle()) == "value\n\"a\r\nb\"\n")
  }

  @Test func everyOutputIsAHeaderAndRows() async throws {
    #expect(try await text(Output(.value(3)), in: CSVStyle()) == "value\n3\n")
    #expect(try await text(Output(.list(["A", nil])), in: CSVStyle()) == "value\nA\n\"\"\n")
    #expect(try await text(Outputs.pie, in: CSVStyle()) == "name,kind\nPie,sweet\n")
    #expect(
      try await text(Outputs.load, in: CSVStyle()) == "source,sections,objects\nsales,1,10482\n")
    #expect(
      try await text(Outputs.sections, in: CSVStyle()) == """
        section,title,indexTitle,count
        0,A,A,2
        1,B,B,1
        10,,"",12

        """)
    #expect(try await text(.none, in: CSVStyle()) == "")
  }

  @Test func recordsOfDifferentKeysShareAHeader() async throws {
    let data: Value = [record(["a": 1]), record(["b": 2, "a": 3])]
    #expect(try await text(Output(.text([], data: data)), in: CSVStyle()) == "a,b\n1,\n3,2\n")
    let mixed: Value = [record(["value": 1]), 2]
    #expect(
      try await text(Output(.text([], data: mixed)), in: CSVStyle())
        == "value\n\"{\"\"value\"\":1}\"\n2\n")
  }

  @Test func showHasIndexPathsInColumns() async throws {
    #expect(
      try await text(SectionsInMemory.foods.listing(showsIndexPaths: true), in: CSVStyle()) == """
        section,row,title,name,kind
        0,0,A,Apple,fruit
        0,1,A,Asparagus,vegetable
        1,0,B,Banana,fruit
        2,0,S,Strawberry,fruit

        """)
  }

  @Test func theRowLimitDoesNotApplyToPrograms() async throws {
    let csv = try await text(
      SectionsInMemory.numbers(60).listing(), in: CSVStyle(), for: TerminalTraits(rowLimit: 2))
    #expect(csv.split(separator: "\n").count == 61)
  }
}
