import Foundation
import Testing

@testable import DSReplay

@Suite struct JUnitReportTests {
  static let text = ReportFixture.text(JUnitReport.self)

  @Test func theReportConformsToTheSchema() throws {
    #expect(try JUnitSchema.mistakes(in: Self.text) == [])
    #expect(try JUnitSchema.mistakes(in: ReportFixture.text(JUnitReport.self, [])) == [])
  }

  /// libxml2's validator with the schema as published.
  @Test(.enabled("xmllint is not installed") { access("/usr/bin/xmllint", X_OK) == 0 })
  func xmllintAcceptsTheReport() throws {
    let file = FileManager.default.temporaryDirectory.path + "/junit-\(UUID().uuidString).xml"
    defer { try? FileManager.default.removeItem(atPath: file) }
    for (text, isValid) in [
      (Self.text, true), (ReportFixture.text(JUnitReport.self, []), true),
      (Self.text.replacingOccurrences(of: "<testcase name", with: "<testcase title"), false),
    ] {
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/xmllint")
      process.arguments = ["--noout", "--schema", Fixtures.folder + "jenkins-junit.xsd", file]
      (process.standardOutput, process.standardError) = (output, output)
      try process.run()
      let message = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect((process.terminationStatus == 0) == isValid, "\(message)")
    }
  }

  @Test(arguments: [
    ("tests=\"11\"", "tests=\"12\"", "testsuites: tests is 12, and there are 11"),
    ("skipped=\"1\"", "skipped=\"0\"", "testsuite: skipped is 0, and there are 1"),
    ("time=\"0.038\"", "time=\"long\"", "testsuites: time is long"),
    (" tests=\"3\"", "", "testsuite has no tests"),
    ("<testcase name=\"one\"", "<testcase", "testcase has no name"),
    ("<testcase name=\"one\"", "<testcase name=\"one\" line=\"1\"", "testcase may have no line"),
    ("<skipped message=\"not here\"/>", "<skipped/><skipped/>", "testcase: 2 skipped"),
    ("<skipped message=\"not here\"/>", "<system-out/><skipped/>", "skipped is out of order"),
    ("<skipped message=\"not here\"/>", "<testsuite name=\"\" tests=\"0\"/>", "does not belong"),
    ("<skipped message=\"not here\"/>", "<why/>", "why is not in the schema"),
    ("<skipped message=\"not here\"/>", "it was not here", "testcase may have no text"),
  ])
  func theCheckDetectsTheMistake(good: String, bad: String, mistake: String) throws {
    let range = try #require(Self.text.range(of: good))
    let mistakes = try JUnitSchema.mistakes(in: Self.text.replacingCharacters(in: range, with: bad))
    #expect(mistakes.contains { $0.contains(mistake) }, "\(mistakes)")
  }

  @Test func aParserReadsTheResultOfEverySection() throws {
    let cases = try #require(JUnitReader.cases(in: Self.text))
    let expected = ReportFixture.results.flatMap { result in
      result.outcome.sections.map { section in
        JUnitReader.Case(
          suite: readable(result.outcome.path), name: readable(section.title ?? "section 1"))
      }
    }
    #expect(cases.map(\.suite) == expected.map(\.suite))
    #expect(cases.map(\.name) == expected.map(\.name))
    #expect(
      cases.map(\.result) == [
        "", "", "skipped", "error", "failure", "skipped", "skipped", "error", "", "", "skipped",
      ])
    #expect(cases[2].messages == ["not here"])
    #expect(cases[3].types == ["timeout"])
    #expect(cases[4].messages == [readable(ReportFixture.awkward), "x"])
    #expect(cases[4].types == ["mismatch", "error"])
    let pictures = ReportFixture.results[1].outcome.sections[1].failures
      .map { $0.picture.joined(separator: "\n") }
    #expect(cases[4].text == readable(pictures.joined()))
    #expect(cases[7].text == ReportFixture.results[2].outcome.mistakes.joined())
    #expect(cases[8].output == "flaky: passed after 1 failed attempt")
  }

  @Test func namesDoNotDependOnLinesAndAreUnique() async {
    let script = ReplayScript(
      """
      print 1
      #% section "a"
      print 1
      #% section "a"
      #% tags slow
      print 1
      #% section "b"
      print 1
      #% section "a"
      #% tags slow
      print 1
      """, path: "a.ds")
    let outcome = await ReplayRunner().run(script)
    #expect(outcome.sections.map(\.name) == ["section 1", "a", "a (2)", "b", "a (3)"])
    var environment = ReplayEnvironment()
    environment.filter.tags = ["slow"]
    let some = await ReplayRunner(environment).run(script)
    #expect(some.sections.map(\.name) == ["a (2)", "a (3)"])
  }

  /// The text as XML can represent it.
  private func readable(_ text: String) -> String {
    ["\u{1}", "\u{1B}", "\u{FFFE}"].reduce(text) {
      $0.replacingOccurrences(of: $1, with: "\u{FFFD}")
    }
  }
}
