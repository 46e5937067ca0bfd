import Testing

@testable import DSInterpreter

@Suite struct WordTests {
  @Test(arguments: [
    ("load http://x", ["http://x"]),
    ("object a 12:30", ["a", "12:30"]),
    ("object a A...Z", ["a", "A...Z"]),
    ("object don't", ["don't"]),
    ("object address.\"zip code\" x", ["address.\"zip code\"", "x"]),
    ("object tags[0] x", ["tags[0]", "x"]),
    ("object a[1, 2] x", ["a[1, 2]", "x"]),
    ("simple [1, 2,\n  \"third object\"]", ["[1, 2, \"third object\"]"]),
    ("simple[1, 2, 3]", ["[1, 2, 3]"]),
    ("object a [1,2]", ["a", "[1, 2]"]),
    ("object C:\\data", ["C:\\data"]),
    ("object a;b", ["a;b"]),
    ("object 名前 'raw \\n' \"é\"", ["名前", "\"raw \\n\"", "\"é\""]),
    ("object a \\\n  b", ["a", "b"]),
    ("object a\\\r\n  b", ["a", "b"]),
    ("object a # [comment", ["a"]),
    ("object a#b", ["a#b"]),
    ("object [a, # one\n b]", ["[a, b]"]),
    ("object //x", ["//x"]),
    ("object\u{A0}a\u{3000}b", ["a", "b"]),
    ("object {name:Pie}", ["{name: Pie}"]),
    ("object {\"a\":1,\"b\" : [{}]}", ["{a: 1, b: [{}]}"]),
    ("object {when: 12:30}", ["{when: 12:30}"]),
    ("object [env HOME, env]", ["[env HOME, env]"]),
    ("object (count foods) (foods)", ["(command)", "(expression)"]),
    ("simple [1, 2,]", ["[1, 2]"]),
  ])
  func argumentsAreParsed(text: String, expected: [String]) {
    #expect(atoms(text) == expected)
  }

  @Test(arguments: [
    (#""\n\t\r\0\\\"\'\/\b\f""#, "\n\t\r\0\\\"'/\u{8}\u{C}"),
    (#""\u{e9}\u00e9\u{1F600}\ud83d\ude00""#, "éé😀😀"),
    ("\"a\nb\"", "a\nb"),
    (#"'\n"'"#, #"\n""#),
    ("\"\u{301}x\"", "\u{301}x"),
  ])
  func quotedStringsAcceptEscapes(text: String, expected: String) {
    #expect(atoms("simple \(text)") == ["\"\(expected)\""])
  }

  @Test(arguments: [
    (#"simple "\q""#, 9), (#"simple "\ud83d""#, 9), (#"simple "\u{110000}""#, 9),
    (#"simple "ab\u12""#, 11), ("simple \"open", 8), ("simple 'open\n x", 8),
  ])
  func aWrongEscapeOrOpenQuoteHasItsPlace(text: String, column: Int) {
    let mistake = parse(text).mistakes.first
    #expect(mistake?.kind == .syntax)
    #expect(mistake?.place?.column == column)
  }

  @Test func labelsAcceptGroupsOfWords() {
    let found = labels("sectioned foods key: a.b sort: city, age desc,\n name name: \"x y\"")
    #expect(
      found == [
        "key": [["a.b"]], "sort": [["city"], ["age", "desc"], ["name"]], "name": [["\"x y\""]],
      ])
  }

  @Test func aQuotedStringCanBeALabel() {
    #expect(labels("update foods \"unit price\": 3") == ["unit price": [["3"]]])
  }

  @Test func aLineEndOrASemicolonBeforeSpaceEndsACommand() {
    #expect(parse("fetch a; fetch b;\nfetch c\r\nfetch d\rfetch e").lines.count == 5)
  }

  @Test func aByteOrderMarkIsSkipped() {
    #expect(parse("\u{FEFF}fetch a").lines.count == 1)
    #expect(parse("\u{FEFF}fetch a)").mistakes.first?.place?.column == 8)
  }

  @Test func columnsCountCharacters() {
    let mistake = parse("fetch 😀e\u{301} 漢)").mistakes.first
    #expect(mistake?.place?.column == 11)
    #expect(mistake?.place?.text == "fetch 😀e\u{301} 漢)")
  }
}

@Suite struct NameTests {
  @Test(arguments: ["a", "Z", "_", "a-1", "_9", "byCity", "É", "aé-1", "名前", "a٣"])
  func lettersDigitsAndDashesMakeAName(text: String) { #expect(Name.isValid(text)) }

  @Test(arguments: [
    "", "9a", "-a", "a b", "a.b", "a@", "@a", "a[", "a`", "a{", "a\r\n", "\0", "a:", "٣a", "é b",
    "é.",
  ])
  func otherTextIsNotAName(text: String) { #expect(!Name.isValid(text)) }
}

@Suite struct PlaceTests {
  @Test func linesEndInAnyWay() {
    let script = ScriptText("a\nb\r\nc\rd\r")
    let places = [0, 1, 2, 3, 5, 6, 7, 8, 9].map { script.place(of: $0..<$0 + 1) }
    #expect(places.map(\.line) == [1, 1, 2, 2, 3, 3, 4, 4, 5])
    #expect(places.map(\.text) == ["a", "a", "b", "b", "c", "c", "d", "d", ""])
  }

  @Test func aKeyEndsAtItsDot() async throws {
    var interpreter = Interpreter()
    var lines: [String] = []
    try await interpreter.run(
      "let x = (print {a: {b: [7, 8]}}); print x.a.b[1]; print x.a.b==[7, 8]"
    ) { event, _ in
      if case .output(let output) = event { lines = try await PlainText.lines(of: output) }
    }
    #expect(lines == ["true"])
  }
}
