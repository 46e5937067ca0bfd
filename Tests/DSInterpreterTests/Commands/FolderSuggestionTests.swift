import DSInterpreter
import Foundation
import Testing

/// The pattern that the error of a folder suggests loads files of one format.
struct FolderSuggestionTests {
  private static let gzip: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 255, 75, 228, 50, 228, 2, 0, 0, 36, 193, 137, 4, 0, 0, 0,
  ]

  @Test(
    arguments: [
      (["a.csv", "b.csv", "c.json"], 2), (["a.csv.gz", "b.csv.gz", "c.json"], 2),
      (["a.csv", "b.csv.gz", "c.csv.gz", "d.json"], 2), (["a.md", "b.md", "LICENSE", "c.csv"], 1),
      (["LICENSE", "README", "a.csv"], 1), (["A.CSV", "B.CSV", "c.json"], 2),
      (["a.json", "b.geojson", "c.json", "d.csv"], 2), (["a.csv.gz", "b.gz"], 1),
    ], ["plain", "two words", "a[b]", "[", "*x", "why?", "{a,b}", "q\"uo'te`", "back\\slash", "$x"])
  func theSuggestedPatternWorks(files: ([String], Int), folder: String) async throws {
    let root = FileManager.default.temporaryDirectory
      .appendingPathComponent("folders-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: root) }
    for folder in [folder, "other"] {
      let path = "\(root)/\(folder)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      for file in files.0 {
        let text = file.hasSuffix("json") ? "[{\"a\": 1}]" : "a\n1\n"
        let bytes = file.hasSuffix(".gz") ? Self.gzip : Array(text.utf8)
        try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(file)"))
      }
    }
    let typed = folder.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let refused = try await run("load \"\(typed)\"", in: root)
    let message = try #require(refused.errors.first)
    let load = try #require(message.firstRange(of: "`load "))
    let command = message[load.upperBound...].prefix { $0 != "`" }
    let loaded = try await run("let t = load \(command)", in: root)
    #expect(loaded.errors == [], "\(message)")
    #expect(loaded.lines.first?.hasPrefix("t: \(files.1) object") == true, "\(loaded.lines)")
  }

  private func run(
    _ text: String, in folder: String
  ) async throws -> (lines: [String], errors: [String]) {
    var interpreter = Interpreter()
    interpreter.session.options.folder = folder
    var lines: [String] = []
    var errors: [String] = []
    try await interpreter.run(text) { event, _ in
      switch event {
      case .failure(let diagnostic): errors.append(diagnostic.message)
      case .output(let output): lines += try await PlainText.lines(of: output)
      }
    }
    return (lines, errors)
  }
}
