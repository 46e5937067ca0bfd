import Glibc
import Testing

/// Files that change while a line is typed, in a real terminal.
@Suite(.serialized) struct WatchPromptTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.write("log.csv", "name\na\n")
  }

  private func session(term: String = "xterm") throws -> TerminalSession {
    let session = try TerminalSession.prompt(in: folder, [], ["TERM": term])
    try session.run("let log = load \(path); watch log", shows: "log: watched")
    return session
  }

  private func append(_ text: String) {
    guard let file = fopen(path, "a") else { return }
    fputs(text, file)
    fclose(file)
  }

  @Test func aChangeIsShownAboveTheLineBeingTyped() throws {
    let session = try session()
    session.type("count")
    try session.expect("count")
    append("b\n")
    try session.expect("\r\u{1B}[Jlog  insert [0, 1]  b\r\n")
    try session.expect("ds> count")
    session.type(" log\r")
    try session.expect("\r\n2\r\n")
  }

  @Test func aLineOverSeveralRowsIsErasedAndShownAgain() throws {
    let session = try session()
    let text = "print \"" + String(repeating: "x", count: 90)
    session.type(text)
    try session.expect("xx")
    usleep(100_000)
    append("b\n")
    try session.expect("\r\u{1B}[1A\u{1B}[Jlog  insert [0, 1]  b\r\n")
    session.type("\"\r")
    try session.expect("\r\n" + String(repeating: "x", count: 90) + "\r\n")
  }

  @Test func aTerminalWithoutCursorShowsAChangeAfterTheNextLine() throws {
    let session = try session(term: "dumb")
    append("b\n")
    usleep(50_000)
    session.type("count log\r")
    try session.expect("log  insert [0, 1]  b\r\n2\r\n")
  }

  @Test func waitEndsWithCtrlC() throws {
    let session = try session()
    session.type("wait log\r")
    try session.expect("wait log\r\n")
    usleep(50_000)
    session.type("\u{3}")
    try session.expect("wait for log was canceled")
    try session.expect("ds> ")
    append("b\n")
    try session.expect("log  insert [0, 1]  b")
  }

  @Test func aMissingFileIsReportedOnce() throws {
    let session = try session()
    unlink(path)
    try session.expect("warning: log could not be read again: cannot open")
    try session.expect("ds> ")
    _ = try folder.write("log.csv", "name\nc\n")
    try session.expect("log  insert [0, 0]  c")
    session.type("unwatch log\r")
    try session.expect("log: not watched")
  }
}
