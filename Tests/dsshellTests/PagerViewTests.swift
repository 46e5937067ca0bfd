import Testing

@testable import dsshell

@Suite struct PagerViewTests {
  private func view(_ count: Int, rows: Int = 11, columns: Int = 20, pinned: Int = 0) -> PagerView {
    let lines = (0..<count).map { "line \($0)\n" }.joined()
    return PagerView(lines, pinned: pinned, rows: rows, columns: columns)
  }

  @Test func movementsStayInTheText() {
    var view = view(25)
    view.move(.lines(-3))
    #expect(view.top == 0)
    view.move(.pages(1))
    #expect(view.top == 10)
    view.move(.halfPages(1))
    #expect(view.top == 15)
    view.move(.lines(1))
    #expect(view.top == 15)
    view.move(.start)
    #expect(view.top == 0)
    view.move(.end)
    #expect(view.rows().first == "line 15")
  }

  @Test func pinnedLinesStayAtTheTop() {
    var view = view(25, pinned: 1)
    view.move(.end)
    #expect(view.rows().first == "line 0")
    #expect(view.rows()[1] == "line 16")
    #expect(view.visibleLines.count == 10)
  }

  @Test func allRowsOfTheScreenAreDrawn() {
    for count in [0, 1, 5, 100] {
      #expect(view(count).rows().count == 11)
      #expect(view(count, rows: 1).rows().count == 2)
    }
  }

  @Test func wideCharactersAreNotSplit() {
    let line = StyledLine("a漢字b")
    #expect(line.width == 6)
    #expect(line.text(from: 0, columns: 2) == "a ")
    #expect(line.text(from: 2, columns: 3) == " 字")
    #expect(line.text(from: 1, columns: 5) == "漢字b")
  }

  @Test func stylesAreKept() {
    let line = StyledLine("\u{1B}[1mab\u{1B}[0mcd")
    #expect(line.width == 4)
    #expect(line.text(from: 1, columns: 2) == "\u{1B}[1mb\u{1B}[0mc")
    #expect(
      line.text(from: 0, columns: 4, highlighting: "bc")
        == "\u{1B}[1ma\u{1B}[0m\u{1B}[7mbc\u{1B}[0md")
  }

  @Test func aSearchInLowerCaseMatchesAnyCase() {
    #expect(StyledLine("x ABC").column(of: "abc") == 2)
    #expect(StyledLine("x abc").column(of: "ABC") == nil)
    #expect(StyledLine("漢 abc").column(of: "abc") == 3)
  }

  @Test func aSearchFindsTheNextAndTheEarlierMatch() {
    var view = view(40)
    view.search("line 2")
    #expect(view.top == 2)
    view.searchAgain(backward: false)
    #expect(view.top == 20)
    view.searchAgain(backward: true)
    #expect(view.top == 2)
    view.searchAgain(backward: true)
    #expect(view.message == "no earlier `line 2`")
    view.search("nothing")
    #expect(view.message == "no more `nothing`")
  }

  @Test(arguments: [
    ("j", PagerKey.character("j")), ("é", .character("é")), ("\u{1B}[A", .sequence("A")),
    ("\u{1B}OB", .sequence("B")), ("\u{1B}[5~", .sequence("5~")),
    ("\u{1B}[1;5C", .sequence("1;5C")), ("\u{1B}x", .sequence("")),
  ]) func keysAreRead(text: String, key: PagerKey) {
    var bytes = Array((text + "q").utf8)[...]
    #expect(PagerKey.take(from: &bytes, isComplete: false) == key)
    #expect(Array(bytes) == [UInt8(ascii: "q")])
  }

  @Test func anEscapeWaitsForItsSequence() {
    var bytes = Array("\u{1B}[".utf8)[...]
    #expect(PagerKey.take(from: &bytes, isComplete: false) == nil)
    #expect(PagerKey.take(from: &bytes, isComplete: true) == .sequence(""))
    #expect(bytes.isEmpty)
  }
}
