import DataSources
import Foundation
import Testing

@testable import DSInterpreter

@Suite struct PathCompletionTests {
  /// Completes lines in a folder with files whose names are unusual.
  private func words(_ line: String) async throws -> Completions {
    let folder = NSTemporaryDirectory() + "dsshell-paths-\(UInt64.random(in: 0...UInt64.max))"
    let files = [
      "my data.csv", "my dir/inner file.csv", "my dir/plain.csv", "plain.csv", "it's.csv", "run.ds",
      "notes.md", "sub/deep.ds", "#1.csv", "a,b.csv", ".hidden.csv", "don\"t.csv", "x[1].csv",
    ]
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for file in files {
      let path = folder + "/" + file
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data("a\n1\n".utf8).write(to: URL(fileURLWithPath: path))
    }
    var session = Session()
    session.options.folder = folder
    return await Interpreter(session: session).completions(for: line, at: line.utf8.count)
  }

  @Test(arguments: [
    ("load \"my da", ["\"my data.csv\""], 5), ("load 'my da", ["'my data.csv'"], 5),
    ("load my", ["\"my data.csv\"", "\"my dir/"], 5),
    (
      "load \"my dir/",
      [
        "\"my dir/inner file.csv\"", "\"my dir/plain.csv\"",
      ], 5
    ),
    ("load \"my dir/pl", ["\"my dir/plain.csv\""], 5), ("load pl", ["plain.csv"], 5),
    ("load \"pl", ["\"plain.csv\""], 5), ("load it", ["\"it's.csv\""], 5),
    ("load 'it", ["\"it's.csv\""], 5), ("load #", [], 6), ("load \"#", ["\"#1.csv\""], 5),
    ("load a", ["\"a,b.csv\""], 5), ("load .h", [".hidden.csv"], 5),
    ("load don", ["\"don\\\"t.csv\""], 5), ("load x", ["\"x[1].csv\""], 5),
    ("load su", ["sub/"], 5),
    ("load sub/", ["sub/deep.ds"], 5), ("load ~", ["~/"], 5),
    ("source ", ["\"my dir/", "notes.md", "run.ds", "sub/"], 7),
    ("source sub/", ["sub/deep.ds"], 7), ("source pl", [], 7),
    ("tree foods as: svg ", ["\"my dir/", "sub/"], 19), ("plot foods n as: svg pl", [], 21),
    ("load missing/", [], 5), ("multi (load \"my da", ["\"my data.csv\""], 12),
  ])
  func pathsAreCompleted(line: String, expected: [String], start: Int) async throws {
    let found = try await words(line)
    #expect(found.texts == expected)
    #expect(found.start == start)
  }

  @Test func aFolderGoesOn() async throws {
    #expect(try await words("load su").candidates.map(\.endsWord) == [false])
    #expect(try await words("load pl").candidates.map(\.endsWord) == [true])
  }
}
