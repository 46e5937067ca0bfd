import Foundation
import Glibc
import Testing

/// Options of `dsshell test` that select sections and run them again.
@Suite struct TestSuiteTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "a.ds",
      "#% set rows = 3\n#% section \"fast\"\nprint rows\n#| 3\n"
        + "#% section \"late\"\n#% tags slow, files\nprint 1\n#| 1\n")
    try folder.write("b.ds", "#% each file in *.csv\nprint file\n#~ {*}.csv\n")
    try folder.write("x.csv", "n\n1\n")
    try folder.write("y.csv", "n\n1\n")
  }

  @Test func theSelectedSectionsAreListed() throws {
    let all = try dsshellTest(folder, "a.ds", "b.ds", "--list")
    #expect(
      all.output == "a.ds:2  fast\na.ds:5  late  [slow, files]\nb.ds    x.csv\nb.ds    y.csv\n")
    #expect(all.status == 0)
    let tagged = try dsshellTest(folder, ".", "--list", "--tag", "slow", "--report", "jsonl")
    #expect(
      tagged.output.hasSuffix(
        #"a.ds","section":"late","line":5,"tags":["slow","files"]}"# + "\n"))
    #expect(try dsshellTest(folder, "a.ds:3", "--list").output == "a.ds:2  fast\n")
  }

  @Test func sectionsAreSelectedByTags() throws {
    #expect(
      try dsshellTest(folder, "a.ds", "--exclude", "slow").output
        == "1 file, 1 section: 1 passed in T\n")
    #expect(
      try dsshellTest(folder, "b.ds", "--filter", "y.csv").output
        == "1 file, 1 section: 1 passed in T\n")
    let none = try dsshellTest(folder, "a.ds", "--tag", "none")
    #expect(none.status == 4)
    #expect(none.errors == "error: no section of `a.ds` has the tag `none`\n")
    #expect(
      try dsshellTest(folder, "a.ds", "--filter", "x", "--tag", "y", "--tag", "z").errors
        == "error: no section of `a.ds` has `x` in its name and the tag `y` or `z`\n")
    #expect(
      try dsshellTest(folder, "a.ds", "--exclude", "a").errors
        == "error: `--exclude a` leaves out all sections of `a.ds`\n")
  }

  @Test func aValueIsSet() throws {
    let result = try dsshellTest(folder, "a.ds", "--set", "rows=4")
    #expect(result.status == 1 && result.output.contains("+ 4      actual"))
    #expect(result.output.contains("     rerun dsshell test --set 'rows=4' a.ds:3\n"))
    #expect(!result.output.contains("accept"))
    let strict = try dsshellTest(folder, "a.ds", "--set", "rows=4", "--strict")
    #expect(strict.output.contains("rerun dsshell test --strict --set 'rows=4' a.ds:3\n"))
  }

  @Test func aFailedTestIsKeptWhenAFilterLeavesItOut() throws {
    try folder.write("f.ds", "#% section \"one\"\nexpect 1 == 2\n#% section \"two\"\nprint 2\n")
    #expect(try dsshellTest(folder, "f.ds").status == 1)
    #expect(try dsshellTest(folder, "f.ds", "--filter", "two").status == 0)
    #expect(try dsshellTest(folder, "--failed").output.contains("f.ds:2 › one\n"))
  }

  @Test(arguments: [1, 2, 3, 7])
  func theSmallestSeedThatFailsIsTheSameWithEveryNumberOfWorkers(jobs: Int) throws {
    // Passes only if `b` has ended when the fetch of `m` reaches it.
    try folder.write(
      "race.ds",
      #"""
      #% write a.json "[{\"id\": 1}, {\"id\": 2}]\n"
      #% write b.json "[{\"id\": 3}]\n"
      stub http://x.test/a a.json
      stub http://x.test/b b.json
      let a = load http://x.test/a
      let b = load http://x.test/b
      let m = multi a b
      fetch a async: true
      fetch b async: true
      fetch m async: true
      wait
      expect (events m).event == ["will", "partial", "finished"]

      """#)
    func explore(_ count: UInt64) throws -> String {
      try dsshellTest(folder, "race.ds", "--explore", "\(count)", "--jobs", "\(jobs)").output
    }
    let found = try explore(300)
    let seed = try #require(found.firstMatch(of: /SEED race.ds: fails under --seed (\d+)/))
    let smallest = try #require(UInt64(seed.1))
    // Not only in the first part, and found by running one seed after another.
    #expect(smallest > 1)
    #expect(try explore(smallest - 1).contains("1 passed"))
    #expect(
      try dsshellTest(folder, "race.ds", "--seed", "\(smallest)").status == 1)
  }

  @Test func manySeedsWithALongTimeLimitCanBeExplored() throws {
    try folder.write("c.ds", "expect 1 == 2\n")
    let result = try dsshellTest(folder, "c.ds", "--explore", "1000000", "--timeout", "86400")
    #expect(result.status == 1 && result.output.contains("SEED c.ds: fails under --seed 1"))
  }

  @Test(arguments: [
    ("rows", "`--set rows` has no value; write `--set rows=100`"),
    ("row=1", "no script reads `row`, the name in `--set row=…`; did you mean `rows`?"),
    ("nothing=1", "no script reads `nothing`, the name in `--set nothing=…`"),
    ("=1", "`--set =1` has no name; write `--set NAME=VALUE`, such as `--set rows=100`"),
    ("3=rows", "`3` is not a name; write `--set NAME=VALUE`, such as `--set rows=100`"),
    ("rows=", "`--set rows=` has no value; write `--set 'rows=\"\"'` for the empty string"),
    ("rows=[1", "`[1` is not a constant, such as 100, true, Pie or \"Apple pie\""),
  ])
  func aMistakeInAValueIsBadUsage(option: String, message: String) throws {
    let result = try dsshellTest(folder, "a.ds", "--set", option)
    #expect(result.status == 2 && result.output == "")
    #expect(result.errors == "error: \(message)\n")
  }

  @Test(arguments: [
    ["--slowest", "0"], ["--tag", "a b"], ["--list", "--watch"], ["--watch", "--update"],
    ["--list", "--report", "tap"], ["--update", "--set", "rows=4"],
  ])
  func badUsageIsTwo(arguments: [String]) throws {
    let environment = ["XDG_CACHE_HOME": folder.path + "/cache"]
    let result = try TestProcess(
      folder, arguments: ["a.ds"] + arguments, environment: environment
    ).finish()
    #expect(result.status == 2 && result.output == "" && !result.errors.isEmpty)
  }

  @Test func strictScriptsExpectEverything() throws {
    try folder.write("c.ds", "print 1\n")
    #expect(try dsshellTest(folder, "c.ds").status == 0)
    #expect(try dsshellTest(folder, "c.ds", "--strict").status == 1)
  }

  @Test func theCoverageIsWrittenBelowTheReport() throws {
    try folder.write(
      "c.ds",
      """
      let foods = simple [{name: Pie, n: 1}, {name: Tea, n: 2}] | fetch
      expect foods[0, 1].name == "Tea"
      """)
    #expect(
      try dsshellTest(folder, "c.ds", "a.ds", "--coverage").output == """
        2 files, 3 sections: 3 passed in T
        coverage:
          c.ds
            foods: 1 of 2 rows, 1 of 1 section, 1 of 2 keys; not n
            nothing expects the output of line 1: let foods = simple [{name: Pie, n: 1}, {name: Tea, n: 2}] | fetch
          1 file: 1 of 2 rows, 1 of 1 section, 1 of 2 keys asserted; nothing expects the output of 1 command

        """)
  }

  @Test func theSlowestSectionsAreListed() throws {
    let output = try dsshellTest(folder, "a.ds", "b.ds", "--slowest", "3").output
    let lines = output.split(separator: "\n").dropFirst()
    #expect(lines.first == "slowest sections:")
    #expect(lines.count == 4)
  }

  @Test func aCrashIsAttributedToTheFileOfTheRun() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/pipes", withIntermediateDirectories: true)
    try folder.write("pipes/x.csv", "n\n1\n")
    mkfifo(folder.path + "/pipes/y.csv", 0o600)
    try folder.write("e.ds", "#% each file in *.csv\n#% section \"s\"\nload \"pipes/\\(file)\"\n")
    let process = try TestProcess(
      folder, arguments: ["e.ds", "--jobs", "1"],
      environment: ["XDG_CACHE_HOME": folder.path + "/cache"])
    let pipe = try process.waitForReader(of: "pipes/y.csv")
    process.workers.forEach { kill($0, SIGKILL) }
    let result = try process.finish()
    close(pipe)
    #expect(result.status == 6)
    #expect(result.output.contains("FAIL e.ds:3 › s, y.csv"))
    #expect(result.output.contains("1 file, 2 sections: 1 passed, 1 failed"))
  }

  /// Waits until the output of a process that goes on has a text.
  private func wait(for text: String, in name: String, times: Int = 1) throws {
    for _ in 0..<10_000 {
      let found = try folder.read(name).components(separatedBy: text).count - 1
      if found >= times { return }
      usleep(1000)
    }
    Issue.record("`\(text)` was not written \(times) times")
  }

  @Test func scriptsWhoseFilesChangeRunAgain() throws {
    try folder.write("foods.csv", "n\n1\n")
    try folder.write("c.ds", "count (load foods.csv)\n#| 1\n")
    try folder.write("setup.ds", "print 1\n")
    try folder.write("d.ds", "#% before setup.ds\nprint 2\n#| 2\n")
    let process = try TestProcess(
      folder, arguments: ["c.ds", "d.ds", "--watch"],
      environment: ["XDG_CACHE_HOME": folder.path + "/cache"])
    try wait(for: "Ctrl-C ends", in: "errors")
    #expect(try folder.read("output").contains("2 files, 2 sections: 2 passed"))
    try folder.replace("foods.csv", "n\n1\n2\n")
    try wait(for: "Ctrl-C ends", in: "errors", times: 2)
    #expect(try folder.read("output").contains("1 file, 1 section: 0 passed, 1 failed"))
    try folder.replace("setup.ds", "expect 1 == 2\n")
    try wait(for: "Ctrl-C ends", in: "errors", times: 3)
    #expect(try folder.read("output").contains("it runs before the section of line 2"))
    try folder.replace("c.ds", "count (load foods.csv)\n#| 2\n")
    try wait(for: "Ctrl-C ends", in: "errors", times: 4)
    kill(process.process.identifier, SIGINT)
    let result = try process.finish()
    #expect(result.status == 130)
    #expect(result.output.components(separatedBy: "1 file, 1 section: ").count == 4)
  }
}
