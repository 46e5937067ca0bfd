import DSInterpreter
import DSRendering
import Testing

@Suite struct DiagnosticPictureTests {
  private func picture(_ diagnostic: Diagnostic, _ terminal: TerminalTraits = .init()) -> String {
    TableStyle().render(diagnostic, for: terminal)
  }

  @Test func aSimilarNameIsSuggestedAndTheWordUnderlined() {
    let place = SourcePlace(line: 1, column: 10, length: 6, text: "sections leters")
    let diagnostic = Diagnostic(
      .unknownName, "no source named `leters`", suggestion: "letters", at: place)
    #expect(
      picture(diagnostic) == """
        error: no source named `leters`; did you mean `letters`?
          sections leters
                   ^~~~~~

        """)
  }

  @Test func theLocationInAScriptPrecedesTheError() {
    let place = SourcePlace(file: "foods.ds", line: 7, column: 20, text: "object letters [5, 2]")
    let diagnostic = Diagnostic(
      .outOfRange, "row 2 is out of range: section 5 \"P\" of letters has 2 objects (0..<2)",
      at: place)
    #expect(
      picture(diagnostic) == """
        foods.ds:7:20: error: row 2 is out of range: section 5 "P" of letters has 2 objects (0..<2)
          object letters [5, 2]
                             ^

        """)
  }

  @Test func anErrorWithoutALocationIsOneLine() {
    let diagnostic = Diagnostic(.notFetched, "raw has not been fetched (fetch raw)")
    #expect(picture(diagnostic) == "error: raw has not been fetched (fetch raw)\n")
  }

  @Test func detailsAreBelowThePicture() {
    let place = SourcePlace(line: 1, column: 8, text: "expect x == 9")
    let diagnostic = Diagnostic(
      .expectation, "x == 9 does not hold", details: ["x is 8", "line\nend"], at: place)
    #expect(
      picture(diagnostic) == #"""
        error: x == 9 does not hold
          expect x == 9
                 ^
          x is 8
          line\nend

        """#)
  }

  @Test func theCaretIsAlignedByWidth() {
    let wide = SourcePlace(line: 1, column: 16, length: 4, text: "print {k: \"漢\"} 漢字ab x")
    #expect(
      picture(Diagnostic(.syntax, "m", at: wide)) == """
        error: m
          print {k: "漢"} 漢字ab x
                          ^~~~~~

        """)
    let tab = SourcePlace(line: 1, column: 4, length: 2, text: "\ta\tbc")
    #expect(picture(Diagnostic(.syntax, "m", at: tab)) == "error: m\n  \ta\tbc\n  \t \t^~\n")
    let control = SourcePlace(line: 1, column: 3, text: "a\u{1B}b")
    #expect(
      picture(Diagnostic(.syntax, "m", at: control)) == #"""
        error: m
          a\u{1b}b
                 ^

        """#)
  }

  @Test(arguments: [-5, 0, 1, 3, 4, 900]) func aLocationOutsideTheLineIsClamped(column: Int) {
    let place = SourcePlace(line: 1, column: column, length: 1000, text: "abc\r\n")
    let lines = picture(Diagnostic(.syntax, "m", at: place)).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[1] == "  abc")
    #expect(lines[2].last == "^" || lines[2].last == "~")
  }

  @Test func aLongLineIsShownAroundTheCaret() throws {
    let text = String(repeating: "a", count: 5000) + "BAD" + String(repeating: "z", count: 5000)
    let place = SourcePlace(line: 1, column: 5001, length: 3, text: text)
    let lines = picture(Diagnostic(.syntax, "m", at: place), TerminalTraits(width: 40))
      .split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 40 })
    #expect(lines[1].hasPrefix("  …aaa") && lines[1].hasSuffix("zzz…"))
    let caret = try #require(lines[2].firstIndex(of: "^"))
    let column = lines[2].distance(from: lines[2].startIndex, to: caret)
    #expect(lines[1].dropFirst(column).hasPrefix("BAD"))
  }

  @Test func colorMarksTheWordErrorAndTheCaret() {
    let place = SourcePlace(line: 1, column: 1, text: "x")
    #expect(
      picture(Diagnostic(.syntax, "m", at: place), TerminalTraits(hasColor: true))
        == "\u{1B}[31merror:\u{1B}[0m m\n  x\n  \u{1B}[31m^\u{1B}[0m\n")
  }

  @Test func aMessageCannotControlTheTerminal() {
    #expect(
      picture(Diagnostic(.io, "no `a\u{1B}]0;x\u{7}`", suggestion: "b\n"))
        == "error: no `a\\u{1b}]0;x\\u{7}`; did you mean `b\\n`?\n")
  }

  @Test func aWarningIsALine() {
    #expect(
      TableStyle().render(warning: "titles repeat", for: TerminalTraits())
        == "warning: titles repeat\n")
  }
}
