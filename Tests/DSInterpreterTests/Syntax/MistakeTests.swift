import Testing

@testable import DSInterpreter

@Suite struct MistakeTests {
  @Test(arguments: [
    ("sectioned foods key:city", 17, "put a space after the label: `key: city`"),
    ("sectioned foods key:\"a\"", 17, "put a space after the label: `key: \"a\"`"),
    (
      "sectioned foods key: city, sort: name", 26,
      "remove the comma before the label `sort:`"
    ),
    ("sectioned foods, key: city", 16, "remove the comma before the label `key:`"),
    ("sectioned foods key: sort: name", 17, "`key:` has no value, for example `key: x`"),
    ("sectioned foods key:", 17, "`key:` has no value, for example `key: x`"),
    ("load a.csv, b.csv", 11, "separate the arguments of `load` with spaces, not with commas"),
    ("load a delimiter: |", 19, "quote the bar: `delimiter: \"|\"`"),
    ("foods = load foods.csv", 1, "to bind a name, begin with `let`: `let foods = load …`"),
    ("| count", 1, "expected a command before `|`, which can end a line but not begin one"),
    ("fetch a || count", 9, "`||` is for expressions; `|` passes to a command"),
    ("simple [1, 2", 8, "this `[` is not closed"),
    ("simple {a: [1}", 14, "expected `]` or a comma"),
    ("object letters [0, 0] key: a key: b", 30, "`key:` is given twice"),
    ("fetch a)", 8, "unexpected `)`"),
    ("expect throws outOfRnge: fetch a", 15, "unknown error kind `outOfRnge`"),
    ("expect", 1, "`expect` checks an expression: `expect foods.numberOfObjects == 12`"),
    ("print (fetch a; fetch b)", 15, "`;` ends a command, but `(` is still open"),
    ("fetch a | expect b", 11, "`expect` must be at the start of a line"),
    ("print \"\\(n\"", 8, "this `\\(` is not closed: `)` is missing"),
    ("print \"a \\(upper(n) b\"\nprint 1", 10, "this `\\(` is not closed: `)` is missing"),
    ("print \"\\(count s)\"", 10, "put the command in parentheses: `\\((count s))`"),
  ])
  func theMessageContainsTheFix(text: String, column: Int, message: String) {
    let mistakes = parse(text).mistakes
    #expect(mistakes.count == 1)
    #expect(mistakes.first?.message == message)
    #expect(mistakes.first?.place?.column == column)
    #expect(mistakes.first?.kind == .syntax)
  }

  @Test(arguments: [
    ("sectons foods key: city", "sections"), ("fetch a | cuont", "count"),
    ("print (tilt foods)", nil), ("print (titels foods)", "titles"), ("xyzzy foods", nil),
    ("fech a", "fetch"),
  ])
  func anUnknownVerbSuggestsASimilarOne(text: String, near: String?) {
    let mistake = parse(text).mistakes.first
    #expect(mistake?.kind == .unknownVerb)
    #expect(mistake?.suggestion == near)
  }

  @Test func allMistakesOfAScriptAreReported() {
    let mistakes = parse("fetch )\nfetch a\nlet = 3\nfetch [1, 2\nfetch b\nfetch )").mistakes
    #expect(mistakes.map(\.place?.line) == [1, 3, 5])
  }

  @Test func theRestOfAnExpectedFailureIsNotParsed() {
    let parsed = parse(
      "expect throws syntax: fetch [1, \"\nfetch a\nexpect throws io: load a |\n count")
    #expect(parsed.mistakes.isEmpty)
    #expect(parsed.lines.count == 3)
  }

  @Test func deepNestingIsALimitAndNotACrash() {
    for opening in ["[", "(", "{a: ", "[(", "{a: [("] {
      let text = "simple " + String(repeating: opening, count: 20_000)
      #expect(parse(text).mistakes.first?.kind == .limit)
      #expect(parse("print " + text.dropFirst(7)).mistakes.first?.kind == .limit)
    }
    let nots = "expect " + String(repeating: "not ", count: 20_000) + "a"
    #expect(parse(nots).mistakes.first?.kind == .limit)
  }

  @Test func longScriptsAreNotNested() {
    let ands = "expect a" + String(repeating: " and a", count: 20_000)
    #expect(parse(ands).mistakes.isEmpty)
    #expect(parse(String(repeating: "fetch a | ", count: 5_000) + "count").mistakes.isEmpty)
  }
}

@Suite struct IncompleteTests {
  @Test(arguments: [
    "simple [1,", "simple [1", "simple {a: 1", "print (count", "print \"abc", "print 'abc\n",
    "sectioned foods key: a,", "sectioned foods key: a, # more", "load a |", "load a \\",
    "load a \\\n", "load a\nsimple [", "simple [1,\n2,\n", "load a | # then\n",
  ])
  func incompleteCommandsContinueInTheNextLine(text: String) {
    #expect(Interpreter.isIncomplete(text))
  }

  @Test(arguments: [
    "", "fetch a", "simple [1, 2]", "simple [1\n, 2]", "print \"a, [\"", "fetch )",
    "# comment [ \\",
    "print 'don\"t'", "expect throws syntax: simple [1, \"", "load a # |", "print \"\\q\"",
    "fetch a; ", "load C:\\data\n",
  ])
  func completeCommandsEndWithTheirLine(text: String) {
    #expect(!Interpreter.isIncomplete(text))
  }
}
