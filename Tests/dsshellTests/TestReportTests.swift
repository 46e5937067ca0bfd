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
      String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).hasPrefix("TAP version 13"))
    var facts = stat()
    #expect(stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO)
  }

  @Test(arguments: ["human", "tap", "junit", "jsonl", "github", "html"])
  func onlyEarlierReportsAreReplaced(report: String) throws {
    try folder.write("data.csv", "n,name\n1,a\n")
    for name in ["a.ds", "data.csv"] {
      let before = try folder.read(name)
      let result = try dsshellTest(folder, "a.ds", "--report", "\(report)=\(folder.path)/\(name)")
      #expect(
        result.errors
          == "error: the \(report) report would replace `\(name)`, which is not a report; name"
          + " another file\n")
      #expect(result.status == 2 && result.output.isEmpty)
      #expect(try folder.read(name) == before)
    }
    let path = folder.path + "/report"
    try folder.write("report", "")
    for script in ["a.ds", "b.ds", "a.ds"] {
      let result = try dsshellTest(folder, script, "--report", "\(report)=\(path)")
      #expect(result.status == (script == "b.ds" ? 1 : 0), "\(result.errors)")
    }
    // Another format replaces it, too.
    #expect(try dsshellTest(folder, "a.ds", "--report", "tap=\(path)").status == 0)
  }

  @Test func standardOutputHasOneReport() throws {
    for reports in [["tap", "tap"], ["human", "tap"]] {
      let options = reports.flatMap { ["--report", $0] }
      let result = try TestProcess(folder, arguments: ["a.ds"] + options, environment: [:]).finish()
      #expect(result.status == 2)
      #expect(result.errors.contains("write one to a file, as in `--report tap=FILE`"))
    }
  }

  @Test func theFolderOfAReportMayBeMissing() throws {
    let result = try dsshellTest(folder, "a.ds", "--report", "junit=\(folder.path)/no/r.xml")
    #expect(
      result.errors.hasSuffix("cannot write `no/r.xml`: the folder `no` does not exist\n"))
    #expect(result.status == 1)
  }

  /// The failure of an attached script is at its line.
  @Test func reportsNameTheScriptThatFailed() throws {
    try folder.write("setup.ds", "print 1\nprint z\n")
    try folder.write("m.ds", "#% section \"one\"\n#% before setup.ds\nprint 2\n")
    let github = try dsshellTest(folder, "m.ds", "--report", "github")
    #expect(github.output.contains("::error file=setup.ds,line=2,title=one::"))
    let tap = try dsshellTest(folder, "m.ds", "--report", "tap")
    #expect(tap.output.contains("  - at: \"\(folder.path)/setup.ds:2\"".without(folder)))
    let lines = try dsshellTest(folder, "m.ds", "--report", "jsonl")
    #expect(lines.output.contains("{\"path\":\"setup.ds\",\"line\":2,"))
    let update = try dsshellTest(folder, "m.ds", "--update")
    #expect(update.output.contains("m.ds was not updated: setup.ds:2: "))
  }

  @Test func theHTMLReportHasFailuresAndPictures() throws {
    try folder.write(
      "p.ds",
      "let l = simple [{n: \"<b>\"}, {n: 2}]\nplot sections l\n#| wrong\n#% section \"<&>\"\nprint 1\n"
    )
    let path = folder.path + "/r.html"
    let result = try dsshellTest(folder, "a.ds", "p.ds", "--report", "html=\(path)")
    #expect(result.status == 1)
    let page = try folder.read("r.html")
    #expect(page.hasPrefix("<!DOCTYPE html>\n<!-- written by dsshell: test -->\n"))
    #expect(page.hasSuffix("</html>\n"))
    #expect(page.contains("<svg") && page.contains("p.ds:2"))
    #expect(page.contains("wrong") && !page.contains("<b>") && page.contains("&lt;&amp;&gt;"))
    #expect(page.contains("2 files, 3 sections: 2 passed, 1 failed"))
  }

  @Test func annotationsAreTheDefaultOnGitHub() throws {
    for (value, isDefault) in [("true", true), ("", false), ("false", false)] {
      let process = try TestProcess(
        folder, arguments: ["b.ds"], environment: ["GITHUB_ACTIONS": value])
      #expect(try process.finish().output.contains("::error file=b.ds,line=1") == isDefault)
    }
    let process = try TestProcess(
      folder, arguments: ["b.ds", "--report", "human"], environment: ["GITHUB_ACTIONS": "true"])
    #expect(try !process.finish().output.contains("::error"))
  }

  private static let prove = "/usr/bin/prove"

  /// Perl's harness reads the report: sections that fail, are skipped, and fail as expected.
  @Test(.enabled("prove is not installed") { access(prove, X_OK) == 0 })
  func proveReadsTheTAPReport() throws {
    try folder.write("c.ds", "#% skip \"not today\"\nprint 1\n")
    try folder.write(
      "d.ds", "print 1\n#| 1\n#% section \"x\"\n#% xfail \"a bug\"\nprint 1\n#| 2\n")
    try folder.write("m.ds", "print 1\n#|1\n")
    let report = folder.path + "/r.tap"
    for (scripts, result, status) in [
      (["a.ds", "c.ds", "d.ds"], "Result: PASS", Int32(0)),
      (["a.ds", "b.ds", "c.ds"], "Result: FAIL", 1), (["c.ds"], "Result: PASS", 0),
      (["m.ds", "a.ds"], "Failed 1/2 subtests", 1),
    ] {
      let run = try TestProcess(
        folder, arguments: scripts + ["--report", "tap=\(report)"], environment: [:])
      _ = try run.finish()
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: Self.prove)
      process.arguments = ["-e", "cat", report]
      (process.standardOutput, process.standardError) = (output, output)
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(text.contains(result), "\(text)")
      #expect(!text.contains("Parse errors"), "\(text)")
      #expect(process.terminationStatus == status, "\(text)")
    }
  }

  @Test func severalFiltersSelectMoreTests() throws {
    try folder.write("s.ds", "#% section \"one\"\nprint 1\n#% section \"two\"\nprint 2\n")
    let result = try dsshellTest(folder, "s.ds", "a.ds", "--filter", "two", "--filter", "a.ds")
    #expect(result.output == "2 files, 2 sections: 2 passed in T\n")
    #expect(result.errors.isEmpty)
    let unused = try dsshellTest(folder, "s.ds", "--filter", "tow", "--filter", "two")
    #expect(unused.status == 0)
    #expect(unused.errors == "warning: no section has `tow` in its name\n")
    #expect(try dsshellTest(folder, "s.ds", "--filter", "").status == 2)
    let none = try dsshellTest(folder, "s.ds", "--filter", "x", "--filter", "y")
    #expect(none.errors == "error: no section of `s.ds` has `x` or `y` in its name\n")
  }

  @Test func anOpenStreamKeepsItsContent() throws {
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "/proc/self/fd/1")
    for target in ["/dev/stdout", link] {
      let result = try dsshellTest(folder, "a.ds", "--report", "tap=\(target)", "--report", "human")
      #expect(result.output.hasPrefix("1 file, 1 section: 1 passed in T\nTAP version 13\n"))
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
      ["a.ds", "--report", "tap", "--report", "junit=/dev/full"],
      output: Self.full)
    #expect(result.status == 1)
    let reason = "No space left on device"
    #expect(
      result.errors == """
        error: the tap report was not written to standard output: \(reason)
        error: the junit report was not written: cannot write `/dev/full`: \(reason)

        """)
  }

  @Test(arguments: [("c.ds", 3), ("c.ds:1", 3), ("d.ds:1", 4)])
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
    try folder.write("e.ds", "print 1\n#| 1 \n")
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
