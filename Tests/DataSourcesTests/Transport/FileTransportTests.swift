import DataSources
import Foundation
import Testing

@Suite struct FileTransportTests {
  /// A folder with a file of that name and content.
  private func folder(_ name: String, _ bytes: [UInt8]) throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("dsshell-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: folder.appendingPathComponent(name))
    return folder
  }

  private func bytes(
    _ url: String, in folder: String = "", limit: Int = 1 << 30
  ) async throws -> [UInt8] {
    var request = TransportRequest(url: url)
    request.limits.bodySize = limit
    let response = try await FileTransport(folder: folder).send(request)
    #expect(response.status == 200)
    return try await response.body.reduce(into: []) { $0 += $1 }
  }

  @Test func aFileIsReadThroughEachFormOfItsURL() async throws {
    let content = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
    let folder = try folder("a b é.json", content)
    defer { try? FileManager.default.removeItem(at: folder) }
    let name = "a%20b%20%C3%A9.json"
    for url in [
      "file://\(folder.path)/\(name)", "file://localhost\(folder.path)/\(name)",
      "file:\(folder.path)/\(name)", "FILE:\(folder.path)/\(name)?x=1#y", "file:\(name)",
      "file:a b é.json",
    ] {
      #expect(try await bytes(url, in: folder.path) == content, "\(url)")
    }
  }

  @Test func anEmptyFileIsAnEmptyBody() async throws {
    let folder = try folder("empty", [])
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try await bytes("file:empty", in: folder.path) == [])
  }

  @Test func aMissingFileFails() async throws {
    await #expect(
      throws: TransportError.io("cannot open `/nowhere/x`: No such file or directory")
    ) { try await bytes("file:///nowhere/x") }
    await #expect(throws: TransportError.io("`/` is a folder")) { try await bytes("file:///") }
  }

  @Test(arguments: [
    "file:", "file://", "file:///a%2", "file:///a%00b", "file:///a%FF", "http://h/",
  ])
  func aURLThatDoesNotNameAFileFails(url: String) async throws {
    do {
      _ = try await bytes(url)
      Issue.record("\(url) was read")
    } catch TransportError.badURL(let message) {
      #expect(message.contains("`\(url)`"))
    }
  }

  @Test func aFileOfAnotherHostIsRefused() async throws {
    await #expect(
      throws: TransportError.badURL(
        "`file://server/x` names a file of the host `server`; write file:///folder/name")
    ) { try await bytes("file://server/x") }
  }

  @Test func aFileBeyondTheLimitFails() async throws {
    let folder = try folder("large", Array(repeating: 1, count: 100))
    defer { try? FileManager.default.removeItem(at: folder) }
    await #expect(
      throws: TransportError.limit(
        "`\(folder.path)/large` is larger than 99 bytes", setting: "bodySize")
    ) { try await bytes("file:large", in: folder.path, limit: 99) }
    #expect(try await bytes("file:large", in: folder.path, limit: 100).count == 100)
  }
}
