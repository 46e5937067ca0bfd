import DataSources
import Testing

@testable import DSReplay

@Suite struct LineEndingTests {
  @Test(arguments: [
    ("a\\s", "a "), ("a\\\\", "a\\"), ("a\\", "a\\"), ("as", "as"), ("\\s", " "), ("", ""),
    ("a\\\\s", "a\\s"), ("a\\\\\\s", "a\\ "), ("a\\sb", "a\\sb"), ("a ", "a "),
  ])
  func anEndingIsRead(written: String, line: String) {
    #expect(LineEnding.read(written) == line)
  }

  @Test func aWrittenEndingReadsAsTheLine() {
    let seed: UInt64 = 1
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5000 {
      let line = (0..<Int.random(in: 0...6, using: &generator))
        .map { _ in generator.pick(["\\", "s", " ", "a", "é"]) }.joined()
      #expect(LineEnding.read(LineEnding.written(line)) == line, "seed \(seed)")
    }
  }

  @Test func noWrittenLineEndsInASpace() {
    #expect(LineEnding.written("  ") == " \\s")
    #expect(LineEnding.written("a \\ ") == "a \\\\\\s")
  }
}
