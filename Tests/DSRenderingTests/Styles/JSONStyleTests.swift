import DSInterpreter
import DSRendering
import DataTables
import Testing

@Suite struct JSONStyleTests {
  private func json(_ output: Output) async throws -> String {
    try await text(output, in: JSONStyle())
  }
  private func lines(_ output: Output) async throws -> String {
    try await text(output, in: JSONLinesStyle())
  }

  @Test func everyCommandWritesOneLine() async throws {
    #expect(try await json(Output(.value([5, 1]))) == "[5,1]\n")
    #expect(try await json(Output(.list(["A", nil]))) == "[\"A\",null]\n")
    #expect(try await json(Outputs.pie) == #"{"name":"Pie","kind":"sweet"}"# + "\n")
    #expect(
      try await json(Outputs.load) == #"{"source":"sales","sections":1,"objects":10482}"# + "\n")
    #expect(try await json(Output(.text(["shown"], data: ["data"]))) == "[\"data\"]\n")
    #expect(try await json(.none) == "")
  }

  @Test func aGridHasRecordsWithTheKeysForPrograms() async throws {
    #expect(
      try await json(Outputs.sections) == """
        [{"section":0,"title":"A","indexTitle":"A","count":2},\
        {"section":1,"title":"B","indexTitle":"B","count":1},\
        {"section":10,"title":null,"indexTitle":"","count":12}]

        """)
    #expect(
      try await lines(Outputs.events) == """
        {"number":1,"source":"letters","event":"will"}
        {"number":2,"source":"foods","event":"will"}
        {"number":3,"source":"foods","event":"finished"}

        """)
  }

  @Test func objectsOfAllSectionsAreOneArray() async throws {
    #expect(
      try await json(SectionsInMemory.foods.listing()) == """
        [{"name":"Apple","kind":"fruit"},{"name":"Asparagus","kind":"vegetable"},\
        {"name":"Banana","kind":"fruit"},{"name":"Strawberry","kind":"fruit"}]

        """)
    #expect(try await json(SectionsInMemory.numbers(0).listing()) == "[]\n")
  }

  @Test func severalBatchesOfObjectsAreOneArray() async throws {
    let expected = "[" + (0..<2500).map(String.init).joined(separator: ",") + "]\n"
    #expect(try await json(SectionsInMemory.numbers(2500).listing()) == expected)
  }

  @Test func showWritesSectionsWithTheirObjects() async throws {
    let store = SectionsInMemory(keys: [], [("A", [1, 2]), (nil, []), ("C", [3])])
    #expect(
      try await json(store.listing(showsIndexPaths: true)) == """
        [{"section":0,"title":"A","objects":[1,2]},{"section":1,"title":null,"objects":[]},\
        {"section":2,"title":"C","objects":[3]}]

        """)
    #expect(
      try await lines(store.listing(showsIndexPaths: true)) == """
        {"section":0,"row":0,"title":"A","object":1}
        {"section":0,"row":1,"title":"A","object":2}
        {"section":2,"row":0,"title":"C","object":3}

        """)
    let empty = SectionsInMemory(keys: [], [])
    #expect(try await json(empty.listing(showsIndexPaths: true)) == "[]\n")
  }

  @Test func everyLineHasOneRow() async throws {
    #expect(try await lines(Output(.list(["A", "B"]))) == "\"A\"\n\"B\"\n")
    #expect(
      try await lines(SectionsInMemory.foods.listing()).hasPrefix(
        #"{"name":"Apple","kind":"fruit"}"# + "\n" + #"{"name":"Asparagus""#))
    #expect(try await lines(Output(.text([], data: [1, 2]))) == "1\n2\n")
  }

  @Test func anErrorIsOneLineWithItsLocation() {
    let place = SourcePlace(file: "a.ds", line: 7, column: 20, length: 2, text: "x")
    let diagnostic = Diagnostic(.unknownKey, "foods has no key `nme`", at: place)
    #expect(
      JSONStyle().render(diagnostic, for: TerminalTraits()) == """
        {"error":"foods has no key `nme`","kind":"unknownKey","file":"a.ds","line":7,"column":20}

        """)
    let bare = Diagnostic(.io, "gone", suggestion: "gene", details: ["more"])
    #expect(
      JSONLinesStyle().render(bare, for: TerminalTraits()) == """
        {"error":"gone","kind":"io","file":null,"line":null,"column":null,\
        "suggestion":"gene","details":["more"]}

        """)
  }

  @Test func aWarningIsOneLine() {
    #expect(
      JSONStyle().render(warning: "titles repeat", for: TerminalTraits())
        == #"{"warning":"titles repeat"}"# + "\n")
  }
}
