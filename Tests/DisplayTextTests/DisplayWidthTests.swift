import DisplayText
import Testing

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("漢字", 4), ("ﾊﾝｶｸ", 4), ("Ａ", 2), ("é", 1), ("e\u{301}", 1),
    ("👨‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇫🇷", 2), ("🇫🇷🇩🇪", 4), ("❤", 1), ("❤\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2),
    ("☕", 2), ("🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", 2), ("\u{200B}", 0),
    ("a\u{200D}", 1), ("한글", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("\u{1100}", 2), ("\u{1161}", 0),
    ("\u{301}", 0), ("ไทย", 3), ("ก็", 1), ("क्ष", 2), ("½", 1), ("…", 1), ("·", 1), ("\u{3000}", 2),
    ("\u{1F6D8}", 2), ("𠀀", 2), ("ẹ\u{302}\u{301}", 1), ("a漢e\u{301}👨‍👩‍👧‍👦", 6),
  ])
  func theWidthEqualsThatOfATerminal(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test(arguments: [
    ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("漢字漢", 5, "漢字…"), ("漢字漢", 4, "漢…"), ("漢字", 1, "…"),
    ("ab", 0, ""), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3, "👨‍👩‍👧‍👦…"),
  ])
  func textIsShortenedBetweenCharacters(text: String, cells: Int, shortened: String) {
    #expect(text.shortened(to: cells) == shortened)
  }
}
