import DSInterpreter
import DSReplay
import DataSources
import DataTables
import Testing

@Suite struct ReplayRunnerTests {
  /// Another value in the last of 60 objects or 20 columns makes another output.
  @Test(arguments: [
    "show l", "objects l", "show s", "objects s", "sections s", "titles s", "print l.allObjects",
    "describe wide", "show wide", "objects wide", "expect n == []",
  ])
  func nothingIsCut(command: String) async throws {
    func output(_ last: String) async -> [String] {
      let rows = (0..<60).map { "{n: \($0 < 59 ? "\"row \($0)\"" : last)}" }.joined(separator: ", ")
      let wide = (0..<20).map { "column_\($0): \($0 < 19 ? "some_text" : last)" }
        .joined(separator: ", ")
      let script =
        "let l = simple [\(rows)]\nlet wide = simple [{\(wide)}]\n"
        + "let s = sectioned l key: n | fetch\nlet n = l.allObjects.n\n\(command)\n#|\n"
      let outcome = await ReplayRunner().run(ReplayScript(script, path: "t.ds"))
      return outcome.failures.flatMap { failure in
        (failure.correction?.edits.flatMap(\.replacement) ?? []) + failure.picture
      }
    }
    let (one, other) = (await output("last"), await output("lost"))
    #expect(!one.isEmpty && one != other, "\(one)")
    #expect(!one.contains { $0.contains("error:") } || command.hasPrefix("expect"), "\(one)")
  }

  static func run(
    _ text: String, _ environment: ReplayEnvironment = ReplayEnvironment()
  ) async -> FileOutcome {
    await ReplayRunner(environment).run(
      ReplayScript(text, path: "t.ds", commands: environment.commands))
  }

  @Test func onlyTheSelectedLineIsChecked() async {
    let text =
      "let l = simple [1]\ncount nothing\n#% section \"a\"\ncount l\n#| 2\ncount l\n#| 3\n"
    var environment = ReplayEnvironment()
    environment.onlyLine = 4
    let one = await Self.run(text, environment)
    #expect(one.failures.map(\.line) == [4])
    environment.onlyLine = 3
    let section = await Self.run(text, environment)
    #expect(section.failures.map(\.line) == [4, 6])
    #expect(section.sections.map(\.status) == [.notRun, .failed])
  }

  @Test func anExpectedFailureElsewhereDoesNotAffectTheSelectedLine() async {
    let text = "print 1\n#| 1\nprint 2\n#| 3\n#% xfail \"known\"\n"
    var environment = ReplayEnvironment()
    environment.onlyLine = 1
    #expect(await Self.run(text, environment).problems == [])
    #expect(await Self.run(text).sections.map(\.status) == [.failedAsExpected])
  }

  @Test func aFileThatEndsAboveTheSelectedLineIsAFailure() async {
    var environment = ReplayEnvironment()
    environment.onlyLine = 2
    #expect(await Self.run("quit\nprint 1\n", environment).failures.map(\.line) == [1])
    // Other failures there are reported by their own test.
    #expect(await !Self.run("count nothing\nprint 1\n", environment).hasFailed)
  }

  @Test func anExpectedFailureCoversNeitherTimeoutsNorExcessiveOutput() async {
    let text = "#% xfail \"known\"\nhelp\n#...\n"
    var environment = ReplayEnvironment()
    environment.outputLimit = 100
    #expect(await Self.run(text, environment).failures.map(\.kind) == [.limit])
    let cancelled = ReplayEnvironment()
    var observer = ReplayObserver()
    observer.aboutToRun = { _ in cancelled.cancellation.cancel() }
    let outcome = await ReplayRunner(cancelled)
      .run(ReplayScript("#% xfail \"known\"\nsimple [1]\n", path: "t.ds"), observer: observer)
    #expect(outcome.failures.map(\.kind) == [.timeout])
  }

  @Test func everyCommandIsAnnouncedBeforeItRuns() async {
    var events: [String] = []
    var observer = ReplayObserver()
    observer.aboutToRun = { events.append("line \($0.lines.lowerBound)") }
    observer.wrote = { events.append($0) }
    _ = await ReplayRunner()
      .run(ReplayScript("print 1\n\nprint (x)\n", path: "t.ds"), observer: observer)
    #expect(
      events == [
        "line 1", "1\n", "line 3",
        "error: nothing is named `x`; write `\"x\"` to mean the string\n",
      ])
  }

  @Test func aCanceledCommandFailsAndTheNextRuns() async {
    let environment = ReplayEnvironment()
    var observer = ReplayObserver()
    observer.aboutToRun = { if $0.lines.lowerBound == 1 { environment.cancellation.cancel() } }
    let outcome = await ReplayRunner(environment)
      .run(ReplayScript("print (1)\nsimple [1]\nprint 2\n#| 2\n", path: "t.ds"), observer: observer)
    #expect(outcome.failures.map(\.kind) == [.timeout])
    #expect(outcome.sections.map(\.passedCommands) == [2])
  }

  @Test func aCommandIsCanceledWhileItsResultIsShown() async throws {
    let environment = ReplayEnvironment()
    var chunks: [String] = []
    var observer = ReplayObserver()
    observer.wrote = { chunk in
      chunks.append(chunk)
      if chunk.hasPrefix("value\n") { environment.cancellation.cancel() }
    }
    let rows = (0..<20_000).map(String.init).joined(separator: ",")
    let text = "let l = simple [\(rows)]\nprint \"hello\"; mode csv; objects l; print \"done\"\n"
    let outcome = await ReplayRunner(environment)
      .run(ReplayScript(text, path: "t.ds"), observer: observer)
    #expect(outcome.failures.map(\.kind) == [.timeout])
    let picture = try #require(outcome.failures.first?.picture)
    #expect(picture.contains { $0.contains("+ hello ") })
    #expect(picture.contains { $0.contains("+ value") })
    #expect(!chunks.contains { $0.contains("19999") || $0.contains("done") })
  }

  @Test func tooMuchOutputIsAFailure() async {
    var environment = ReplayEnvironment()
    environment.outputLimit = 100
    let outcome = await Self.run("help\n#...\nprint 1\n#| 1\n", environment)
    #expect(outcome.failures.map(\.kind) == [.limit])
  }

  @Test func aCommandWithAvailableFacilitiesIsRun() async {
    var environment = ReplayEnvironment()
    environment.facilities = [.http]
    let text = "#% require http\nprint 1\n#| 1\n"
    #expect(await Self.run(text, environment).sections.map(\.passedCommands) == [1])
    #expect(await Self.run(text).sections.map(\.status) == [.skipped])
  }

  @Test(arguments: [("postgres", "POSTGRES"), ("clickhouse", "CLICKHOUSE")])
  func aCommandWithoutItsServerIsSkipped(name: String, variable: String) async {
    let outcome = await Self.run("#% require http \(name)\nprint 1\n", Self.withNetwork)
    #expect(outcome.sections.map(\.status) == [.skipped])
    #expect(
      outcome.sections.map(\.reason) == [
        "not available: \(name); set DSSHELL_TEST_\(variable) to the address of a server"
      ])
  }

  @Test func sqliteIsAlwaysAvailable() {
    #expect(Facility.available(hasNetwork: false).contains(.sqlite))
    #expect(!Facility.available(hasNetwork: false).contains(.http))
  }

  private static var withNetwork: ReplayEnvironment {
    var environment = ReplayEnvironment()
    environment.facilities = [.http]
    return environment
  }

  @Test func theNetworkNeedsARequire() async {
    var environment = ReplayEnvironment()
    environment.network = SilentNetwork()
    environment.facilities = [.http]
    let text = "let r = remote http://example.test/\nfetch r\n#! error: {*}refused here{*}\n"
    #expect(await Self.run(text, environment).problems == [])
    let required = await Self.run("#% require http\n" + text, environment)
    #expect(required.failures.first?.picture.contains { $0.contains("no server") } == true)
  }

  @Test func aCassetteThatCannotBeReadIsAFailure() async {
    let outcome = await Self.run("#% cassette /proc\nprint 1\n")
    #expect(outcome.failures.map(\.kind) == [.cassetteFile])
  }

  @Test func theEnvironmentDeterminesTheArguments() async {
    var environment = ReplayEnvironment()
    environment.arguments = ["one"]
    #expect(await !Self.run("expect args == [\"one\"]", environment).hasFailed)
  }

  @Test func aSessionIsFreshForEachScript() async {
    #expect(await !Self.run("let l = simple [1]").hasFailed)
    #expect(await Self.run("count l").hasFailed)
  }

  @Test func aViolatedInvariantIsAFailure() async throws {
    var environment = ReplayEnvironment()
    environment.commands.add(DeceptiveCommand.self, to: "create")
    let outcome = await Self.run("let d = deceptive\nfetch d\n", environment)
    #expect(outcome.failures.map(\.kind) == [.invariant])
    #expect(
      outcome.failures.first?.picture.contains {
        $0.contains("d: the sections have 3 objects, the source has 2")
      }
        == true)
    environment.checksInvariants = false
    #expect(await !Self.run("let d = deceptive\nfetch d\n", environment).hasFailed)
  }
}

