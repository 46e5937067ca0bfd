import DataTables
import Foundation
import Testing

@testable import DataSources

@Suite struct FileOverlayTests {
  private let folder: TemporaryFolder
  private let copies: TemporaryFolder
  private let overlay: FileOverlay

  init() throws {
    folder = try TemporaryFolder()
    let copies = try TemporaryFolder()
    self.copies = copies
    overlay = FileOverlay { [path = copies.path] in path }
  }

  private func names(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
  }

  private func read(_ path: String) throws -> String {
    try TextFile.read(path, cancellation: Cancellation())
  }

  @Test func aWriteToTheOverlayLeavesTheFileUnchanged() throws {
    let path = try folder.write("old", to: "a.txt")
    try FileOverlay.$current.withValue(overlay) {
      #expect(try read(path) == "old")
      #expect(overlay.folder == nil)
      try WholeFile.write(Array("new".utf8), to: path)
      #expect(try read(path) == "new")
      let new = folder.path(of: "b.txt")
      #expect(!WholeFile.exists(new))
      try WholeFile.write(Array("b".utf8), to: new)
      #expect(WholeFile.exists(new))
      #expect(try read(folder.path + "/../" + name(of: folder) + "/b.txt") == "b")
    }
    #expect(try read(path) == "old")
    #expect(try names(in: folder) == ["a.txt"])
    #expect(overlay.folder == copies.path)
  }

  private func name(of folder: TemporaryFolder) -> Substring {
    folder.path[
      (folder.path.lastIndex(of: "/").map { folder.path.index(after: $0) }
        ?? folder.path.startIndex)...]
  }

  @Test func aMissingFolderIsTheSameErrorAsWithoutAnOverlay() {
    let path = folder.path(of: "none/a.txt")
    let message = "cannot write `\(path)`: No such file or directory"
    for overlay in [overlay, nil] {
      FileOverlay.$current.withValue(overlay) {
        #expect(throws: TableError.io(message)) { try WholeFile.write([], to: path) }
        #expect(throws: TableError.io(message)) { try WholeFile.check(path) }
      }
    }
  }

  @Test func aLinkReadsTheCopyOfItsTarget() throws {
    let path = try folder.write("old", to: "a.txt")
    let link = folder.path(of: "link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    try FileOverlay.$current.withValue(overlay) {
      try WholeFile.write(Array("new".utf8), to: link)
      #expect(try read(path) == "new")
    }
    #expect(try read(link) == "old")
  }

  @Test func anInnerOverlayReadsTheCopiesOfTheOuter() throws {
    let path = folder.path(of: "a.txt")
    let inner = try TemporaryFolder()
    try FileOverlay.$current.withValue(overlay) {
      try WholeFile.write(Array("outer".utf8), to: path)
      let second = FileOverlay { [path = inner.path] in path }
      try FileOverlay.$current.withValue(second) {
        #expect(try read(path) == "outer")
        try WholeFile.write(Array("inner".utf8), to: path)
        #expect(try read(path) == "inner")
      }
      #expect(try read(path) == "outer")
    }
  }

  @Test func tasksStartedWithinTheOverlayReadIt() async throws {
    let path = try folder.write("old", to: "a.txt")
    try await FileOverlay.$current.withValue(overlay) {
      try WholeFile.write(Array("new".utf8), to: path)
      let text = try await Task { try TextFile.read(path, cancellation: Cancellation()) }.value
      #expect(text == "new")
      var options = ReadOptions()
      options.format = "csv"
      let source = try await SimpleSource.load(path, options: options, formats: .core)
      #expect(source.table.keys == ["new"])
    }
  }

  @Test func aCassetteIsRecordedAndReplayedInTheOverlay() async throws {
    let path = folder.path(of: "new.cassette")
    let request = TransportRequest(url: "http://example.test/a")
    try await FileOverlay.$current.withValue(overlay) {
      let recorder = CassetteRecorder(
        path: path, through: ScriptedTransport { _ in TransportResponse("one") })
      for _ in 0..<2 { _ = try await recorder.send(request) }
      #expect(try CassetteReplay(path: path).count == 2)
    }
    #expect(try names(in: folder).isEmpty)
  }

  @Test func aStubReturnsTheWrittenCopy() async throws {
    try folder.write("[1]", to: "posts.json")
    try await FileOverlay.$current.withValue(overlay) {
      try WholeFile.write(Array("[2]".utf8), to: folder.path(of: "posts.json"))
      try WholeFile.write(Array("[3]".utf8), to: folder.path(of: "new.json"))
      let stub = try StubTransport(url: "http://example.test/", path: folder.path, formats: .core)
      for (name, text) in [("posts", "[2]"), ("new", "[3]")] {
        let request = TransportRequest(url: "http://example.test/" + name)
        #expect(await (try stub.send(request)).text == text)
      }
    }
  }
}
