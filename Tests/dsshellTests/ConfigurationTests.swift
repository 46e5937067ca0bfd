import Foundation
import Testing

/// The configuration of the user.
@Suite struct ConfigurationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes `config.ds` and returns the environment that leads to it.
  private func configure(_ text: String, inHome: Bool = false) throws -> [String: String] {
    let parent = inHome ? ".config/dsshell" : "dsshell"
    try FileManager.default.createDirectory(
      atPath: folder.path + "/" + parent, withIntermediateDirectories: true)
    try folder.write(parent + "/config.ds", text)
    return inHome ? ["HOME": folder.path] : ["XDG_CONFIG_HOME": folder.path]
  }

  @Test(arguments: [false, true]) func thePromptReadsIt(inHome: Bool) throws {
    let environment = try configure("timer off\nlet a = simple [1, 2]\nmode json\n", inHome: inHome)
    let session = try TerminalSession.prompt(in: folder, [], environment)
    try session.run("print [(count a)]", shows: "\r\n[2]\r\n")
    try session.run("option mode", shows: "\"value\":\"json\"")
  }

  @Test(arguments: [
    ("let a = simple [1]\nnonsense\nlet b = simple [2]\n", "config.ds:2:1: error:"),
    ("print [\n", "config.ds:1:7: error:"), ("quit 3\n", ""),
  ])
  func aFailureIsReportedAndThePromptOpens(text: String, error: String) throws {
    let session = try TerminalSession(
      environment: try configure(text).merging(["NO_COLOR": "1"]) { $1 }, width: 200)
    try session.expect(error)
    try session.expect("ds> ")
    session.type("print 31\r")
    try session.expect("\r\n31\r\n")
  }

  @Test func reportsAreNotShown() throws {
    let environment = try configure("let a = simple [1]\nprint 71\n").merging(["NO_COLOR": "1"]) {
      $1
    }
    let session = try TerminalSession(environment: environment)
    let shown = try session.expect("ds> ")
    #expect(shown.hasSuffix("quits.\r\n71\r\n"))
  }

  @Test func theCommandLineTakesPrecedence() throws {
    let environment = try configure("mode json\n").merging(["NO_COLOR": "1"]) { $1 }
    let session = try TerminalSession(["--output", "table"], environment: environment)
    try session.expect("ds> ")
    session.type("mode\r")
    try session.expect("\r\ntable\r\n")
  }

  @Test func ctrlCEndsItAndThePromptOpens() throws {
    let session = try TerminalSession(
      environment: try configure("print 5\nwait timeout: 100\nload /dev/tty format: csv\n")
        .merging(["NO_COLOR": "1"]) { $1 })
    try session.expect("5\r\n")
    session.type("\u{3}")
    try session.expect("ds> ")
    session.type("print 32\r")
    try session.expect("\r\n32\r\n")
  }

  @Test func scriptsCommandsAndPipesDoNotReadIt() throws {
    let environment = try configure("print \"configured\"\nmode json\n")
    let script = try folder.write("a.ds", "mode\n")
    #expect(try dsshell("-c", "mode", environment: environment).output == "table\n")
    #expect(try dsshell(input: "mode", environment: environment).output == "table\n")
    #expect(try dsshell(script, environment: environment).output == "table\n")
    #expect(try dsshell("test", script, environment: environment).status == 0)
  }
}
