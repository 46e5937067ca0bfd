import Glibc
import Testing

/// The table view that `preview` scrolls in a real terminal.
@Suite(.serialized) struct PreviewScreenTests {
  private let folder: TemporaryFolder
  private static let enter = "\u{1B}[?1049h"
  private static let leave = "\u{1B}[?1049l"

  init() throws { folder = try TemporaryFolder() }

  /// A session with 26 sections of 10 words, `words`.
  private func session(_ arguments: [String] = []) throws -> TerminalSession {
    var rows = "letter,word\n"
    for letter in "abcdefghijklmnopqrstuvwxyz" {
      for number in 0..<10 { rows += "\(letter),\(letter)word\(number)\n" }
    }
    try folder.write("rows.csv", rows)
    let session = try TerminalSession.prompt(in: folder, arguments)
    try session.run("load \(folder.path)/rows.csv", shows: "260 objects")
    try session.run("let words = sectioned rows key: letter | fetch", shows: "26 sections")
    return session
  }

  @Test func keysScrollTheTableView() throws {
    let session = try session()
    session.type("preview words cell: word\r")
    try session.expect(Self.enter)
    try session.expect("aword0")
    try session.expect("section 1 of 26, 260 objects")
    // The header stays while its rows scroll.
    session.type("\u{1B}[B")
    try session.expect("\u{1B}[Ha  ")
    try session.expect("aword1")
    try session.expect("section 1 of 26")
    session.type("\t")
    try session.expect("\u{1B}[Hb  ")
    try session.expect("bword0")
    try session.expect("section 2 of 26")
    session.type("M")
    try session.expect("\u{1B}[Hm  ")
    try session.expect("section 13 of 26")
    session.type("\u{1B}[6~")
    try session.expect("section 15 of 26")
    session.type("\u{1B}[F")
    try session.expect("zword9")
    try session.expect("section 24 of 26")
    session.type("\u{1B}[H")
    try session.expect("aword0")
    try session.expect("section 1 of 26")
    session.type("Q")
    try session.expect("section 17 of 26")
    session.type("\u{1B}[Z")
    try session.expect("section 16 of 26")
    session.type("1")
    try session.expect("no section begins with `1`")
    session.type("q")
    try session.expect(Self.leave)
    // The last picture stays.
    #expect(try session.expect("ds> ").contains("pword0"))
    try session.run("print 1", shows: "\r\n1\r\n")
  }

  @Test func theIndexIsThinnedToTheScreen() throws {
    let session = try session()
    session.type("preview words\r")
    let screen = try session.expect("section 1 of 26")
    #expect(screen.contains("•"))
    #expect(screen.contains("Z"))
    session.type("q")
    try session.expect("ds> ")
  }

  @Test func ctrlCAndSignalsRestoreTheTerminal() throws {
    let session = try session()
    session.type("preview words at: [3, 4]\r")
    try session.expect("dword4")
    try session.expect("section 4 of 26")
    session.type("\u{3}")
    try session.expect(Self.leave)
    try session.run("print 1", shows: "\r\n1\r\n")
    session.type("preview words\r")
    try session.expect("section 1 of 26")
    session.send(SIGTERM)
    try session.expect("\u{1B}[?25h" + Self.leave)
    #expect(try session.end().status != 0)
  }

  @Test func rowsPrintsTheTableView() throws {
    let session = try session()
    session.type("preview words rows: 2\r")
    let printed = try session.expect("shows more")
    #expect(!printed.contains(Self.enter))
    #expect(printed.contains("┌"))
    try session.run("option pager off", shows: "pager: off")
    session.type("preview words\r")
    #expect(!(try session.expect("shows more").contains(Self.enter)))
  }

  @Test func anEmptyTableViewCanBeQuit() throws {
    let session = try session()
    session.type("preview (simple [])\r")
    try session.expect("no objects")
    session.type("x\u{1B}[Bq")
    try session.expect(Self.leave)
    try session.expect("ds> ")
  }
}
