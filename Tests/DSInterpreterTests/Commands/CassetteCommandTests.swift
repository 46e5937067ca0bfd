import DataSources
import Foundation
import Testing

@testable import DSInterpreter

@Suite struct CassetteCommandTests {
  /// A server in memory that returns the headers of the request.
  private struct Echo: Transport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
      let text = "[{\"sent\": \"\(request.headers.map(\.value.sent).joined())\"}]"
      return TransportResponse(
        status: 200, headers: [HeaderField("Content-Type", "application/json")],
        url: request.sentURL,
        body: TransportBody {
          $0.yield(Array(text.utf8)); $0.finish()
        })
    }
  }

  @Test func anIncompleteExchangeIsReported() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("dsshell-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let text = "dsshell cassette 1\nGET http://a.test/\n< 200\n\n#GET http://b.test/\n< 20"
    try text.write(toFile: folder + "/cut.cassette", atomically: true, encoding: .utf8)
    var interpreter = Interpreter()
    interpreter.session.options.folder = folder
    var warnings: [String] = []
    try await interpreter.run("cassette cut.cassette") { event, _ in
      if case .output(let output) = event { warnings += output.warnings }
    }
    #expect(
      warnings == [
        "cut.cassette: the exchange at line 5 is incomplete and is skipped;"
          + " `mode: record` records it again"
      ])
  }

  @Test func aRecordingOfThePromptIsReplayedWithoutSecrets() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("dsshell-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let secret = try #require(ProcessInfo.processInfo.environment["PATH"])

    var interpreter = Interpreter()
    interpreter.session.options.folder = folder
    interpreter.session.transports.setNetwork(Echo())
    var lines: [String] = []
    func run(_ text: String) async throws {
      try await interpreter.run(text) { event, _ in
        switch event {
        case .output(let output): lines += try await PlainText.lines(of: output)
        case .failure(let diagnostic): lines += PlainText.lines(of: diagnostic)
        }
      }
    }
    try await run("cassette echo.cassette")
    try await run("let echo = remote http://example.test/ headers: {X-Me: env PATH} | fetch")
    lines = []
    try await run("cassette")
    #expect(lines == ["echo.cassette: records, 1 exchange so far"])
    let text = try String(contentsOfFile: folder + "/echo.cassette", encoding: .utf8)
    #expect(text.contains("[{\"sent\": \"REDACTED\"}]") && !text.contains(secret))

    lines = []
    interpreter.session.transports.refusesNetwork = true
    try await run("cassette echo.cassette; fetch echo; print echo[0, 0].sent")
    #expect(lines.first == "echo.cassette: replays 1 exchange")
    #expect(lines.last == "REDACTED")
    try await run("cassette echo.cassette mode: record; fetch echo")
    #expect(lines.last?.contains("the network is refused here") == true)
  }
}
