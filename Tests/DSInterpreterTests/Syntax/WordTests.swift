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
  func argumentsAreRead(text: String, expected: [String]) {
    #expect(atoms(text) == expected)
  }

  @Test(arguments: [
    (#""\n\t\r\0\\\"\'\/\b\f""#, "\n\t\r\0\\\"'/\u{8}\u{C}"),
    (#""\u{e9}\u00e9\u{1F600}\ud83d\ude00""#, "éé😀😀"),
    ("\"a\nb\"", "a\nb"),
    (#"'\n"'"#, #"\n""#),
    ("\"\u{301}x\"", "\u{301}x"),
  ])
  func quotedStringsTakeEscapes(text: String, expected: String) {
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

  @Test func labelsTakeGroupsOfWords() {
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

  @Test func aByteOrderMarkIsTaken() {
    #expect(parse("\u{FEFF}fetch a").lines.count == 1)
    #expect(parse("\u{FEFF}fetch a)").mistakes.first?.place?.column == 8)
  }

  @Test func columnsCountCharacters() {
    let mistake = parse("fetch 😀e\u{301} 漢)").mistakes.first
    #expect(mistake?.place?.column == 11)
    #expect(mistake?.place?.text == "fetch 😀e\u{301} 漢)")
  }
}
