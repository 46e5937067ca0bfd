import Glibc
import Testing

/// The keys and the look of the line that is typed, in a real terminal.
@Suite(.serialized) struct LineEditingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func session(
    _ arguments: [String] = [], _ environment: [String: String] = [:], width: UInt16 = 80
  ) throws -> TerminalSession {
    try TerminalSession.prompt(in: folder, arguments, environment, width: width)
  }

  private static let colors = ["NO_COLOR": ""]

  @Test func typedTextOfAllScriptsIsEdited() throws {
    let session = try session(width: 40)
    // Beyond the width of the terminal, with wide characters and combining marks.
    session.type("print \"e\u{301}漢字😀 漢字漢字漢字漢字漢字漢字漢字漢字\"")
    try session.expect("漢字\"")
    // To the start, behind é, back and forth; then from the end.
    session.type("\u{1}" + String(repeating: "\u{6}", count: 8) + "\u{1B}[C\u{1B}[DX")
    session.type("\u{5}\u{7F}\u{7F}\u{7F}\"")
    try session.waitForScreen("ds> print \"e\u{301}X漢字😀 漢字漢字漢字漢字漢字", "漢字漢字\"")
    session.type("\r")
    try session.expect("\r\ne\u{301}X漢字😀 漢字漢字漢字漢字漢字漢字漢字\r\n")
  }

  @Test func aWrappedLineFollowsTheWidth() throws {
    let session = try session()
    session.type("print 1234567890 + 1234567890 + 1234567890 + 1234567890")
    try session.expect("90 + 1234567890")
    for width: UInt16 in [24, 61, 17] {
      session.resize(width: width)
      try session.expect("ds> ")
      session.type("0\u{7F}")
      try session.waitForLine("ds> print 1234567890 + 1234567890 + 1234567890 + 1234567890")
    }
    session.type("\r")
    try session.expect("\r\n4938271560\r\n")
  }

  @Test func undoRestoresTheLine() throws {
    let session = try session()
    session.type("print 12")
    try session.expect("print 12")
    session.type("\u{17}")
    try session.waitForScreen("ds> print")
    session.type("\u{1F}")
    try session.waitForScreen("ds> print 12")
    session.type("\u{18}\u{15}")
    try session.waitForScreen("ds>")
    session.type("print 3\r")
    try session.expect("\r\n3\r\n")
  }

  @Test func theLastArgumentsOfEarlierEntriesAreInserted() throws {
    let session = try session()
    try session.run("print \"a b\"", shows: "\r\na b\r\n")
    try session.run("print [1, 2]", shows: "\r\n[1, 2]\r\n")
    session.type("print \u{1B}.")
    try session.waitForLine("ds> print [1, 2]")
    session.type("\u{1B}.")
    try session.waitForLine("ds> print \"a b\"")
    session.type("\r")
    try session.expect("\r\na b\r\n")
  }

  @Test func aSearchShowsEntriesAndCanBeLeft() throws {
    let session = try session()
    try session.run("print 11", shows: "\r\n11\r\n")
    try session.run("print 12", shows: "\r\n12\r\n")
    session.type("\u{12}")
    try session.waitForLine("search ``:")
    session.type("\u{7}")
    try session.waitForLine("ds>")
    session.type("abc\u{12}print")
    try session.waitForLine("search `print`: print 12")
    session.type("\u{12}")
    try session.waitForLine("search `print`: print 11")
    session.type("\u{13}")
    try session.waitForLine("search `print`: print 12")
    session.type("x")
    try session.waitForLine("not found `printx`: print 12")
    session.type("\u{7}")
    try session.waitForLine("ds> abc")
    session.type("\u{12}11\r")
    try session.expect("\r\n11\r\n")
    session.type("\u{12}12\u{1}print 0; \r")
    try session.expect("\r\n12\r\n")
  }

  @Test func aNewLineContinuesTheEntry() throws {
    let session = try session()
    session.type("let a = 1\u{1B}\rprint a")
    try session.waitForScreen("ds> let a = 1", "  > print a")
    session.type("\r")
    try session.expect("\r\n1\r\n")
  }

  @Test func anEarlierEntryIsHintedAndAccepted() throws {
    let session = try session([], Self.colors)
    try session.run("print \"one two\"", shows: "\r\none two\r\n")
    session.type("pri")
    try session.expect("\u{1B}[2mnt \"one two\"")
    session.type("\u{1B}f")
    try session.expect("\u{1B}[2m \"one two\"")
    session.type("\u{1B}[C\r")
    try session.expect("\r\none two\r\n")
    session.type("object ")
    try session.expect("\u{1B}[2mSOURCE [SECTION, ROW]")
    session.type("\u{5}\u{15}quit 4\r")
    #expect(try session.end().status == 4)
  }

  @Test func wrongWordsAndBracketsAreMarked() throws {
    let session = try session([], Self.colors)
    session.type("shwo ")
    try session.expect("\u{1B}[31mshwo\u{1B}[0m")
    session.type("\u{15}print (1)")
    try session.expect("\u{1B}[1mprint\u{1B}[0m \u{1B}[1;4m(\u{1B}[0m1\u{1B}[1;4m)\u{1B}[0m")
  }

  @Test(arguments: [
    ([], ["NO_COLOR": "1"]), (["--plain"], colors), (["--no-color"], colors),
    ([], ["NO_COLOR": "", "TERM": "dumb"]),
  ])
  func aPlainLineHasNoHintsAndColors(arguments: [String], environment: [String: String]) throws {
    let session = try session(arguments, environment)
    try session.run("print 11", shows: "\r\n11\r\n")
    session.type("pri")
    try session.expect("pri")
    session.type("nt 2\r")
    let before = try session.expect("\r\n2\r\n")
    #expect(!before.contains("\u{1B}[2m") && !before.contains("\u{1B}[1m"))
  }

  @Test func aPasteReportsTheLineOfItsError() throws {
    let lines = (1...50).map { $0 == 31 ? "shwo a30" : "let a\($0) = \($0)" }
    let session = try session()
    session.type("\u{1B}[200~" + lines.joined(separator: "\r") + "\r\u{1B}[201~")
    try session.expect("let a50 = 50")
    session.type("\r")
    try session.expect("line 31: error: no command named `shwo`")
    try session.expect("no line of the entry was run\r\n")
    try session.expect("ds> ")
    session.type("print a1\r")
    try session.expect("error: nothing is named `a1`")
  }

  @Test func ctrlZStopsAndContinuesTheShell() throws {
    // A command shell with jobs: without one, a stopped process could not continue.
    let session = try TerminalSession(
      program: "/bin/bash", ["--norc", "--noprofile", "-i"],
      environment: ["HOME": folder.path, "NO_COLOR": "1", "PS1": "sh> "])
    try session.expect("sh> ")
    session.type(try ShellProcess.binary + "\r")
    try session.expect("ds> ")
    session.type("print 7")
    try session.expect("print 7")
    session.type("\u{1A}")
    try session.expect("Stopped")
    try session.expect("sh> ")
    session.type("echo a$((1 + 1))\r")
    try session.expect("a2\r\n")
    session.type("fg\r")
    try session.expect("ds> print 7")
    session.type("7\r")
    try session.expect("\r\n77\r\n")
    session.type("quit\r")
    try session.expect("sh> ")
  }

  @Test func ctrlDTypedAheadEndsTheShell() throws {
    let session = try session()
    session.type("print 1\r\u{4}")
    #expect(try session.end().status == 0)
  }

  @Test func inFortyColumnsNoWordIsBroken() throws {
    let session = try session(width: 40)
    try session.run("option pager off", shows: "ds> ")
    session.type("help\r")
    let help = try session.expect("\r\nds> ")
    for line in help.split(separator: "\r\n") { #expect(line.count <= 40, "\(line)") }
  }
}
