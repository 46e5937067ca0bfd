import DataSources
import Foundation
import Testing

@testable import DSReplay

/// The real tools apply the patches.
@Suite struct UnifiedDiffTests {
  static let tools = [
    ("/usr/bin/patch", ["-p0", "--quiet"]),
    ("/usr/bin/git", ["apply", "-p0", "--whitespace=nowarn"]),
  ].filter { access($0.0, X_OK) == 0 }

  /// Applies a patch to a file in a new folder.
  /// - Returns: the file afterwards; nil if it does not exist.
  static func patched(
    _ old: String?, with patch: String, named name: String, _ tool: (String, [String])
  ) throws -> String? {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("diff-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(name)
    if let old { try Data(old.utf8).write(to: file) }
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: tool.0)
    process.arguments = tool.1
    process.currentDirectoryURL = folder
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, output)
    try process.run()
    input.fileHandleForWriting.write(Data(patch.utf8))
    try input.fileHandleForWriting.close()
    let messages = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(tool.0): \(messages)\n\(patch)")
    return (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
  }

  static func text(_ generator: inout SeededGenerator) -> String {
    let ends = Int.random(in: 0..<8, using: &generator) == 0 ? "\r\n" : "\n"
    var text = (0..<Int.random(in: 0...25, using: &generator))
      .map { _ in generator.pick(["a", "b", "#| c", "", "e\u{301}", "é", "-x", "+y", "@@"]) + ends }
      .joined()
    if Bool.random(using: &generator) { text += "last" }
    return text
  }

  @Test func theToolsMakeTheNewText() throws {
    try #require(!Self.tools.isEmpty)
    var generator = SeededGenerator(seed: 3)
    var applied = 0
    for round in 0..<120 {
      let old = Self.text(&generator)
      // Two independent texts share little; a changed one shares most lines.
      var lines = old.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      for _ in 0..<2 where !lines.isEmpty {
        lines[Int.random(in: lines.indices, using: &generator)] = "changed \(round)"
      }
      let new = round % 4 == 0 ? Self.text(&generator) : lines.joined(separator: "\n")
      let patch = UnifiedDiff(path: "t.ds", from: old, to: new).text
      #expect(patch.isEmpty == old.utf8.elementsEqual(new.utf8))
      if patch.isEmpty || old.isEmpty || new.isEmpty { continue }
      for tool in Self.tools {
        let result = try #require(try Self.patched(old, with: patch, named: "t.ds", tool))
        #expect(result.utf8.elementsEqual(new.utf8), "round \(round), \(tool.0):\n\(patch)")
      }
      applied += 1
    }
    #expect(applied > 80)
  }

  @Test(arguments: ["a b.ds", "é.ds", "quo\"te.ds", "back\\slash.ds", "tab\t.ds"])
  func theToolsFindTheFile(name: String) throws {
    let patch = UnifiedDiff(path: name, from: "a\nb\n", to: "a\nc\n").text
    for tool in Self.tools {
      #expect(try Self.patched("a\nb\n", with: patch, named: name, tool) == "a\nc\n", "\(tool.0)")
    }
  }

  @Test func aNewFileIsCreated() throws {
    let patch = UnifiedDiff(path: "new.txt", from: nil, to: "1\n2\n").text
    for tool in Self.tools {
      #expect(try Self.patched(nil, with: patch, named: "new.txt", tool) == "1\n2\n", "\(tool.0)")
    }
  }
}
