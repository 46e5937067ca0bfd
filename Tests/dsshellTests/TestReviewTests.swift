import Foundation
import Glibc
import Testing

/// `dsshell test --review` in a terminal.
@Suite struct TestReviewTests {
  private let folder: TemporaryFolder
  private static let script = """
    print 1
    #| 2
    print "order 17"
    #| order 16
    let l = simple [{id: 7, name: Pie}]
    objects l
    #| id  name
    #|  8  Pie
    print "end"
    #| ende

    """

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("a.ds", Self.script)
  }

  private func session(
    _ scripts: [String] = ["a.ds"], _ options: [String] = [], environment: [String: String] = [:]
  ) throws -> TerminalSession {
    try TerminalSession(
      ["test"] + scripts.map { folder.path + "/" + $0 } + ["--review"] + options,
      environment: ["NO_COLOR": "1", "XDG_CACHE_HOME": folder.path + "/cache"]
        .merging(environment) { $1 })
  }

  private static let question = "Accept this change? ["

  private func answer(_ session: TerminalSession, _ answers: String...) throws {
    for answer in answers {
      try session.expect(Self.question)
      session.type(answer + "\r")
    }
  }

  private func script(_ replacements: (String, String)...) -> String {
    replacements.reduce(Self.script) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }

  @Test func eachChangeIsDecided() throws {
    let session = try session()
    try session.expect("a.ds:1  (1 of 4)\r\n  print 1\r\n print 1\r\n-#| 2\r\n+#| 1\r\n")
    try answer(session, "y", "h")
    try session.expect("+#~ order {int}")
    try answer(session, "i", "n")
    try session.expect("updated 3 lines in 1 file")
    #expect(try session.end().status == 1)
    #expect(
      try folder.read("a.ds")
        == script(
          ("#| 2\n", "#| 1\n"), ("#| order 16", "#~ order {int}"),
          ("objects l\n", "objects l\n#% ignore: id\n")))
    // The rejected change is the only failure left.
    let result = try dsshellTest(folder, "a.ds")
    #expect(result.output.contains("print \"end\"") && !result.output.contains("objects l"))
  }

  /// Only what is named is ignored: the other columns differ as before.
  @Test func someOfTheColumnsThatDifferAreIgnored() throws {
    let table = """
      let l = simple [{id: 7, n: Bo, at: 3}]
      objects l
      #| id  n    at
      #|  8  Boo   4

      """
    try folder.write("c.ds", table)
    let session = try session(["c.ds"])
    try answer(session, "i")
    for (typed, reply) in [
      ("idd", "`idd` is not one of id, n, at"), ("id,  at", "+#% ignore: id, at"),
    ] {
      try session.expect("Ignore which of id, n, at? [names, or all] ")
      session.type(typed + "\r")
      try session.expect(reply)
    }
    try session.expect("updated 1 line in 1 file")
    #expect(try session.end().status == 1)
    #expect(
      try folder.read("c.ds")
        == table.replacingOccurrences(of: "objects l\n", with: "objects l\n#% ignore: id, at\n"))
    let result = try dsshellTest(folder, "c.ds")
    #expect(result.status == 1 && result.output.contains("Boo"))
  }

  @Test func allChangesOfAFileAreAccepted() throws {
    try folder.write("b.ds", "print 3\n#| 4\n")
    let session = try session(["a.ds", "b.ds"])
    try answer(session, "s", "a", "y")
    try session.expect("in 2 files")
    #expect(try session.end().status == 1)
    #expect(try folder.read("a.ds").hasPrefix("print 1\n#| 2\nprint \"order 17\"\n#| order 17\n"))
    #expect(try folder.read("b.ds") == "print 3\n#| 3\n")
  }

  @Test func aPassedReviewHasStatusZero() throws {
    let session = try session()
    try answer(session, "a")
    #expect(try session.end().status == 0)
    #expect(try dsshellTest(folder, "a.ds").status == 0)
  }

  @Test func quitWritesTheAcceptedChanges() throws {
    try folder.write("b.ds", "print 3\n#| 4\n")
    let session = try session(["a.ds", "b.ds"])
    try answer(session, "y", "q")
    try session.expect("updated 1 line in 1 file")
    #expect(try session.end().status == 1)
    #expect(try folder.read("a.ds") == script(("#| 2\n", "#| 1\n")))
    #expect(try folder.read("b.ds") == "print 3\n#| 4\n")
  }

  /// With Ctrl-C and with the end of the input.
  @Test(arguments: [("\u{3}", Int32(130)), ("\u{4}", 1)])
  func anInterruptedReviewLeavesTheFileAsItWas(key: String, status: Int32) throws {
    try folder.write("first.ds", "print 3\n#| 4\n")
    let session = try session(["first.ds", "a.ds"])
    try answer(session, "y", "y", "y")
    try session.expect(Self.question)
    session.type(key)
    #expect(try session.end().status == status)
    #expect(try folder.read("a.ds") == Self.script)
    #expect(try folder.read("first.ds") == "print 3\n#| 3\n")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["a.ds", "cache", "first.ds"])
  }

  @Test func linesAreEditedAndChecked() throws {
    let editor = try folder.write(
      "editor",
      "#!/bin/sh\nif test -e \(folder.path)/again; then echo '#~ {int}' >\"$1\"\n"
        + "else touch \(folder.path)/again; echo 'print 5' >\"$1\"; fi\n")
    chmod(editor, 0o755)
    let session = try session(environment: ["VISUAL": editor])
    try answer(session, "e")
    try session.expect("the lines are not accepted: the lines would change the commands")
    try answer(session, "e", "q")
    #expect(try session.end().status == 1)
    #expect(try folder.read("a.ds") == script(("#| 2\n", "#~ {int}\n")))
  }

  @Test func linesThatExpectNothingAreNotAccepted() throws {
    let path = folder.path
    let editor = try folder.write(
      "editor",
      "#!/bin/sh\nif test -e \(path)/2; then echo '#~ {int}' >\"$1\"\n"
        + "elif test -e \(path)/1; then touch \(path)/2; : >\"$1\"\n"
        + "else touch \(path)/1; echo '#|bad marker' >\"$1\"; fi\n")
    chmod(editor, 0o755)
    let session = try session(environment: ["VISUAL": editor])
    try answer(session, "e")
    try session.expect("the lines are not accepted: `#|bad marker`: this is a comment")
    try answer(session, "e")
    try session.expect("without these lines, nothing would be expected there")
    try answer(session, "e", "q")
    #expect(try session.end().status == 1)
    #expect(try folder.read("a.ds") == script(("#| 2\n", "#~ {int}\n")))
  }

  @Test func anUnknownAnswerShowsTheHelp() throws {
    let session = try session()
    try answer(session, "what")
    try session.expect("y  accept this change")
    try answer(session, "q")
    #expect(try session.end().status == 1)
    #expect(try folder.read("a.ds") == Self.script)
  }

  @Test func expectationsAreFilled() throws {
    try folder.write("f.ds", "print 1\nlet l = load none.csv\nprint 2\n#| 2\n")
    let session = try session(["f.ds"], ["--fill"])
    try session.expect("+#| 1\r\n")
    try answer(session, "y")
    #expect(try session.end().status == 1)
    #expect(try folder.read("f.ds") == "print 1\n#| 1\nlet l = load none.csv\nprint 2\n#| 2\n")
  }

  @Test func aTerminalIsNeeded() throws {
    let result = try dsshellTest(folder, "a.ds", "--review")
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("error: --review asks at a terminal"))
  }
}
