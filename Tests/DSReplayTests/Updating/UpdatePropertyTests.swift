import DataSources
import Foundation
import Testing

@testable import DSReplay

@Suite struct UpdatePropertyTests {
  static func script(_ generator: inout SeededGenerator) -> String {
    let commands = [
      "print 12", "print \"a {b} \\\\\"", "print \" x \"", "objects l", "count l",
      "object l [0, 9]",
      "mode csv; objects (simple [{a: \"k\\rprint 777 # \"}, {a: \"{\\r\\r\"}]); mode table",
      "mode csv; objects (simple [{\"\\r\": 12}]); mode table",
      "show l", "print nothing", "titles l", "print \"{int}\"", "print \"a 12 b 13\"", "tree l",
    ]
    let expectations = [
      "#| 12", "#~ {int}", "#~ {*}", "#...", "#| a", "#~ a {int} b {num}", "#! error: x", "#|",
      "#~ {n=int}", "#| value", "#! error: {*}", "#~ {hex} {{ {path}", "#% unordered",
    ]
    var lines = ["let l = simple [{name: Pie}, {name: Apple}, 3]"]
    for _ in 0..<Int.random(in: 1...5, using: &generator) {
      lines.append(generator.pick(commands))
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        lines.append(generator.pick(expectations))
      }
      if Bool.random(using: &generator) { lines.append("# between") }
    }
    return lines.joined(separator: generator.pick(["\n", "\r\n"])) + generator.pick(["", "\n"])
  }

  @Test func afterAnUpdateEverythingPassesAndTheNextChangesNothing() async {
    let seed: UInt64 = 1
    var generator = SeededGenerator(seed: seed)
    var updates = 0
    for _ in 0..<400 {
      let text = Self.script(&generator)
      let script = ReplayScript(text, path: "t.ds")
      guard script.mistakes.isEmpty else { continue }
      let outcome = await ReplayRunner().run(script)
      let edits = outcome.failures.compactMap(\.correction).flatMap(\.edits)
      let new = script.text(after: edits)
      updates += edits.count
      let again = ReplayScript(new, path: "t.ds")
      #expect(again.mistakes.isEmpty, "seed \(seed):\n\(text)\n---\n\(new)")
      #expect(again.commands.map(\.text) == script.commands.map(\.text), "seed \(seed):\n\(new)")
      let second = await ReplayRunner().run(again)
      let left = second.failures.filter { $0.correction != nil }
      #expect(left.isEmpty, "seed \(seed):\n\(text)\n---\n\(new)\n\(left.flatMap(\.picture))")
      #expect(
        second.failures.count == outcome.failures.filter { $0.correction == nil }.count,
        "seed \(seed)")
    }
    #expect(updates > 100)
  }

  /// Adds side files to a script, one for each place.
  static func withFiles(_ script: String, _ generator: inout SeededGenerator) -> (
    text: String, files: [String: String]
  ) {
    let texts = [
      "", "12\n", "a\nb", "value\r\n1\r\n", "\u{FEFF}x\n", "\n", "{int}\n12\n", "a\r", "\r\n\r\n",
    ]
    var files: [String: String] = [:]
    var lines: [Substring] = []
    for line in script.split(separator: "\n", omittingEmptySubsequences: false) {
      lines.append(line)
      guard !line.isEmpty, !line.hasPrefix("#"), Int.random(in: 0..<3, using: &generator) == 0
      else { continue }
      let name = "f\(files.count)"
      // Some do not exist.
      files[name] = generator.pick(texts)
      lines.append("#< \(name)\(line.hasSuffix("\r") ? "\r" : "")")
    }
    return (lines.joined(separator: "\n"), files)
  }

  @Test func aSecondUpdateOfSideFilesChangesNothing() async throws {
    let seed: UInt64 = 1
    var generator = SeededGenerator(seed: seed)
    var written = 0
    for _ in 0..<200 {
      let folder = FileManager.default.temporaryDirectory.path + "/replay-side-\(UUID())"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let (text, files) = Self.withFiles(Self.script(&generator), &generator)
      let path = folder + "/t.ds"
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      for (name, text) in files where Bool.random(using: &generator) {
        try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
      }
      guard ReplayScript(text, path: path).mistakes.isEmpty else { continue }
      var update = ScriptUpdate()
      update.update(await Self.run(path))
      written += update.changedFiles
      let after = try Self.contents(of: folder)
      let second = await Self.run(path)
      let left = second.failures.filter { $0.correction != nil }
      #expect(left.isEmpty, "seed \(seed):\n\(text)\n\(left.flatMap(\.picture))")
      var again = ScriptUpdate()
      again.update(second)
      #expect(again.changedFiles == 0, "seed \(seed)")
      #expect(try Self.contents(of: folder) == after, "seed \(seed)")
    }
    #expect(written > 100)
  }

  private static func run(_ path: String) async -> FileOutcome {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return await ReplayRunner().run(ReplayScript(text, path: path))
  }

  private static func contents(of folder: String) throws -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      contents[name] = Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
    }
    return contents
  }

  @Test func referencesOfACommandFollowTheirCaptures() async {
    let seed: UInt64 = 1
    var generator = SeededGenerator(seed: seed)
    let expectations = [
      "#~ {n=int}", "#~ a {n=int}", "#~ a {n}", "#~ {n} b", "#~ {n}", "#| a 1", "#~ {*} {m=num~2}",
      "#~ b {m} {n}", "#~ {int} x", "#| a",
    ]
    var updates = 0
    for _ in 0..<600 {
      let rows = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        "{a: \"" + generator.pick(["1", "a 1", "a 2", "1 b", "b 2 1", "2", "1 x"]) + "\"}"
      }
      var lines = ["mode csv", "objects (simple [\(rows.joined(separator: ", "))])"]
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        lines.append(generator.pick(expectations))
      }
      let text = lines.joined(separator: "\n") + "\n"
      let script = ReplayScript(text, path: "t.ds")
      guard script.mistakes.isEmpty else { continue }
      let outcome = await ReplayRunner().run(script)
      let edits = outcome.failures.compactMap(\.correction).flatMap(\.edits)
      updates += edits.count
      let again = ReplayScript(script.text(after: edits), path: "t.ds")
      let note: Comment = "seed \(seed):\n\(text)---\n\(script.text(after: edits))"
      #expect(again.mistakes.isEmpty, note)
      let second = await ReplayRunner().run(again)
      #expect(second.failures.isEmpty, note)
    }
    #expect(updates > 100)
  }

  @Test func anOutcomeIsSerializedAsOneLine() async throws {
    let seed: UInt64 = 1
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let script = ReplayScript(Self.script(&generator), path: "t é\".ds")
      let outcome = await ReplayRunner().run(script)
      var line = FieldLine()
      outcome.write(to: &line)
      #expect(!line.bytes.contains(UInt8(ascii: "\n")))
      var fields = FieldReader(line.bytes[...])
      #expect(try FileOutcome(from: &fields) == outcome, "seed \(seed)")
    }
  }
}
