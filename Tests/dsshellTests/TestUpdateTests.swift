import Foundation
import Glibc
import Testing

@Suite struct TestUpdateTests {
  @Test func anUpdateIsReportedAndASecondChangesNothing() throws {
    let folder = try TemporaryFolder()
    try folder.write("x.ds", "print [1, 2]\n#~ [{int}, 3]\nprint 4\n#| 5\n")
    let first = try dsshellTest(folder, "x.ds", "--update")
    #expect(first.output.hasSuffix("updated 2 lines in 1 file, 1 hole kept\n"))
    #expect(first.status == 0)
    let text = "print [1, 2]\n#~ [{int}, 2]\nprint 4\n#| 4\n"
    #expect(try folder.read("x.ds") == text)
    let second = try dsshellTest(folder, "x.ds", "--update")
    #expect(second.output == "1 file, 1 section: 1 passed in T\nnothing to update\n")
    #expect(try folder.read("x.ds") == text)
  }

  @Test func aDryRunPrintsAPatchAndWritesNothing() throws {
    let folder = try TemporaryFolder()
    let text = "print 4\n#| 5\nprint 6\n#< new.txt\nprint 7\n"
    try folder.write("x.ds", text)
    let shell =
      "cd \(folder.path) && \(try ShellProcess.binary) test x.ds --update --dry-run --fill"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "\(shell) >patch 2>errors; cat x.ds; patch -p0 --quiet <patch"]
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path, "CI": "true"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let before = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && before == text)
    #expect(try folder.read("errors").hasSuffix("\nwould update 3 lines in 2 files\n"))
    #expect(try folder.read("patch").hasPrefix("--- "))
    #expect(
      try folder.read("x.ds") == "print 4\n#| 4\nprint 6\n#< new.txt\nprint 7\n#| 7\n")
    #expect(try folder.read("new.txt") == "6\n")
    #expect(try dsshellTest(folder, "x.ds").status == 0)
  }

  @Test func temporaryFilesOfKilledUpdatesAreRemoved() throws {
    let folder = try TemporaryFolder()
    try folder.write("x.ds", "print 1\n#| 2\n")
    // No process has this number.
    for name in ["x.ds.999999999.new", "x.ds.new", "x.ds.1.new"] { try folder.write(name, "") }
    #expect(try dsshellTest(folder, "x.ds", "--update").status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.filter { $0.hasSuffix(".new") }.sorted() == ["x.ds.1.new", "x.ds.new"])
  }

  @Test func filesOfTheSuiteAreNotReplacedByOutput() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.ds", "print 0\n#| 0\n")
    try folder.write("data.csv", "n,name\n1,Pie\n")
    try folder.write("script.ds", "print 1\n#< a.ds\n")
    try folder.write("own.ds", "print 1\n#< own.ds\n")
    try folder.write("data.ds", "let l = load data.csv\n#...\nprint 1\n#< data.csv\n")
    for (name, reason) in [
      ("script.ds", "`a.ds` is a script; name another file"),
      ("own.ds", "`own.ds` is a script; name another file"),
      ("data.ds", "`data.csv` is read by a command of the script; name another file"),
    ] {
      let result = try dsshellTest(folder, name, "--update")
      #expect(
        result.output.contains("\(name) was not updated: \(reason) for the expected lines\n"))
      #expect(result.status == 1)
    }
    #expect(try folder.read("a.ds") == "print 0\n#| 0\n")
    #expect(try folder.read("data.csv") == "n,name\n1,Pie\n")
  }

  @Test func scriptsShareASideFileOnlyWithTheSameOutput() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.ds", "print 1\n#< s.txt\n")
    try folder.write("b.ds", "print 2\n#< s.txt\n")
    for text in [nil, "1\n"] {
      if let text { try folder.write("s.txt", text) }
      let result = try dsshellTest(folder, "a.ds", "b.ds", "--update")
      #expect(result.status == 1)
      #expect(
        result.output.contains(
          "b.ds was not updated: `s.txt` would be wrong for a.ds:2, which also names it; give each"
            + " script its own file\n"))
    }
    #expect(try folder.read("s.txt") == "1\n")
    try folder.write("b.ds", "print 1\n#< s.txt\n")
    try folder.write("s.txt", "3\n")
    #expect(try dsshellTest(folder, "a.ds", "b.ds", "--update").status == 0)
    #expect(try dsshellTest(folder, "a.ds", "b.ds").status == 0)
  }

  @Test func expectationsOfCommandsWithoutAnyAreFilled() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "x.ds", "print 1\n\nlet l = simple [a]\nprint 2\n#- 3\nexpect 1 == 2\nprint 4\n#| 4\n")
    let result = try dsshellTest(folder, "x.ds", "--update", "--fill")
    #expect(result.status == 1)
    #expect(
      try folder.read("x.ds")
        == "print 1\n#| 1\n\nlet l = simple [a]\n#| l: 1 section, 1 object\nprint 2\n#- 3\n"
        + "expect 1 == 2\nprint 4\n#| 4\n")
    for options in [["--fill"], ["--dry-run"], ["--review", "--update"]] {
      let process = try TestProcess(folder, arguments: ["x.ds"] + options, environment: [:])
      #expect(try process.finish().status == 2)
    }
  }

  /// Two processes update the same scripts at once: each script has the output of one of them.
  @Test func simultaneousUpdatesLeaveWholeScripts() throws {
    let folder = try TemporaryFolder()
    let names = (0..<30).map { "s\($0).ds" }
    for name in names { try folder.write(name, "print 1\n#| 2\nprint 3\n#< \(name).txt\n") }
    let runs = try (0..<3).map { _ in
      try TestProcess(folder, arguments: names + ["--update"], environment: [:])
    }
    for run in runs {
      let result = try run.finish()
      #expect([0, 1].contains(result.status), "\(result.errors)")
    }
    for name in names {
      #expect(try folder.read(name) == "print 1\n#| 1\nprint 3\n#< \(name).txt\n")
      #expect(try folder.read(name + ".txt") == "3\n")
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.filter { $0.hasSuffix(".new") } == [])
  }

  @Test func updatesAreDisabledInContinuousIntegration() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("x.ds", "print 4\n#| 5\n")
    let result = try dsshell("test", path, "--update", environment: ["CI": "true"])
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("error: updates are disabled where CI is set"))
    #expect(try folder.read("x.ds") == "print 4\n#| 5\n")
  }

  @Test func aFullDiskLeavesTheScriptUnchanged() throws {
    let folder = try TemporaryFolder()
    let text = "print 4\n#| 5\n" + String(repeating: "# a comment of some length\n", count: 2000)
    let path = try folder.write("x.ds", text)
    // A limit on the size of files simulates a full disk; the script is larger.
    let result = try limited("64", path)
    #expect(result.status == 1)
    #expect(result.output.contains("was not updated: cannot write"))
    #expect(try folder.read("x.ds") == text)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["x.ds"])
  }

  @Test func aFullDiskLeavesTheSideFilesUnchanged() throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "a line of some length\n", count: 3000)
    try folder.write("a.txt", "")
    try folder.write("b.txt", "\u{FEFF}" + long)
    try folder.write("long.csv", "name\n" + long)
    let script = "print 4\n#< a.txt\nload long.csv\nmode csv\nobjects long\n#< b.txt\n"
    let path = try folder.write("x.ds", script)
    let result = try limited("64", path)
    #expect(result.status == 1)
    #expect(result.output.contains("was not updated: cannot write"))
    #expect(try folder.read("a.txt") == "" && folder.read("b.txt") == "\u{FEFF}" + long)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["a.txt", "b.txt", "long.csv", "x.ds"])
  }

  /// Updates a script in a process whose files are limited to some blocks.
  private func limited(_ blocks: String, _ path: String) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // Without the variables of these tests, which may run where updates are refused.
    process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
    process.arguments = [
      "-c", "ulimit -f \(blocks); exec \"$0\" test \"$1\" --update", try ShellProcess.binary, path,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }

  @Test func concurrentUpdatesLeaveAWholeScript() throws {
    let old = "print 1\n#| 2\nprint 3; print 4\n#< side.txt\nprint [5, 6]\n#~ [{int}, 7]\n"
    let new = "print 1\n#| 1\nprint 3; print 4\n#< side.txt\nprint [5, 6]\n#~ [{int}, 6]\n"
    var updates = 0
    for round in 0..<12 {
      let folder = try TemporaryFolder()
      try folder.write("x.ds", old)
      try folder.write("side.txt", "old\n")
      let flags = O_WRONLY | O_CREAT | O_TRUNC
      let processes = try ["1", "2"].map { name in
        try ShellProcess(
          ["test", folder.path + "/x.ds", "--update"],
          environment: ["XDG_CACHE_HOME": folder.path + "/cache"],
          streams: [
            .file("/dev/null", flags: O_RDONLY), .file(folder.path + "/out\(name)", flags: flags),
            .file(folder.path + "/err\(name)", flags: flags),
          ])
      }
      // At any time the file holds one of the two texts, whole.
      var seen: Set<String> = []
      for _ in 0..<200 {
        seen.insert(try folder.read("x.ds"))
        usleep(500)
      }
      for process in processes { _ = process.wait() }
      #expect(seen.isSubset(of: [old, new]), "round \(round)")
      #expect(try folder.read("x.ds") == new && folder.read("side.txt") == "3\n4\n")
      let outputs = try ["out1", "out2"].map { try folder.read($0) }
      let written = outputs.filter { $0.hasSuffix("updated 4 lines in 2 files, 1 hole kept\n") }
      // The other update was refused, or began so late that everything was as expected.
      let others = outputs.filter { text in
        [
          "the script changed since it was run", "another update of the script is in progress",
          "nothing to update",
          "side.txt` changed since",
        ]
        .contains { text.contains($0) }
      }
      #expect(written.count == 1 && others.count == 1, "round \(round): \(outputs)")
      updates += written.count
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(!left.contains { $0.hasSuffix(".new") })
    }
    #expect(updates == 12)
  }
}
