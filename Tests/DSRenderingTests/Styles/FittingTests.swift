import DSInterpreter
import DSRendering
import DataTables
import Testing

/// Tables in terminals of limited width.
@Suite struct FittingTests {
  private func grid(_ rows: [[Value]]) -> Output {
    Output(
      .grid(Grid(columns: [Grid.Column("a"), Grid.Column("b"), Grid.Column("n")], rows: rows)))
  }
  private let long = String(repeating: "x", count: 30)

  @Test func theWidestColumnShrinksFirst() async throws {
    #expect(
      try await text(grid([["short", .string(long), 12]]), for: TerminalTraits(width: 24)) == """
        a      b               n
        short  xxxxxxxxxxxx…  12

        """)
  }

  @Test func aPipeReceivesWholeLines() async throws {
    #expect(try await text(grid([["short", .string(long), 12]])).contains(long))
  }

  @Test func numbersAreNotShortened() async throws {
    #expect(
      try await text(grid([[.string(long), "y", 1_234_567_890_123]]), for: .init(width: 26)) == """
        a         b              n
        xxxxxxx…  y  1234567890123

        """)
  }

  @Test func columnsThatDoNotFitAreNamed() async throws {
    #expect(
      try await text(
        grid([[.string(long), .string(long), .string(long)]]), for: .init(width: 20)) == """
          a          b
          xxxxxxxx…  xxxxxxxx…
          … 1 more column: n

          """)
  }

  @Test(arguments: 1...60) func noLineIsWiderThanTheTerminal(width: Int) async throws {
    let rows: [[Value]] = [
      ["漢字漢字漢字漢字", .string(long), 12], ["é", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 7_000_000],
    ]
    for line in try await text(grid(rows), for: TerminalTraits(width: width)).split(separator: "\n")
    {
      #expect(cells(of: line) <= width, "\(line)")
    }
  }

  /// A slow count that is right for the characters of these tests.
  private func cells(of line: Substring) -> Int {
    line.reduce(0) { $0 + ("漢字👨‍👩‍👧‍👦".contains($1) ? 2 : 1) }
  }

  @Test func wideAndCombinedCharactersKeepTheColumnsAligned() async throws {
    let rows: [[Value]] = [
      ["漢字", "b", 1], ["e\u{301}te\u{301}", "b", 1], ["👨‍👩‍👧‍👦", "b", 1], ["🇫🇷", "b", 1],
      ["abcd", "b", 1],
    ]
    #expect(
      try await text(grid(rows)) == """
        a     b  n
        漢字  b  1
        e\u{301}te\u{301}   b  1
        👨‍👩‍👧‍👦    b  1
        🇫🇷    b  1
        abcd  b  1

        """)
  }
}
