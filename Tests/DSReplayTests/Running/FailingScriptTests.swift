import DSReplay
import Foundation
import Testing

@Suite struct FailingScriptTests {
  /// Next to each script is the expected report of its run.
  @Test(arguments: Fixtures.names(".ds") + Fixtures.names(".md"))
  func theReportOfTheScriptIsAsExpected(name: String) async throws {
    let outcome = try await Fixtures.outcome(of: name)
    let path = Fixtures.folder + name + ".expected"
    let report = Fixtures.report(outcome)
    if ProcessInfo.processInfo.environment["DSSHELL_NEW_PICTURES"] != nil {
      try report.write(toFile: path, atomically: true, encoding: .utf8)
    }
    #expect(report == (try String(contentsOfFile: path, encoding: .utf8)))
  }
}
