import DataTables
import Testing

@testable import DSReplay

@Suite struct ReportTests {
  @Test func namesAreOnePerReport() {
    #expect(TestReports.names == ["human", "tap", "junit", "jsonl", "github", "html"])
    for name in TestReports.names {
      #expect(ReportTarget(name)?.file == nil)
      #expect(ReportTarget(name + "=a=b")?.file == "a=b")
    }
    for name in ["", "xml", "tap=", "TAP"] {
      let target = ReportTarget(name)
      #expect(target == nil)
    }
  }

  @Test func theHumanReportHasAllFailuresAndTheCounts() {
    let text = ReportFixture.text(HumanReport.self)
    #expect(text.hasPrefix("FAIL bad.ds:9 › slow\n   9 │ - slow\n     rerun\n\n"))
    #expect(text.contains("\n\nbroken.ds:1:7: error: x\n  print [\n        ^\n\n"))
    #expect(text.contains("\n\nFLAKY flaky.ds: passed after 1 failed attempt\n\nFAIL"))
    #expect(
      text.hasSuffix(
        "\n\n4 files, 11 sections: 4 passed, 3 failed, 1 flaky, 2 skipped, 1 failed as expected, "
          + "1 not run in 38 ms\n"))
  }

  @Test func aPassedRunIsOneLine() {
    let text = ReportFixture.text(HumanReport.self, [ReportFixture.results[0]])
    #expect(text == "1 file, 3 sections: 2 passed, 1 skipped in 38 ms\n")
  }

  @Test func pointsOfTAPAreNumberedAndPlanned() {
    let lines = ReportFixture.text(TAPReport.self).split(separator: "\n").map(String.init)
    #expect(lines.first == "TAP version 13")
    let points = lines.filter { $0.hasPrefix("ok") || $0.hasPrefix("not ok") }
    #expect(
      points == [
        "ok 1 - good.ds", "not ok 2 - bad,:%.ds", "not ok 3 - broken.ds", "ok 4 - flaky.ds",
      ])
    #expect(lines.last == "1..4")
    #expect(lines.contains("    ok 2 - section 1"))
    #expect(
      lines.filter { $0.hasPrefix("    1..") } == ["    1..3", "    1..4", "    1..1", "    1..3"])
    #expect(lines.contains("    ok 3 - sk # SKIP not here"))
    #expect(lines.contains("    not ok 3 - known # TODO it is"))
    // No title is parsed as a directive, and every line belongs to the protocol.
    #expect(lines.contains { $0.hasPrefix("    not ok 2 - a \"b\" <c> & 'd' ]]> \\# \\\\ %") })
    #expect(lines.contains("      flaky: true"))
    for line in lines {
      let isKnown = ["    ", "ok ", "not ok ", "# ", "1..", "TAP "].contains { line.hasPrefix($0) }
      #expect(isKnown, "\(line)")
    }
  }

  @Test func everyLineOfTheJSONLinesReportIsJSON() throws {
    let lines = ReportFixture.text(JSONLinesReport.self).split(separator: "\n")
    let values = try lines.map { try Value(json: String($0)) }
    #expect(values.count == 12)
    guard case .record(let end) = values.last, case .record(let first) = values.first else {
      Issue.record("no records")
      return
    }
    #expect(end["event"] == .string("end") && end["failed"] == .integer(3))
    #expect(first["status"] == .string("passed") && first["section"] == .string("one"))
  }

  @Test func annotationsAreOneLineEach() {
    let lines = ReportFixture.text(GitHubReport.self).split(separator: "\n")
      .filter { $0.hasPrefix("::") }
    #expect(lines.count == 5)
    #expect(
      lines.first
        == "::error file=bad%2C%3A%25.ds,line=9,title=hangs::slow%0A   9 │ - slow%0A     rerun")
    #expect(lines[1].contains("title=a \"b\" <c> & 'd' ]]> # \\ %25 %3A %2C é%0A"))
    #expect(lines[3].hasPrefix("::error file=broken.ds,line=1,title=the script does not parse::"))
    #expect(lines[4].hasPrefix("::warning file=flaky.ds,line=1,title=one::"))
  }
}
