import DataTables
import Foundation
import Testing

@testable import DataSources

@Suite struct CassetteFileTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "test.cassette")
  }

  private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private func identity() throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
  }

  private static let first = "GET http://a.test/1\n< 200\n| a\n"
  private static let second = "GET http://a.test/2\n< 200\n| b\n| c\n"

  @Test func appendingEqualsWritingTheWholeFile() throws {
    var file = CassetteFile(path: path)
    var isAppended = file.append(Self.first)
    #expect(!isAppended)
    try file.write([Self.first])
    let identity = try identity()
    for exchange in [Self.second, Self.first] {
      isAppended = file.append(exchange)
      #expect(isAppended)
    }
    #expect(try self.identity() == identity)
    let whole = CassetteText.text(of: [Self.first, Self.second, Self.first])
    #expect(try text() == String(decoding: whole, as: UTF8.self))
  }

  @Test func aFileOfAnotherProgramIsNotChanged() throws {
    var file = CassetteFile(path: path)
    try file.write([Self.first])
    // In place, and as a new file of the same size.
    let same = try text().replacingOccurrences(of: "| a", with: "| z")
    for (other, replaces) in [("mine", false), (same, true)] {
      if replaces { try folder.remove("test.cassette") }
      try folder.write(other, to: "test.cassette")
      let isAppended = file.append(Self.second)
      #expect(!isAppended)
      #expect(throws: TableError.self) { try file.write([Self.first, Self.second]) }
      #expect(try text() == other)
    }
    // A deleted one is written again.
    try folder.remove("test.cassette")
    let isAppended = file.append(Self.second)
    #expect(!isAppended)
    try file.write([Self.first])
  }

  /// The first write replaces the file that the recording found, and no other.
  @Test func aFileThatChangesBeforeTheFirstExchangeIsKept() throws {
    var early = CassetteFile(path: path)
    try folder.write("mine", to: "test.cassette")
    #expect(throws: TableError.self) { try early.write([Self.first]) }
    #expect(try text() == "mine")
    var late = CassetteFile(path: path)
    try late.write([Self.first])
    let whole = CassetteText.text(of: [Self.first])
    #expect(try text() == String(decoding: whole, as: UTF8.self))
  }

  @Test func anIncompleteExchangeIsSkipped() throws {
    let start = String(decoding: CassetteText.text(of: [Self.first]), as: UTF8.self)
    let rest = "#" + Self.second
    // Fewer characters than the mark `#GET ` are a comment.
    for count in 0...rest.count {
      let recording = try CassetteReader.recording(in: start + rest.prefix(count))
      #expect(recording.exchanges.map(\.request.url) == ["http://a.test/1"])
      #expect(recording.unfinished == (count < 5 ? nil : 6))
    }
    let whole = try CassetteReader.recording(in: start + "\n" + Self.second)
    #expect(whole.exchanges.count == 2 && whole.unfinished == nil)
  }

  @Test func aRecorderRewritesTheFileOnlyIfNecessary() async throws {
    let recorder = CassetteRecorder(
      path: path, through: ScriptedTransport { TransportResponse("of 123-456 \($0.url)") })
    func send(_ number: Int, _ query: [RequestParameter] = []) async throws {
      _ = try await recorder.send(
        TransportRequest(url: "http://a.test/\(number)", query: query))
    }
    try await send(1)
    let first = try identity()
    try await send(2)
    #expect(try identity() == first)
    try await send(3, [RequestParameter("code", .secret("123-456", symbol: "env CODE"))])
    #expect(try !text().contains("123-456"))
    try folder.remove("test.cassette")
    try await send(4)
    #expect(try CassetteReplay(path: path).count == 4)
  }
}
