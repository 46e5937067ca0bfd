import Glibc
import Testing

@Suite struct RecordingProcessTests {
  @Test(arguments: ["\u{4}", "quit\r"]) func leavingThePromptEndsTheRecording(leave: String) throws
  {
    let folder = try TemporaryFolder()
    let session = try recording(in: folder)
    session.type("print 5\r")
    try session.expect("\r\n5\r\n")
    session.type(leave)
    try session.expect("recorded \(leave == "quit\r" ? "2 commands" : "1 command") in ")
    #expect(try session.end().status == 0)
  }

  @Test func outputThatDependsOnTheProcessBecomesAHole() throws {
    let folder = try TemporaryFolder()
    let session = try recording(in: folder)
    // Variables end with a NUL; the position of the first one depends on the environment of the
    // process.
    session.type("load /proc/self/environ format: csv\r")
    try session.expect(" is NUL\r\n")
    session.type("record off\r")
    try session.expect("recorded 1 command in \(folder.path)/r.ds, 1 hole\r\n")
    session.type("\u{4}")
    #expect(try session.end().status == 0)
    #expect(
      try folder.read("r.ds") == """
        #!/usr/bin/env dsshell
        load /proc/self/environ format: csv
        #! error: not a text file: byte {int} is NUL

        """)
  }

  @Test func aRecordingThatCannotBeWrittenLeavesNoFile() throws {
    let folder = try TemporaryFolder()
    let null = ShellProcess.Stream.file("/dev/null", flags: O_RDWR)
    let process = try ShellProcess(
      program: "/bin/sh",
      [
        "-c", "ulimit -f 0; exec \"$0\" -c \"record \\\"$1\\\"; print 1\"",
        ShellProcess.binary, folder.path + "/r.ds",
      ],
      environment: [:], streams: [null, null, null])
    #expect(process.wait() == 1)
    #expect(access(folder.path + "/r.ds", F_OK) != 0)
  }

  @Test func outputThatDependsOnTheClockBecomesAHole() throws {
    let folder = try TemporaryFolder()
    let session = try recording(in: folder)
    session.type("timer on\r")
    try session.expect("ds> ")
    session.type("print 1\r")
    try session.expect(" ms\r\n")
    session.type("timer off\r")
    try session.expect("ds> ")
    session.type("record off\r")
    try session.expect("recorded 3 commands in \(folder.path)/r.ds, 1 hole\r\n")
    session.type("\u{4}")
    #expect(try session.end().status == 0)
    #expect(
      try folder.read("r.ds")
        == "#!/usr/bin/env dsshell\ntimer on\nprint 1\n#| 1\n#! {num} ms\ntimer off\n")
    #expect(try dsshellTest(folder, "r.ds").status == 0)
  }

  /// A session that records to `r.ds`.
  private func recording(in folder: TemporaryFolder) throws -> TerminalSession {
    let session = try TerminalSession.prompt(in: folder, width: 200)
    session.type("record \(folder.path)/r.ds\r")
    try session.expect("until `record off`\r\n")
    return session
  }
}
