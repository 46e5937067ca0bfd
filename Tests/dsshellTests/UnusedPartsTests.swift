import Foundation
import Testing

/// Parts of a suite that no test uses.
@Suite struct UnusedPartsTests {
  private let folder: TemporaryFolder
  private static let cassette = """
    dsshell cassette 1

    GET http://example.test/a
    < 200
    < Content-Type: application/json
    | [{"n": 1}]

    GET http://example.test/b
    < 200
    < Content-Type: application/json
    | [{"n": 2}]

    """
  private static let warning =
    "shop.cassette:8: warning: no test requests GET http://example.test/b; remove the exchange, or "
    + "record the cassette again\n"
  private static let start = "#% cassette shop.cassette\n"

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("shop.cassette", Self.cassette)
    try folder.write(
      "a.ds",
      Self.start + "let a = remote http://example.test/a | fetch\n#...\n"
        + "print a.numberOfObjects\n#| 1\n")
  }

  private func writeOther(_ text: String = "") throws {
    try folder.write(
      "b.ds", Self.start + text + "let b = remote http://example.test/b | fetch\n")
  }

  @Test func anExchangeWithoutARequestIsReported() throws {
    let result = try dsshellTest(folder, "a.ds")
    #expect(result.output == Self.warning + "1 file, 1 section: 1 passed in T\n")
    #expect(result.status == 0)
    let strict = try dsshellTest(folder, "a.ds", "--strict")
    #expect(strict.output.hasPrefix(Self.warning.replacing("warning", with: "error")))
    #expect(strict.status == 1)
  }

  @Test func anUpdateKeepsUnusedExchanges() throws {
    try folder.write(
      "a.ds",
      Self.start + "let a = remote http://example.test/a | fetch\n#...\n"
        + "print a.numberOfObjects\n#| 2\n")
    #expect(try dsshellTest(folder, "a.ds", "--update").status == 0)
    #expect(try dsshellTest(folder, "a.ds").output.hasPrefix(Self.warning))
    #expect(try folder.read("shop.cassette") == Self.cassette)
  }

  @Test(arguments: ["", "#% skip \"later\"\n", "#% require postgres\n"])
  func anExchangeThatAnotherTestMayRequestIsNotReported(directive: String) throws {
    try writeOther(directive)
    // Also if the other test is not among those that run.
    for arguments in [["a.ds"], ["b.ds"], ["."], ["a.ds", "b.ds", "--explore", "3"]] {
      let result = try TestProcess(
        folder, arguments: arguments, environment: ["XDG_CACHE_HOME": folder.path + "/cache"]
      ).finish()
      #expect(!result.output.contains("warning") && result.status == 0, "\(result.output)")
    }
  }

  @Test(arguments: [
    ["a.ds:2"], ["a.ds", "--filter", "one"], ["a.ds", "--exclude", "two"], ["a.ds"],
  ])
  func onlyTestsThatPassAsAWholeAreJudged(arguments: [String]) throws {
    try folder.write(
      "a.ds",
      Self.start + "let a = remote http://example.test/a | fetch\n#% section \"one\"\nprint 1\n"
        + "#% section \"two\"\nexpect 1 == 2\n")
    let result = try TestProcess(
      folder, arguments: arguments, environment: ["XDG_CACHE_HOME": folder.path + "/cache"]
    ).finish()
    #expect(!result.output.contains("warning"), "\(result.output)")
  }

  @Test func aCassetteThatATestWritesIsNotJudged() throws {
    try folder.write("foods.csv", "n\n1\n")
    try folder.write(
      "a.ds",
      """
      stub http://example.test/c foods.csv
      cassette new.cassette mode: record
      let c = remote http://example.test/c | fetch
      cassette off
      """)
    #expect(!(try dsshellTest(folder, "a.ds").output.contains("warning")))
  }

  @Test func aSideFileThatNoScriptNamesIsReported() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/lines", withIntermediateDirectories: true)
    for name in ["a", "b", "c"] { try folder.write("lines/\(name).txt", "1\n") }
    try folder.write("lines/readme.md", "")
    try folder.write("c.ds", "print 1\n#< lines/a.txt\n")
    try folder.write("other.ds", "print 1\n# See lines/b.txt.\n")
    let result = try dsshellTest(folder, "c.ds")
    #expect(
      result.output == """
        lines/c.txt: warning: no script has `#< c.txt`; remove the file
        1 file, 1 section: 1 passed in T

        """)
    #expect(try dsshellTest(folder, "c.ds", "--strict").status == 1)
  }

  @Test func aCheckInABlockThatNoRunEntersIsReported() throws {
    try folder.write(
      "d.ds",
      """
      #% each file in *.csv
      if file == "x.csv" { expect file == "x.csv" } else { print 1 }
      if file == "z.csv" { expect file == "z.csv" }
      """)
    for name in ["x.csv", "y.csv"] { try folder.write(name, "n\n1\n") }
    #expect(
      try dsshellTest(folder, "d.ds").output == """
        d.ds:3: warning: this check never ran, because no run enters its block; remove it, or add a run that does
        1 file, 2 sections: 2 passed in T

        """)
  }

  @Test(arguments: [
    (
      "jsonl",
      #""unused":[{"path":"shop.cassette","line":8,"message":"no test requests GET http"#
    ),
    ("tap", "# shop.cassette:8: error: no test requests"),
    ("tap", "\nnot ok 2 - unused parts of the suite\n"),
    ("junit", "<testcase name=\"line 8\" classname=\"shop.cassette\" time=\"0.000\">"),
    ("github", "::error file=shop.cassette,line=8,title=unused::no test requests"),
  ])
  func theReportHasUnusedParts(report: String, text: String) throws {
    let result = try dsshellTest(folder, "a.ds", "--strict", "--report", report)
    let output = result.output.replacing(folder.path + "/", with: "")
    #expect(output.contains(text), "\(output)")
  }

  @Test(arguments: [["--seed", "3"], ["--explore", "5"]])
  func theJSONLinesReportHasTheSeed(option: [String]) throws {
    try folder.write("e.ds", "expect 1 == 2\n")
    let result = try TestProcess(
      folder, arguments: ["e.ds", "--report", "jsonl"] + option,
      environment: ["XDG_CACHE_HOME": folder.path + "/cache"]
    ).finish()
    #expect(result.output.contains(option[0] == "--seed" ? #""seed":"3""# : #""seed":"1""#))
  }

  @Test func theJSONLinesReportHasTheCoverage() throws {
    try folder.write(
      "c.ds",
      "let l = simple [{n: 1, m: 2}, {n: 3, m: 4}] | fetch\n#| l: 1 section, 2 objects\n"
        + "expect l[0, 1].n == 3\nprint 1\n")
    let lines = try dsshellTest(folder, "c.ds", "--report", "jsonl", "--coverage").output
      .split(separator: "\n").map { $0.replacing(folder.path + "/", with: "") }
    #expect(
      lines.contains(
        #"{"event":"coverage","path":"c.ds","sources":[{"source":"l","rows":{"asserted":1,"all":2},"#
          + #""sections":{"asserted":1,"all":1},"keys":["n"],"otherKeys":["m"]}],"#
          + #""unexpectedOutput":[{"line":4,"command":"print 1"}]}"#))
  }
}
