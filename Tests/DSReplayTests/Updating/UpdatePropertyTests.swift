import Testing

@testable import DSReplay

@Suite struct UpdatePropertyTests {
  static func script(_ generator: inout SeededGenerator) -> String {
    let commands = [
      "print 12", "print \"a {b} \\\\\"", "print \" x \"", "objects l", "count l",
      "object l [0, 9]",
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
    let seed = UInt64.random(in: 0...UInt64.max)
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
      let second = await ReplayRunner().run(again)
      let left = second.failures.filter { $0.correction != nil }
      #expect(left.isEmpty, "seed \(seed):\n\(text)\n---\n\(new)\n\(left.flatMap(\.picture))")
      #expect(
        second.failures.count == outcome.failures.filter { $0.correction == nil }.count,
        "seed \(seed)")
    }
    #expect(updates > 100)
  }

  @Test func anOutcomeCrossesAsOneLine() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
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
