import DSInterpreter
import DSReplay
import DataSources
import Foundation
import Synchronization
import Testing

@Suite struct FreshFolderTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/replay-fresh-\(UUID())"

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// The failures as printed.
  private func run(_ text: String) async -> [String] {
    var environment = ReplayEnvironment()
    environment.network = OneResponse()
    environment.facilities = [.http]
    return await ReplayRunner(environment).run(
      ReplayScript("#% require http\n" + text, path: folder + "/t.ds")
    ).problems
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
  }

  private func end() { try? FileManager.default.removeItem(atPath: folder) }

  @Test func aCassetteIsRecordedAndReplayedAndLeavesNothing() async throws {
    defer { end() }
    let script = """
      cassette new.cassette
      #| new.cassette: records responses
      let r = remote http://example.test/list | fetch
      cassette new.cassette
      #| new.cassette: replays 1 exchange
      load new.cassette format: csv keys: [line] delimiter: "\\t" header: false
      #~ new: {int} objects{*}
      explain new [0, 0]
      #...
      #~ {*}line {int}  of \(folder)/new.cassette
      #...
      """
    // The second run must not find anything of the first.
    for _ in 0..<2 {
      let failures = await run(script)
      #expect(failures == [])
      #expect(try names == [])
    }
  }

  @Test func anExistingCassetteIsNotChanged() async throws {
    defer { end() }
    let path = folder + "/old.cassette"
    try "dsshell cassette 1\n".write(toFile: path, atomically: true, encoding: .utf8)
    let script = """
      cassette old.cassette mode: record
      let r = remote http://example.test/list | fetch
      count r
      #| 2
      cassette old.cassette mode: replay
      #| old.cassette: replays 1 exchange
      """
    let failures = await run(script)
    #expect(failures == [])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "dsshell cassette 1\n")
    #expect(try names == ["old.cassette"])
  }

  @Test func aRecordingIsWrittenAndRunAndLeavesNothing() async throws {
    defer { end() }
    let script = """
      record new.ds
      #| recording new.ds until `record off`
      print 1
      #| 1
      record off
      #~ recorded 1 command in {path}new.ds
      source new.ds
      #| 1
      record new.ds
      #! error: `\(folder)/new.ds` already exists; name a new file
      """
    let failures = await run(script)
    #expect(failures == [])
    #expect(try names == [])
  }

  @Test func existingFilesAreReadFromTheFolderOfTheScript() async throws {
    defer { end() }
    try "a\n1\n".write(toFile: folder + "/x.csv", atomically: true, encoding: .utf8)
    let failures = await run("load x.csv\ncount x\n#| 1\n")
    #expect(failures == [])
  }

  @Test func aMissingFolderIsAnError() async {
    defer { end() }
    let failures = await run(
      "cassette none/a.cassette mode: record\n"
        + "#! error: {*}cannot write `\(folder)/none/a.cassette`: No such file or directory\n")
    #expect(failures == [])
  }
}

private struct OneResponse: Transport {
  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let chunks = Mutex([Array("[1, 2]".utf8)])
    return TransportResponse(
      status: 200, headers: [HeaderField("Content-Type", "application/json")], url: request.url,
      body: TransportBody { chunks.withLock { $0.popLast() } })
  }
}
