import Foundation
import Glibc
import Testing

/// Destinations of reports.
@Suite struct TestReportTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("a.ds", "print 1\n#| 1\n")
    try folder.write("b.ds", "print 1\n#| 2\n")
  }

  @Test(arguments: [
    ("human", "1 file, 1 section: 0 passed, 1 skipped in T"),
    ("tap", "# SKIP not available: postgres"),
    ("junit", "skipped=\"1\""), ("jsonl", "\"skipped\":1"),
    ("github", "1 file, 1 section: 0 passed, 1 skipped in T"),
  ])
  func aScriptWithoutItsServerIsSkipped(report: String, text: String) throws {
    try folder.write("x.ds", "#% require postgres\nprint 1\n")
    for (address, isSkipped) in [("", true), ("postgres://127.0.0.1:1/x", false)] {
      let process = try TestProcess(
        folder, arguments: ["x.ds", "--report", report],
        environment: ["DSSHELL_TEST_POSTGRES": address])
      let result = try process.finish()
      #expect(result.output.contains(text) == isSkipped)
      #expect(result.status == 0)
    }
  }

  @Test func aFIFOIsWrittenTo() throws {
    let path = folder.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    let result = try dsshellTest(folder, "a.ds", "--report", "tap=\(path)")
    #expect(result.status == 0)
    var bytes: [UInt8] = Array(repeating: 0, count: 4096)
    let count = read(reader, &bytes, bytes.count)
    #expect(
      String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).hasPrefix("TAP version 14"))
    var facts = stat()
    #expect(stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO)
  }

  @Test func anOpenStreamKeepsItsContent() throws {
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "/proc/self/fd/1")
    for target in ["/dev/stdout", link] {
      let result = try dsshellTest(folder, "a.ds", "--report", "tap=\(target)", "--report", "human")
      #expect(result.output.hasPrefix("1 file, 1 section: 1 passed in T\nTAP version 14\n"))
      #expect(result.status == 0)
    }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/proc/self/fd/1")
  }

  @Test func twoReportsInOneFileAreAnError() throws {
    let path = folder.path + "/r"
    let other = folder.path + "/./r"
    let result = try dsshellTest(
      folder, "a.ds", "--report", "tap=\(path)", "--report", "junit=\(other)")
    #expect(result.status == 2)
    #expect(result.errors.contains("Two reports are written to one file"))
  }

  @Test func outputForProgramsContainsOnlyTheReport() throws {
    let result = try dsshellTest(folder, "b.ds", "--report", "jsonl", "--update")
    #expect(result.output.split(separator: "\n").allSatisfy { $0.hasPrefix("{") })
    #expect(result.errors == "updated 1 line in 1 file\n")
    let lost = try dsshellTest(folder, "a.ds", "--report", "tap=\(folder.path)/none/r")
    #expect(lost.output == "1 file, 1 section: 1 passed in T\n")
    #expect(lost.errors.hasPrefix("error: the tap report was not written: "))
    #expect(lost.status == 1)
  }

  /// Runs `dsshell test` with a given standard output.
  private func run(_ arguments: [String], output: ShellProcess.Stream) throws -> ShellResult {
    try dsshell(
      ["test"] + arguments.map { TestProcess.path($0, in: folder) },
      environment: ["XDG_CACHE_HOME": folder.path + "/cache"], output: output)
  }

  private static let full = ShellProcess.Stream.file("/dev/full", flags: O_WRONLY)

  @Test(arguments: ["human", "tap", "junit", "jsonl", "github"])
  func aReportThatCannotBeWrittenIsAFailure(report: String) throws {
    for (output, reason) in [
      (Self.full, "No space left on device"), (.closed, "Bad file descriptor"),
    ] {
      let result = try run(["a.ds", "--report", report], output: output)
      #expect(result.status == 1)
      #expect(
        result.errors
          == "error: the \(report) report was not written to standard output: \(reason)\n")
    }
    let file = try dsshellTest(folder, "a.ds", "--report", "\(report)=/dev/full")
    #expect(file.status == 1)
    #expect(
      file.errors
        == "error: the \(report) report was not written: cannot write `/dev/full`: "
        + "No space left on device\n")
  }

  @Test func eachReportThatCannotBeWrittenHasItsError() throws {
    let result = try run(
      ["a.ds", "--report", "tap", "--report", "human", "--report", "junit=/dev/full"],
      output: Self.full)
    #expect(result.status == 1)
    let reason = "No space left on device"
    #expect(
      result.errors == """
        error: the tap report was not written to standard output: \(reason)
        error: the human report was not written to standard output: \(reason)
        error: the junit report was not written: cannot write `/dev/full`: \(reason)

        """)
  }

  @Test(arguments: [("c.ds", 3), ("c.ds:9", 3), ("d.ds:1", 4)])
  func aMoreSeriousStatusIsKept(name: String, status: Int32) throws {
    try folder.write("c.ds", "print [\n")
    try folder.write("d.ds", "# A comment.\nprint 1\n#| 1\n")
    #expect(try run([name], output: Self.full).status == status)
  }

  @Test func aFullDiskIsAFailureAndLeavesNoFile() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
    // A limit on the size of files simulates a full disk; the title makes the report larger.
    let title = String(repeating: "a long title ", count: 12_000)
    try folder.write("a.ds", "#% section \"\(title)\"\nprint 1\n#| 1\n")
    process.arguments = [
      "-c", "ulimit -f 64; exec \"$0\" test \"$1\" --report junit=\"$2\"",
      try ShellProcess.binary, folder.path + "/a.ds", folder.path + "/report.xml",
    ]
    process.standardOutput = Pipe()
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 1)
    #expect(text.contains("error: ") && text.contains("File too large"), "\(text)")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/report.xml"))
  }

  @Test func anUpdateAndACheckThatCannotBeReportedAreFailures() throws {
    let update = try run(["b.ds", "--update"], output: Self.full)
    #expect(update.status == 1)
    #expect(
      update.errors
        == "error: the human report was not written to standard output: No space left on device\n")
    #expect(try folder.read("b.ds") == "print 1\n#| 1\n")
    // A report that fails elsewhere does not hide that standard output failed too.
    let file = try run(["b.ds", "--update", "--report", "junit=/dev/full"], output: Self.full)
    #expect(file.errors.contains("the junit report was not written"))
    #expect(file.errors.contains("the human report was not written to standard output"))
    try folder.write("e.ds", "print 1\n#|1\n")
    let check = try run(["e.ds", "--check-only"], output: Self.full)
    #expect(check.status == 1)
    #expect(
      check.errors
        == "error: the warnings were not written to standard output: No space left on device\n")
  }

  @Test(arguments: [("a.ds", 0), ("b.ds", 1)])
  func aReaderThatClosesItsPipeIsNotAnError(name: String, status: Int32) throws {
    let pipe = try ShellProcess.pipeWithoutReader()
    defer { close(pipe) }
    let result = try run([name, "--report", "tap"], output: .descriptor(pipe))
    #expect(result.status == status && result.errors == "")
  }
}
