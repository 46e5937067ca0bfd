import Glibc
import Testing

/// The pager of the prompt in a real terminal.
@Suite(.serialized) struct PagerTests {
  private let folder: TemporaryFolder
  private static let enter = "\u{1B}[?1049h"
  private static let leave = "\u{1B}[?1049l"

  init() throws { folder = try TemporaryFolder() }

  /// A session with 60 numbers as `rows`, and one wide object as `wide`.
  private func session(
    _ environment: [String: String] = [:], width: UInt16 = 80
  ) throws -> TerminalSession {
    var rows = "n,word\n"
    for number in 0..<60 { rows += "\(number),word\(number)\n" }
    try folder.write("rows.csv", rows)
    let keys = (0..<30).map { "column\($0)" }
    let values = (0..<30).map { "value\($0)" }
    try folder.write(
      "wide.csv",
      keys.joined(separator: ",") + "\n" + values.joined(separator: ",") + "\n")
    let session = try TerminalSession.prompt(in: folder, [], environment, width: width)
    try session.run("load \(folder.path)/rows.csv", shows: "60 objects")
    try session.run("load \(folder.path)/wide.csv", shows: "1 object")
    return session
  }

  @Test func aResultThatFitsIsNotPaged() throws {
    let session = try session()
    session.type("show rows first: 3\r")
    try session.expect("[0, 2]")
    #expect(!(try session.expect("ds> ").contains(Self.enter)))
  }

  @Test func aLongResultIsShownInPages() throws {
    let session = try session()
    session.type("show rows\r")
    try session.expect(Self.enter)
    try session.expect("lines 1-22 of 51")
    session.type(" ")
    try session.expect("lines 23-44 of 51")
    session.type("\u{1B}[A")
    try session.expect("lines 22-43 of 51")
    session.type("d")
    try session.expect("lines 30-51 of 51")
    session.type("\u{1B}[H")
    try session.expect("lines 1-22 of 51")
    session.type("G")
    try session.expect("(show rows from: [0, 50])")
    try session.expect("lines 30-51 of 51")
    session.type("q")
    try session.expect(Self.leave)
    // The last page stays, below its header.
    let rest = try session.expect("ds> ")
    #expect(rest.contains("n  word"))
    #expect(rest.contains("word49"))
    try session.run("print 1", shows: "\r\n1\r\n")
  }

  @Test func aSearchMovesToItsMatches() throws {
    let session = try session()
    session.type("show rows\r")
    try session.expect("lines 1-22")
    session.type("/WORDX\u{7F}\u{15}word4\r")
    try session.expect("\u{1B}[7mword4\u{1B}[0m")
    try session.expect("lines 5-26")
    session.type("n")
    try session.expect("lines 30-51")
    session.type("N")
    try session.expect("lines 5-26")
    session.type("/nowhere\r")
    try session.expect("no more `nowhere`")
    session.type("q")
    try session.expect("ds> ")
  }

  @Test func aWideTableIsScrolledSideways() throws {
    let session = try session()
    session.type("show wide\r")
    try session.expect("columns 1-80 of")
    session.type("\u{1B}[C")
    try session.expect("columns 41-120 of")
    session.type("$")
    try session.expect("value29")
    session.type("0")
    try session.expect("columns 1-80 of")
    session.type("/value20\r")
    try session.expect("\u{1B}[7mvalue20")
    session.type("q")
    try session.expect("ds> ")
  }

  @Test func aResizedTerminalIsDrawnAgain() throws {
    let session = try session()
    session.type("show wide\r")
    try session.expect("columns 1-80 of")
    session.resize(width: 40)
    try session.expect("columns 1-40 of")
    session.type("q")
    try session.expect("ds> ")
  }

  @Test func ctrlCLeavesThePager() throws {
    let session = try session()
    session.type("show rows\r")
    try session.expect("lines 1-22")
    session.type("\u{3}")
    try session.expect(Self.leave)
    try session.expect("ds> ")
    try session.run("print 1", shows: "\r\n1\r\n")
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func aSignalRestoresTheTerminalAndEndsTheProcess(signal: Int32) throws {
    let session = try session()
    session.type("show rows\r")
    try session.expect("lines 1-22")
    session.send(signal)
    try session.expect("\u{1B}[?25h" + Self.leave)
    #expect(try session.end().status != 0)
  }

  @Test(arguments: ["show rows", "print 1", "begin rows"])
  func aTerminalThatIsGoneEndsTheProcess(command: String) throws {
    let session = try session()
    session.type(command + "\r")
    try session.expect(command == "show rows" ? "lines 1-22" : "ds> ")
    // By the signal of the terminal, or at the end of its input.
    _ = session.hangUp()
  }

  @Test func ctrlZRestoresTheTerminalUntilTheProcessContinues() throws {
    let session = try session()
    session.type("show rows\r")
    try session.expect("lines 1-22")
    session.type("\u{1A}")
    try session.expect(Self.leave)
    session.send(SIGCONT)
    try session.expect(Self.enter)
    try session.expect("lines 1-22")
    session.type("q")
    try session.expect("ds> ")
  }

  @Test(arguments: ["PAGER", "option"]) func thePagerCanBeTurnedOff(by switch: String) throws {
    let session = try session(`switch` == "PAGER" ? ["PAGER": ""] : [:])
    if `switch` == "option" { try session.run("option pager off", shows: "pager: off") }
    session.type("show rows\r")
    try session.expect("(show rows from: [0, 50])")
    #expect(!(try session.expect("ds> ").contains(Self.enter)))
  }

  @Test func theVariableNamesAnotherProgram() throws {
    let session = try session(["PAGER": "sed 's/^/> /'"])
    session.type("show rows\r")
    try session.expect(">   [0, 0]")
    try session.expect("ds> ")
    session.type("show wide\r")
    try session.expect("value29")
    try session.expect("ds> ")
  }

  @Test func withoutTheProgramTheResultIsWritten() throws {
    let session = try session(["PAGER": "/nowhere/pager"])
    session.type("show rows\r")
    try session.expect("(show rows from: [0, 50])")
    try session.run("print 1", shows: "\r\n1\r\n")
  }

  @Test func textIsBrokenBetweenWords() throws {
    let session = try session(width: 40)
    try session.run("option pager off", shows: "off")
    session.type("help columns\r")
    let lines = try session.expect("See also").split(separator: "\r\n")
    #expect(lines.count > 10)
    for line in lines.dropFirst() { #expect(line.count <= 40, "\(line)") }
  }
}
