import Foundation
import Glibc
import TestServer
import Testing

@Suite struct TestCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a", "b", "c", "d", "e"] {
      try folder.write("\(name).ds", "#% section \"\(name)\"\nprint 1\n#| 1\n")
    }
  }

  @Test func aPipeIsNotATest() throws {
    for path in ["/dev/stdin", "/dev/null"] {
      let result = try TestProcess(folder, arguments: [path], environment: [:]).finish()
      #expect(result.errors == "error: cannot read `\(path)`: it is not a regular file\n")
      #expect(result.status == 2)
    }
  }

  @Test func aLineBehindTheEndIsNotSelected() throws {
    for line in [1, 2, 3, 4] { #expect(try dsshellTest(folder, "a.ds:\(line)").status == 0) }
    let result = try dsshellTest(folder, "b.ds", "a.ds:5")
    #expect(result.errors == "error: cannot read `a.ds:5`: the file has 3 lines\n")
    #expect(result.status == 2)
  }

  @Test func aSelectedSectionThatDoesNotRunIsAFailure() throws {
    try folder.write("q.ds", "print 0\nquit\n#% section \"one\"\nprint 1\n#| 2\n")
    for arguments in [["q.ds", "--filter", "one"], ["q.ds:4"], ["q.ds"]] {
      let result = try TestProcess(folder, arguments: arguments, environment: [:]).finish()
      #expect(result.status == 1)
      #expect(result.output.contains("the script quits here; 1 command below it would never run"))
    }
    let tap = try dsshellTest(folder, "q.ds", "--filter", "one", "--report", "tap")
    #expect(tap.status == 1 && tap.output.contains("\nnot ok 1 - q.ds\n"))
  }

  /// The printed commands have what determines the result.
  @Test func aFailureIsRepeatedWithItsArgumentsAndTimeLimit() throws {
    try folder.write("x.ds", "print args\n#| x\n")
    let process = try TestProcess(
      folder, arguments: ["x.ds", "--timeout", "2", "--", "5 6", "7"], environment: [:])
    #expect(
      try process.finish().output.contains(
        "     rerun dsshell test --timeout 2 x.ds:1 -- '5 6' 7"
          + "     accept dsshell test --timeout 2 x.ds --update -- '5 6' 7\n"))
  }

  @Test func passedSectionsAreCounted() throws {
    let result = try dsshellTest(folder, ".")
    #expect(result.output == "5 files, 5 sections: 5 passed in T\n")
    #expect(result.status == 0 && result.errors == "")
  }

  @Test(arguments: [
    ("print 1\n#| 2\n", 1), ("print [\n", 3), ("", 4), ("# nothing\n", 4),
    ("print 1\n#| {unknown}\n", 0), ("print 1\n#~ {unknown}\n", 3), ("#% sectoin \"x\"\n", 3),
    ("expect 1 == 2\n", 1), ("quit 3\n", 1), ("#% cassette \"x.ds\"\nprint 1\n", 3),
  ])
  func theResultDeterminesTheStatus(script: String, status: Int32) throws {
    let hasMismatch = script == "print 1\n#| {unknown}\n"
    try folder.write("x.ds", script)
    #expect(try dsshellTest(folder, "x.ds").status == (hasMismatch ? 1 : status))
  }

  @Test(arguments: [
    [], ["--bad"], ["a.ds", "--jobs", "0"], ["a.ds", "--shard", "3/2"],
    ["a.ds", "--retries", "-1"],
    ["a.ds", "--report", "xml"], ["a.ds", "--report", "junit="], ["a.ds", "--timeout", "0"],
    ["/nonexistent/a.ds"], ["a.ds", "--shuffle=x"], ["--worker", "{}"],
  ])
  func badUsageIsTwo(arguments: [String]) throws {
    let all = arguments + ["", "", ""]
    let result =
      switch arguments.count {
      case 0: try dsshellTest(folder)
      case 1: try dsshellTest(folder, all[0])
      case 2: try dsshellTest(folder, all[0], all[1])
      default: try dsshellTest(folder, all[0], all[1], all[2])
      }
    #expect(result.status == 2)
    #expect(result.output == "" && !result.errors.isEmpty)
  }

  @Test func aFilterWithoutMatchesIsAnError() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/empty.ds", withIntermediateDirectories: true)
    #expect(try dsshellTest(folder, "empty.ds").status == 4)
    try folder.write("none.md", "# A guide\n\n```sh\nls\n```\n")
    #expect(try dsshellTest(folder, "none.md").status == 4)
    let result = try dsshellTest(folder, "a.ds", "--filter", "nothing")
    #expect(result.status == 4)
    #expect(
      result.errors == "error: no section of `a.ds` has `nothing` in its name\n")
    #expect(try dsshellTest(folder, "--failed").status == 4)
  }

  @Test func anUnreadableScriptIsAnError() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/lost.ds", withDestinationPath: folder.path + "/nowhere")
    let result = try dsshellTest(folder, ".")
    #expect(result.status == 3)
    #expect(
      result.output.contains(
        "lost.ds: error: the script cannot be read: cannot open `./lost.ds`: No such file or directory"
      ))
    let alone = try dsshellTest(folder, "lost.ds", "--update")
    #expect(alone.status == 2)
    #expect(alone.errors == "error: cannot read `lost.ds`: No such file or directory\n")
  }

  @Test func filesWrittenByTestsAreRemoved() throws {
    let temporary = try TemporaryFolder()
    try folder.write(
      "w.ds",
      "record new.ds\n#...\nprint 1\n#| 1\nrecord off\n#~ recorded 1 command in {path}new.ds\n"
        + "source new.ds\n#| 1\n")
    let path = folder.path + "/w.ds"
    let result = try dsshell(
      "test", path, environment: ["TMPDIR": temporary.path, "XDG_CACHE_HOME": folder.path])
    #expect(result.status == 0, "\(result.output)")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/new.ds"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
  }

  @Test func waitingForAServerUsesTheVirtualClock() throws {
    let server = try FaultServer()
    defer { server.stop() }
    // Longer than the time limit of a command.
    try folder.write(
      "h.ds",
      """
      #% require http
      let r = remote \(server.url)/busy?after=20 timeout: 60
      timer on
      fetch r
      #~ r: 1 section, {int} objects, JSON{*}
      #! 20000.0 ms

      """)
    let result = try dsshellTest(folder, "h.ds")
    #expect(result.output == "1 file, 1 section: 1 passed in T\n")
    #expect(server.targets == ["/busy?after=20", "/busy?after=20"])
  }

  @Test func fencesOfMarkdownAreTests() throws {
    try folder.write("guide.md", "# A guide\n\n```ds\nprint 1\n#| 2\n```\n")
    let result = try dsshellTest(folder, "guide.md")
    #expect(result.output.hasPrefix("FAIL guide.md:4 › A guide\n"))
    #expect(result.status == 1)
  }

  @Test func aLineIsRunAlone() throws {
    try folder.write("x.ds", "print 1\n#| 2\n#% section \"s\"\nprint 3\n#| 3\n")
    #expect(try dsshellTest(folder, "x.ds:4").status == 0)
    #expect(try dsshellTest(folder, "x.ds:1").status == 1)
  }

  @Test func aLineWithoutACommandIsAnError() throws {
    try folder.write("x.ds", "# A comment.\nprint 1\n#| 1\n")
    let result = try dsshellTest(folder, "x.ds:1")
    #expect(result.status == 4)
    #expect(
      result.errors
        == "error: no command to check at `x.ds:1`\n")
    #expect(try dsshellTest(folder, "x.ds:3").status == 0)
  }

  @Test func aFilterDoesNotHideSyntaxErrors() throws {
    try folder.write("x.ds", "print [\n")
    let result = try dsshellTest(folder, "x.ds", "--filter", "no such name")
    #expect(result.status == 3)
    #expect(result.output.hasPrefix("x.ds:1:7: error: "))
  }

  @Test func shardsAreAPartition() throws {
    var shown: [String] = []
    for shard in 1...3 {
      let result = try dsshellTest(folder, ".", "--shard", "\(shard)/3", "--report", "jsonl")
      shown += names(in: result.output)
    }
    #expect(shown.sorted() == ["a", "b", "c", "d", "e"])
  }

  @Test func aSeedRepeatsAnOrder() throws {
    let first = try dsshellTest(folder, ".", "--shuffle=7", "--report", "jsonl", "--jobs", "2")
    let second = try dsshellTest(folder, ".", "--shuffle=7", "--report", "jsonl", "--jobs", "1")
    #expect(names(in: first.output) == names(in: second.output))
    #expect(names(in: first.output).sorted() == ["a", "b", "c", "d", "e"])
    let other = try dsshellTest(folder, ".", "--shuffle")
    #expect(other.output.hasPrefix("shuffled with --shuffle="))
  }

  private func names(in report: String) -> [String] {
    report.split(separator: "\n").compactMap { line in
      guard let range = line.range(of: "\"section\":\"") else { return nil }
      return String(line[range.upperBound...].prefix(1))
    }
  }

  @Test func aFailedTestIsListedUntilItPasses() throws {
    try folder.write("b.ds", "print 1\n#| 2\n")
    #expect(try dsshellTest(folder, ".").status == 1)
    #expect(
      try dsshellTest(folder, "--failed").output.hasSuffix(
        "1 file, 1 section: 0 passed, 1 failed in T\n"))
    // A test that was not run remains in the list.
    #expect(try dsshellTest(folder, "a.ds").status == 0)
    try folder.write("b.ds", "print 1\n#| 1\n")
    #expect(try dsshellTest(folder, ".", "--failed").output == "1 file, 1 section: 1 passed in T\n")
    #expect(try dsshellTest(folder, "--failed").status == 4)
  }

  @Test func failFastEndsTheRun() throws {
    try folder.write("a.ds", "print 1\n#| 2\n")
    let result = try dsshellTest(folder, ".", "--fail-fast", "--jobs", "1")
    #expect(
      result.output.hasSuffix("1 file, 1 section: 0 passed, 1 failed in T; 4 files not run\n"))
    #expect(result.status == 1)
  }

  @Test func excessiveOutputIsReported() throws {
    let cell = String(repeating: "0123456789abcdef", count: 1 << 16)
    try folder.write(
      "big.json", "[" + (0..<18).map { "{\"a\": \"\(cell)\($0)\"}" }.joined(separator: ",") + "]")
    try folder.write("x.ds", "mode csv\nload big.json\nobjects big\n")
    let result = try dsshellTest(folder, "x.ds", "--timeout", "100")
    #expect(result.output.contains("the output exceeds 16777216 bytes"))
    #expect(result.output.utf8.count < 2000)
    #expect(result.status == 1)
  }

  @Test func wrongArgumentsAreFoundWithoutRunning() throws {
    try folder.write(
      "x.ds",
      "let x = simple [1]\nsectioned x mode: grups\nsectioned x mode: grups\n#! error: {message}\n")
    let result = try dsshellTest(folder, "x.ds", "--check-only")
    #expect(result.output.hasPrefix("x.ds:2:19: error: unknown mode `grups`; expected runs, "))
    #expect(result.output.contains("did you mean `groups`?"))
    #expect(!result.output.contains("x.ds:3"))
    #expect(result.status == 3)
  }

  @Test func unknownNamesAreFoundWithoutRunning() throws {
    try folder.write(
      "x.ds",
      """
      let letters = simple [1]
      show lettters
      show lettters
      #! error: {message}
      let a = load nosuch.csv
      #! error: {message}
      count a
      #% section "more"
      print (
      #% skip
      drop letters
      #% section "the rest"
      count letters
      """)
    let result = try dsshellTest(folder, "x.ds", "--check-only")
    #expect(result.output.hasPrefix("x.ds:2:6: error: no source named `lettters`"))
    #expect(result.output.contains("did you mean `letters`?"))
    #expect(result.status == 3)
    #expect(result.output.components(separatedBy: "error:").count == 3, "\(result.output)")
  }

  @Test func mistakesAreReportedWithoutRunning() throws {
    try folder.write("x.ds", "print [\n")
    // It ends in white space.
    try folder.write("y.ds", "print 1\n#| 1 \n")
    #expect(try dsshellTest(folder, "a.ds", "--check-only").status == 0)
    let wrong = try dsshellTest(folder, "x.ds", "y.ds", "--check-only")
    #expect(wrong.output.hasPrefix("x.ds:1:7: error: "))
    #expect(wrong.output.contains("y.ds:2:5: warning: "))
    #expect(wrong.status == 3)
    #expect(try dsshellTest(folder, "y.ds", "--check-only").status == 1)
  }
}
