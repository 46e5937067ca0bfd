import DSInterpreter
import DSReplay
import DataSources
import Synchronization
import Testing

@Suite struct VirtualClockTests {
  /// Runs a script with a server that sends `responses`, and returns the output of each command.
  private static func output(
    _ text: String, _ responses: [TransportResponse] = [], date: Int? = nil
  ) async -> (outcome: FileOutcome, output: [String]) {
    var environment = ReplayEnvironment()
    environment.network = BusyServer(responses)
    environment.facilities = [.http]
    if let date { environment.date = date }
    var output: [String] = []
    var observer = ReplayObserver()
    observer.wrote = { output.append($0) }
    let script = ReplayScript("#% require http\n" + text, path: "t.ds")
    return (await ReplayRunner(environment).run(script, observer: observer), output)
  }

  private static let fetch = "let r = remote http://example.test/ retries: 5\ntimer on\nfetch r\n"

  private static func busy(_ retryAfter: String? = nil) -> TransportResponse {
    TransportResponse(
      status: 503, headers: retryAfter.map { [HeaderField("Retry-After", $0)] } ?? [],
      url: "http://example.test/", body: TransportBody { nil })
  }

  @Test func timeStandsStill() async {
    let (outcome, output) = await Self.output("timer on\nprint 1\n#| 1\n#! 0.0 ms\n")
    #expect(outcome.problems == [])
    #expect(output == ["1\n", "0.0 ms\n"])
  }

  @Test func waitingTakesNoRealTimeAndIsReported() async {
    let (_, output) = await Self.output(Self.fetch, [Self.busy("20"), Self.busy("25")])
    #expect(output.last == "45000.0 ms\n")
  }

  @Test func theScriptSetsTheClock() async {
    let date = "Thu, 01 Jan 2026 00:00:20 GMT"
    for (setting, seconds) in [
      ("2026-01-01T00:00:00Z", 20), ("2026-01-01", 20), ("2026-01-01T01:00:15+01:00", 5),
    ] {
      let script = "#% clock \(setting)\n" + Self.fetch
      let (outcome, output) = await Self.output(script, [Self.busy(date)])
      #expect(outcome.problems == [])
      #expect(output.last == "\(seconds * 1000).0 ms\n", "\(setting)")
    }
    // A date in the past leaves the usual delay.
    let past = await Self.output("#% clock 2027-01-01\n" + Self.fetch, [Self.busy(date)]).output
    #expect(past == (await Self.output(Self.fetch, [Self.busy()]).output))
    // By default the clock begins with the year 2000, and the wait would be too long.
    let (outcome, _) = await Self.output(Self.fetch, [Self.busy(date)])
    #expect(
      outcome.failures.map(\.message) == [
        "GET http://example.test/ returned 503 Service Unavailable; the server asks for a wait of "
          + "820540820 s"
      ])
  }

  @Test func theClockCanBeSetAgain() async {
    let date = "Thu, 01 Jan 2026 00:00:20 GMT"
    let script =
      "#% clock 2026-01-01\n" + Self.fetch + "#% clock 2026-01-01T00:00:19Z\nfetch r\n"
    let (_, output) = await Self.output(script, [Self.busy(date), .empty, Self.busy(date)])
    #expect(output.filter { $0.hasSuffix(" ms\n") } == ["20000.0 ms\n", "1000.0 ms\n"])
  }

  @Test func theClockOfTheMachineAdvances() async {
    let script = "#% clock real\n" + Self.fetch + "#% clock virtual\nprint 1\n#| 1\n#! 0.0 ms\n"
    let (outcome, output) = await Self.output(script, [Self.busy("1")])
    #expect(outcome.problems == [])
    let time = output.filter { $0.hasSuffix(" ms\n") }.first.flatMap { Double($0.dropLast(4)) }
    #expect((time ?? 0) >= 1000)
    #expect(time != 1000)
  }

  @Test func theSeedDeterminesTheWait() async {
    func time(_ seeds: String...) async -> [String] {
      let responses = seeds.flatMap { _ in [Self.busy(), .empty] }
      let script =
        "let r = remote http://example.test/\ntimer on\n"
        + seeds.map { ($0.isEmpty ? "" : "#% seed \($0)\n") + "fetch r\n" }.joined()
      return await Self.output(script, responses).output.filter { $0.hasSuffix(" ms\n") }
    }
    let seven = await time("7", "")
    #expect(await time("7", "") == seven)
    #expect(await time("8", "") != seven)
    #expect(await time("7", "7") == [seven[0], seven[0]])
    #expect(seven[0] != seven[1] && seven.allSatisfy { $0 != "0.0 ms\n" })
    // Without a seed the result is always the same.
    #expect(await time("") == time(""))
    #expect(await time("") != [seven[0]])
  }

  @Test func aBrokenResponseIsRetriedByTheVirtualClock() async {
    func output() async -> [String] { await Self.output(Self.fetch, [.broken, .broken]).output }
    let first = await output()
    #expect(first.contains("r: 1 section, 0 objects, JSON, 2 bytes\n"))
    #expect(first.last?.hasSuffix(" ms\n") == true && first.last != "0.0 ms\n")
    #expect(await output() == first)
  }

  @Test(arguments: [
    ("clock reel", "real"), ("clock virtuel", "virtual"), ("clock", nil), ("clock 12:00", nil),
    ("clock 2026-13-01", nil), ("seed", nil), ("seed -1", nil), ("seed 1.5", nil),
    ("seed 18446744073709551616", nil), ("require http postgre", "postgres"),
  ])
  func anInvalidSettingIsAMistake(directive: String, suggestion: String?) throws {
    let script = ReplayScript("#% \(directive)\nprint 1\n", path: "t.ds")
    let mistake = try #require(script.mistakes.first)
    #expect(mistake.suggestion == suggestion)
    let name = directive.prefix { $0 != " " }
    #expect(mistake.message.hasPrefix("invalid `\(name)` directive; write `#% \(name) "))
  }

  @Test func onlyExecutedDirectivesTakeEffect() async {
    let text =
      "timer on\n#% section \"a\"\nprint 1\n#! 0.0 ms\n#| 1\n#% section \"b\"\n#% clock real\n"
      + "print 2\n"
    var environment = ReplayEnvironment()
    environment.onlyLine = 2
    let outcome = await ReplayRunner(environment).run(ReplayScript(text, path: "t.ds"))
    #expect(outcome.sections.map(\.status) == [.notRun, .passed, .notRun])
  }
}

/// Sends one response after the other, and then an empty list.
private final class BusyServer: Transport {
  private let responses: Mutex<[TransportResponse]>

  init(_ responses: [TransportResponse]) { self.responses = Mutex(responses.reversed()) }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    responses.withLock { $0.popLast() } ?? .empty
  }
}

extension TransportResponse {
  /// Breaks in the middle of the body.
  fileprivate static var broken: TransportResponse {
    TransportResponse(
      status: 200, headers: [], url: "http://example.test/",
      body: TransportBody { throw TransportError.network("it broke", isTransient: true) })
  }

  fileprivate static var empty: TransportResponse {
    let chunks = Mutex([Array("[]".utf8)])
    return TransportResponse(
      status: 200, headers: [HeaderField("Content-Type", "application/json")],
      url: "http://example.test/", body: TransportBody { chunks.withLock { $0.popLast() } })
  }
}
