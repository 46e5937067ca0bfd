import TestSupport
import Testing

@testable import dsshell

/// The screen of a terminal after a line was drawn.
@Suite struct LineLayoutTests {
  private func drawn(_ content: LineContent, width: Int, height: Int = 100) -> ScreenModel {
    var screen = ScreenModel(width: width, height: height)
    screen.write(LineLayout(content, width: width).window(height: height).drawing(over: nil))
    return screen
  }

  @Test func aLineIsWrappedBeforeTheCursorReachesTheMargin() {
    let screen = drawn(LineContent(prompt: "> ", text: "abcdef", cursor: 6), width: 8)
    #expect(screen.lines == ["> abcdef"])
    #expect(screen.cursor == (1, 0))
  }

  @Test func aWideCharacterIsNotSplit() {
    let screen = drawn(LineContent(prompt: "> ", text: "a漢字漢", cursor: 4), width: 6)
    #expect(screen.lines == ["> a漢", "字漢"])
    #expect(screen.cursor == (1, 0))
  }

  @Test func linesAreIndented() {
    let screen = drawn(
      LineContent(prompt: "1 ", nextPrompt: "2 ", text: "a\n\nb", cursor: 2), width: 9)
    #expect(screen.lines == ["1 a", "2", "2 b"])
    #expect(screen.cursor == (1, 2))
  }

  @Test func controlCharactersAreVisible() {
    let screen = drawn(LineContent(prompt: "", text: "\u{12}a\tb\u{9B}", cursor: 0), width: 40)
    #expect(screen.lines == ["^Ra     b\\u{9b}"])
  }

  @Test func aHintEndsBeforeTheMargin() {
    let content = LineContent(prompt: "> ", text: "ab", cursor: 2, hint: "cdefgh")
    #expect(drawn(content, width: 20).lines == ["> abcdefgh"])
    #expect(drawn(content, width: 8).lines == ["> abcd…"])
    #expect(drawn(content, width: 8).cursor == (0, 4))
    #expect(drawn(content, width: 5).lines == ["> ab"])
  }

  @Test func stylesEndWithTheirParts() {
    let content = LineContent(
      prompt: "> ", text: "abc", cursor: 3,
      parts: [.init(range: 1..<2, style: "\u{1B}[31m")])
    let text = LineLayout(content, width: 20).drawing(over: nil)
    #expect(text == "> a\u{1B}[31mb\u{1B}[0mc")
  }

  @Test func aLongEntryShowsTheRowsAroundTheCursor() {
    let text = (0..<9).map { "\($0)" }.joined(separator: "\n")
    #expect(
      drawn(LineContent(prompt: "", text: text, cursor: 17), width: 9, height: 3).lines
        == ["6", "7", "8"])
    #expect(
      drawn(LineContent(prompt: "", text: text, cursor: 8), width: 9, height: 3).lines
        == ["3", "4", "5"])
    #expect(
      drawn(LineContent(prompt: "", text: text, cursor: 0), width: 9, height: 3).lines
        == ["0", "1", "2"])
  }

  /// The screen of a terminal that receives the text without styles and without positioning.
  private func screen(_ content: LineContent, _ text: Substring, width: Int) -> ScreenModel {
    var screen = ScreenModel(width: width, height: 1_000)
    screen.write(content.prompt)
    for character in text {
      screen.write(character == "\n" ? "\r\n\(content.nextPrompt)" : String(character))
    }
    return screen
  }

  /// Where a terminal would show the character after the cursor.
  private func cursor(_ content: LineContent, width: Int) -> (row: Int, column: Int) {
    let position = content.text.utf8.index(content.text.startIndex, offsetBy: content.cursor)
    let before = screen(content, content.text[..<position], width: width)
    let next = content.text[position...].first
    if next == "\n" { return before.cursor }
    let isFull = before.isPending || next == "漢" && before.cursor.column + 2 > width
    return isFull ? (before.cursor.row + 1, 0) : before.cursor
  }

  private func randomContent(_ random: inout SplitMix64) -> LineContent {
    let count = Int.random(in: 0...30, using: &random)
    let text = String((0..<count).map { _ in "abc 漢é\n".randomElement(using: &random) ?? "a" })
    let end = text.index(text.startIndex, offsetBy: Int.random(in: 0...count, using: &random))
    let cursor = text.utf8.distance(from: text.startIndex, to: end)
    let start = Int.random(in: 0...text.utf8.count, using: &random)
    return LineContent(
      prompt: "> ", nextPrompt: ". ", text: text, cursor: cursor,
      parts: [.init(range: start..<text.utf8.count, style: "\u{1B}[1m")])
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func everyLineReplacesTheOneBefore(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let width = Int.random(in: 3...20, using: &random)
    var shown = ScreenModel(width: width, height: 1_000)
    var layout: LineLayout?
    for _ in 0..<20 {
      let content = randomContent(&random)
      let next = LineLayout(content, width: width)
      shown.write(next.drawing(over: layout))
      layout = next
      #expect(shown.lines == screen(content, content.text[...], width: width).lines)
      #expect(shown.cursor == cursor(content, width: width), "\(content) at \(width)")
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func aChangeOfTheWidthLeavesNothingBehind(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let content = randomContent(&random)
    let (old, new) = (
      Int.random(in: 3...20, using: &random), Int.random(in: 3...20, using: &random)
    )
    var shown = ScreenModel(width: old, height: 1_000)
    let before = LineLayout(content, width: old)
    shown.write("above\r\n" + before.drawing(over: nil))
    shown.resize(width: new)
    let layout = LineLayout(content, width: new)
    shown.write(layout.erasure(wrappedFrom: before) + layout.drawing(over: nil))
    var expected = ScreenModel(width: old, height: 1_000)
    expected.write("above")
    expected.resize(width: new)
    #expect(
      shown.lines == expected.lines + screen(content, content.text[...], width: new).lines,
      "\(content) from \(old) to \(new)")
  }
}
