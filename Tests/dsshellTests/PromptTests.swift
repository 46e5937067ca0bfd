import Glibc
import Testing

/// The prompt in a real terminal.
@Suite(.serialized) struct PromptTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func session(
    _ environment: [String: String] = [:], width: UInt16 = 80
  ) throws -> TerminalSession {
    try TerminalSession.prompt(in: folder, [], environment, width: width)
  }

  @Test func theBannerShowsTheNextStep() throws {
    let session = try TerminalSession(environment: ["HOME": folder.path, "NO_COLOR": "1"])
    let before = try session.expect("ds> ")
    #expect(
      before.hasPrefix(
        "dsshell 0.1.0: a shell for data sources. `help` shows what you can do, Ctrl-D\r\n  quits.\r\n"
      )
    )
  }

  @Test func ctrlDQuits() throws {
    let session = try session()
    session.type("\u{4}")
    #expect(try session.end().status == 0)
  }

  @Test func quitExitsWithItsStatus() throws {
    let session = try session()
    session.type("quit 3\r")
    #expect(try session.end().status == 3)
  }

  @Test(arguments: [["LANG": "C.UTF-8"], ["LANG": "C", "LC_ALL": "C"], ["TERM": "dumb"]])
  func textOfAllScriptsCanBeTyped(environment: [String: String]) throws {
    let session = try session(environment)
    try session.run("print \"é漢字😀\"", shows: "\r\né漢字😀\r\n")
  }

  @Test func aCommandContinuesInTheNextLine() throws {
    let session = try session()
    session.type("print [1,\r")
    try session.expect("  > ")
    session.type("2]\r")
    try session.expect("\r\n[1, 2]\r\n")
    session.type("\u{1B}[A\r")
    try session.expect("\r\n[1, 2]\r\n")
  }

  @Test func anErrorLeavesTheShellRunning() throws {
    let session = try session()
    try session.run("nonsense", shows: "error:")
    session.type("print 12\r")
    try session.expect("\r\n12\r\n")
  }

  @Test func ctrlCClearsTheLine() throws {
    let session = try session()
    session.type("print 1")
    try session.expect("print 1")
    session.type("\u{3}")
    try session.expect("^C\r\n")
    #expect(!(try session.expect("ds> ").contains("to quit")))
    session.type("print 2\r")
    try session.expect("\r\n2\r\n")
  }

  @Test(arguments: ["xterm", "dumb"]) func ctrlCAtAnEmptyPromptShowsHowToQuit(term: String) throws {
    let session = try session(["TERM": term])
    session.type("\u{3}")
    try session.expect("press Ctrl-D or type `quit` to quit\r\n")
    try session.expect("ds> ")
  }

  @Test func ctrlCDiscardsACommandOfSeveralLines() throws {
    let session = try session()
    session.type("print [1,\r")
    try session.expect("  > ")
    session.type("\u{3}")
    try session.expect("ds> ")
    session.type("print 2\r")
    try session.expect("\r\n2\r\n")
  }

  @Test func ctrlCCancelsALongFetch() throws {
    // Half a million distinct strings to decode, sort and split take far longer than the wait below.
    let rows = (0..<500_000).map { "\($0 &* 2_654_435_761 % 4_294_967_291) and more\n" }
    try folder.write("long.csv", "name\n" + rows.joined())
    let session = try session()
    try session.run("let long = load \(folder.path)/long.csv", shows: "long: 500,000 objects")
    try session.run(
      "let split = sectioned long key: name.uppercased sort: name.capitalized",
      shows: "not fetched yet")
    session.type("fetch split\r")
    try session.expect("fetch split\r\n")
    usleep(50_000)
    session.type("\u{3}")
    try session.expect("fetch of split was canceled")
    try session.expect("ds> ")
    session.type("count split; count long\r")
    try session.expect("\r\n0\r\n500000\r\n")
  }

  @Test func ctrlCCancelsACommandAndNotTheShell() throws {
    let fifo = folder.path + "/slow.csv"
    try #require(mkfifo(fifo, 0o600) == 0)
    let session = try session()
    session.type("load \(fifo)\r")
    try session.expect("slow.csv\r\n")
    // The open succeeds once there is a writer; the read then waits for bytes that never come.
    let writer = open(fifo, O_WRONLY | O_CLOEXEC)
    defer { close(writer) }
    session.type("\u{3}")
    try session.expect("canceled")
    try session.expect("ds> ")
    session.type("print 2\r")
    try session.expect("\r\n2\r\n")
  }

  @Test func tabCompletesAndASecondTabLists() throws {
    let session = try session()
    try session.run("let oranges = simple [1]", shows: "\r\noranges: ")
    try session.run("count ora\t", shows: "nges \r\n1\r\n")
    try session.run("let orchards = simple [1]", shows: "\r\norchards: ")
    session.type("count ora\u{7F}\t\t")
    try session.expect("\r\noranges")
    try session.expect("orchards\r\n")
    try session.expect("ds> count or")
  }

  @Test func theListShowsTitlesOfSections() throws {
    let session = try session()
    session.type("let s = sectioned (simple [{n: \"A B\"}, {n: Fig}]) key: n | fetch\r")
    try session.expect("2 sections")
    try session.expect("ds> ")
    session.type("object s [\t\t")
    try session.expect("\r\n0  A B (1)  1  Fig (1)\r\n")
    session.type("1, 0]\r")
    try session.expect("Fig")
    session.type("sectionForTitle s A\t\r")
    try session.expect("\r\n0\r\n")
  }

  @Test func tabCompletesTablesAndColumns() throws {
    let folder = try TemporaryFolder()
    let session = try session()
    session.type("let shop = open \(folder.path)/shop.sqlite write: true\r")
    try session.expect("\r\nshop: SQLite, 0 tables, writable\r\n")
    try session.run("save (simple [{id: 1, city: Oslo}]) shop.people", shows: "1 row saved\r\n")
    try session.run("count shop.\t", shows: "people \r\n1\r\n")
    session.type("filtered shop.people where: ci\t== 'Oslo' | fetch | count\r")
    try session.expect("ty == 'Oslo' | fetch | count\r\n1\r\n")
  }

  @Test func upRecallsTheEntryWithTheSameBeginning() throws {
    let session = try session()
    session.type("print 11\r")
    try session.expect("\r\n11\r\n")
    try session.run("expect [22] == [22]; print 22", shows: "\r\n22\r\n")
    session.type("pri\u{1B}[A")
    try session.expect("nt 11")
    session.type("\r")
    try session.expect("\r\n11\r\n")
  }

  @Test func ctrlRSearches() throws {
    let session = try session()
    try session.run("print 4711", shows: "\r\n4711\r\n")
    session.type("\u{12}47")
    try session.expect("print 4711")
    session.type("\r")
    try session.expect("\r\n4711\r\n")
  }

  @Test func aPasteNeitherRunsNorCompletes() throws {
    let session = try session()
    session.type("\u{1B}[200~print [\r\t5,\r\t6]\r\u{1B}[201~")
    try session.expect("6]")
    session.type("\r")
    try session.expect("\r\n[5, 6]\r\n")
  }

  @Test func theNextSessionHasEntriesOfSeveralLines() throws {
    let first = try session()
    first.type("print [1,\r")
    try first.expect("  > ")
    first.type("  \"é漢\"]\r")
    try first.expect("\r\n[1, \"é漢\"]\r\n")
    first.type("print 2\r")
    try first.expect("\r\n2\r\n")
    first.type("\u{4}")
    _ = try first.end()
    #expect(try folder.read("state/history") == "print [1,\n\t  \"é漢\"]\nprint 2\n")

    let second = try session()
    second.type("\u{1B}[A\u{1B}[A\r")
    try second.expect("\r\n[1, \"é漢\"]\r\n")
    try second.run("history 2", shows: "print [1,")
    second.type("\u{4}")
    _ = try second.end()
  }

  @Test func theSessionBecomesAScript() throws {
    let session = try session()
    try session.run("let a = simple [1, 2]", shows: "a: 1 section, 2 objects")
    try session.run("cuont a", shows: "error:")
    session.type("print [(count a),\r")
    try session.expect("  > ")
    session.type("  3]\r")
    try session.expect("\r\n[2, 3]\r\n")
    try session.run("history save \(folder.path)/s.ds", shows: "s.ds: 2 commands saved")
    session.type("\u{4}")
    _ = try session.end()
    #expect(
      try folder.read("s.ds")
        == "#!/usr/bin/env dsshell\nlet a = simple [1, 2]\nprint [(count a),\n  3]\n")
    #expect(try dsshell(folder.path + "/s.ds").output.hasSuffix("\n[2, 3]\n"))
  }

  @Test func theNextSessionHasTheHistory() throws {
    let first = try session()
    first.type("print 31\r")
    try first.expect("\r\n31\r\n")
    try first.run(" print 32", shows: "\r\n32\r\n")
    first.type("\u{4}")
    _ = try first.end()
    #expect(try folder.read("state/history") == "print 31\n")
    var status = stat()
    #expect(stat(folder.path + "/state/history", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)

    let second = try session()
    second.type("\u{1B}[A\r")
    try second.expect("\r\n31\r\n")
  }

  @Test func twoSessionsKeepEachOthersHistory() throws {
    let first = try session()
    let second = try session()
    first.type("print 1\r")
    try first.expect("\r\n1\r\n")
    second.type("print 2\r")
    try second.expect("\r\n2\r\n")
    try first.expect("ds> ")
    first.type("print 3\r")
    try first.expect("\r\n3\r\n")
    for session in [second, first] {
      try session.expect("ds> ")
      session.type("\u{4}")
      #expect(try session.end().status == 0)
    }
    #expect(try folder.read("state/history") == "print 1\nprint 2\nprint 3\n")
  }

  @Test func theLineIsRedrawnAfterAStop() throws {
    let session = try session()
    session.type("print 7")
    try session.expect("print 7")
    session.send(SIGSTOP)
    session.send(SIGCONT)
    try session.expect("ds> print 7")
    session.type("\r")
    try session.expect("\r\n7\r\n")
  }

  @Test func outputFitsAResizedTerminal() throws {
    let session = try session()
    try session.run(
      "let x = simple [{name: \(String(repeating: "x", count: 60)), n: 1}]", shows: "\r\nx: ")
    session.resize(width: 30)
    try session.run("objects x", shows: "x…  1\r\n")
  }

  @Test func colorIsOffWithNoColor() throws {
    let plain = try session()
    plain.type("nonsense\r")
    #expect(!(try plain.expect("error:").contains("\u{1B}[31m")))
    let colored = try session(["NO_COLOR": ""])
    colored.type("nonsense\r")
    try colored.expect("\u{1B}[31merror:")
  }

  @Test func theKeysOfEditrcWin() throws {
    try folder.write(".editrc", "dsshell:bind ^R ed-insert\n")
    let session = try session()
    session.type("print \"a\u{12}b\"")
    try session.expect("^Rb")
  }
}