/// Makes a source whose counts do not agree.
private struct DeceptiveCommand: Command {
  static let names = ["deceptive"]
  static let synopsis = "deceptive"
  static let summary = "Makes a source that miscounts."
  static let examples: [String] = []
  static let resultKind = ResultKind.newSource
  init(parsing arguments: inout Arguments) throws {}
  func run(in session: inout Session) async throws -> CommandResult {
    CommandResult(.source(DeceptiveSource()))
  }
}

private final class DeceptiveSource: DataSource {
  static let kind = "deceptive"
  let state = SourceState()
  let children: [any DataSource] = []
  let summary = "deceptive"
  func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot { Snapshot(MiscountingStore()) }
}

private struct MiscountingStore: PagedStore {
  let numberOfSections = 1
  let numberOfObjects = 2
  let keys: [String] = []
  let hasOtherObjects = true
  let local: LocalStore? = nil
  func numberOfObjects(in section: Int) -> Int { 3 }
  func titles(of sections: Range<Int>) async throws -> [Value] { sections.map { _ in "" } }
  func objects(in section: Int, rows: Range<Int>) async throws -> [Value] {
    rows.map { .integer($0) }
  }
  func indexPath(of object: Value, cancellation: Cancellation) async throws -> IndexPath? {
    if case .integer(let row) = object { IndexPath(section: 0, row: row) } else { nil }
  }
}

private struct SilentNetwork: Transport {
  func send(_ request: TransportRequest) async throws -> TransportResponse {
    throw TransportError.network("no server", isTransient: false)
  }
}
