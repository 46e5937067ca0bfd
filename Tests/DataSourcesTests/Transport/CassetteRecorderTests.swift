import DataTables
import Foundation
import Synchronization
import Testing

@testable import DataSources

@Suite struct CassetteRecorderTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "test.cassette")
  }

  private func file() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private func get(_ url: String) -> TransportRequest { TransportRequest(url: url) }

  @Test func aRecordingIsReplayed() async throws {
    let drop = TransportError.network("a.test closed the connection", isTransient: true)
    let recorder = CassetteRecorder(
      path: path,
      through: ScriptedTransport { request in
        if request.url.hasSuffix("/refused") {
          throw TransportError.network("no", isTransient: false)
        }
        return TransportResponse(
          200,
          [
            HeaderField("Content-Type", "text/csv"), HeaderField("Date", "today"),
            HeaderField("Set-Cookie", "id=1"), HeaderField("ETag", "\"1\""),
          ],
          url: request.url, pieces: [Array("a,b\r\n".utf8), [], Array("1,2".utf8)],
          fault: request.url.hasSuffix("/dropped") ? drop : nil)
      })
    for url in ["http://a.test/x", "http://a.test/dropped"] {
      let response = try await recorder.send(get(url))
      #expect(response[header: "Date"] == "today")
      #expect(await response.read().pieces.count == 2)
    }
    await #expect(throws: TransportError.network("no", isTransient: false)) {
      try await recorder.send(get("http://a.test/refused"))
    }

    let replay = try CassetteReplay(path: path)
    #expect(replay.count == 3)
    let response = try await replay.send(get("http://a.test/x"))
    #expect(response.headers.map(\.name) == ["Content-Type", "ETag"])
    #expect(await response.read().pieces == [Array("a,b\r\n".utf8), Array("1,2".utf8)])
    let (pieces, fault) = try await replay.send(get("http://a.test/dropped")).read()
    #expect(pieces.count == 2 && fault == drop)
    await #expect(throws: TransportError.network("no", isTransient: false)) {
      try await replay.send(get("http://a.test/refused"))
    }
  }

  @Test func anUnreadResponseIsRecordedCompletely() async throws {
    let recorder = CassetteRecorder(
      path: path, through: ScriptedTransport { _ in TransportResponse("not found", status: 404) })
    _ = try await recorder.send(get("http://example.test/"))
    #expect(try file().hasSuffix("< 404\n| not found\n"))
  }

  @Test func theOldFileIsKeptUntilTheFirstResponse() async throws {
    try folder.write("old", to: "test.cassette")
    let recorder = CassetteRecorder(
      path: path,
      through: ScriptedTransport { request in
        if request.url.hasSuffix("/denied") { throw TransportError.denied("no") }
        return TransportResponse("new")
      })
    #expect(try file() == "old")
    await #expect(throws: TransportError.denied("no")) {
      try await recorder.send(get("http://example.test/denied"))
    }
    #expect(try file() == "old")
    _ = try await recorder.send(get("http://example.test/"))
    #expect(try file() == "dsshell cassette 1\n\nGET http://example.test/\n< 200\n| new\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["test.cassette"])
  }

  @Test func aCanceledRequestIsNotRecorded() async throws {
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let recorder = CassetteRecorder(
      path: path,
      through: ScriptedTransport { _ in
        TransportResponse(
          status: 200, headers: [], url: "http://example.test/",
          body: TransportBody {
            start.yield()
            try? await Task.sleep(for: .seconds(60))
            return nil
          })
      })
    let request = get("http://example.test/")
    let task = Task { try await recorder.send(request) }
    for await _ in started { break }
    task.cancel()
    await #expect(throws: TransportError.cancelled) { _ = try await task.value }
    #expect(recorder.count == 0)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func exchangesAreInTheOrderOfTheirRequests() async throws {
    let (gates, gate) = AsyncStream.makeStream(of: Void.self)
    let recorder = CassetteRecorder(
      path: path,
      through: ScriptedTransport { request in
        if request.url.hasSuffix("/1") { for await _ in gates { break } }
        return TransportResponse(request.url)
      })
    let first = get("http://example.test/1")
    let task = Task { _ = try await recorder.send(first) }
    while recorder.requests == 0 { await Task.yield() }
    _ = try await recorder.send(get("http://example.test/2"))
    gate.yield()
    try await task.value
    let requests = try file().split(separator: "\n").filter { $0.hasPrefix("GET") }
    #expect(requests == ["GET http://example.test/1", "GET http://example.test/2"])
  }

  @Test func manyTasksRecordAtTheSameTime() async throws {
    let recorder = CassetteRecorder(
      path: path, through: ScriptedTransport { TransportResponse($0.url) })
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        let request = get("http://example.test/\(number)")
        group.addTask { _ = try await recorder.send(request) }
      }
      try await group.waitForAll()
    }
    let replay = try CassetteReplay(path: path)
    #expect(replay.count == 50)
    for number in 0..<50 {
      let url = "http://example.test/\(number)"
      #expect(try await replay.send(get(url)).text == url)
    }
  }

  @Test func aFileThatCannotBeWrittenFails() async throws {
    let recorder = CassetteRecorder(
      path: folder.path(of: "none/test.cassette"),
      through: ScriptedTransport { _ in TransportResponse("x") })
    await #expect {
      try await recorder.send(get("http://example.test/"))
    } throws: { error in
      guard case TransportError.cassette(let what) = error else { return false }
      return what.hasPrefix("cannot write") && what.contains("No such file or directory")
    }
  }

  @Test func aSecretLearnedLaterIsRedactedInEarlierExchanges() async throws {
    let recorder = CassetteRecorder(
      path: path,
      through: ScriptedTransport { request in
        if request.query.isEmpty { return TransportResponse("your code is 123-456") }
        throw CancellationError()
      })
    _ = try await recorder.send(get("http://example.test/"))
    var request = get("http://example.test/")
    request.query = [RequestParameter("code", .secret("123-456", symbol: "env CODE"))]
    await #expect(throws: CancellationError.self) { _ = try await recorder.send(request) }
    #expect(try file().contains("your code is REDACTED"))
  }
}
