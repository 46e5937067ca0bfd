import Testing

@testable import dsshell

/// Command lines read without the argument parser mean the same as with it.
struct PlainStartTests {
  private static let words = [
    "-c", "--output", "json", "table", "nonsense", "a.ds", "b", "", "-", "--", "-x", "--no-color",
    "let x = 1", "--output=json", "-c=1", "help", "--help", "test", "-cx", "é",
  ]

  private func fields(_ command: DSShell) -> [String?] {
    [command.c, command.output?.text, "\(command.keepGoing) \(command.noColor) \(command.manual)"]
      + command.words
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func aPlainCommandLineMeansTheSameToTheParser(seed: UInt64) throws {
    var state = seed
    func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var plain = 0
    for _ in 0..<400 {
      let words = (0..<below(5)).map { _ in Self.words[below(Self.words.count)] }
      guard let command = DSShell(plain: words) else { continue }
      plain += 1
      let parsed = try DSShell(parsing: words)
      #expect(fields(command) == fields(parsed), "seed \(seed): \(words)")
    }
    #expect(plain > 50)
  }

  @Test(arguments: [
    [], ["-c", ""], ["--output", "json", "-c", "echo 1", "a", "b"], ["a.ds", "b.ds", "c"], ["-"],
    ["a.csv", "-c", "count a", "b"],
  ])
  func commonCommandLinesArePlain(words: [String]) {
    #expect(DSShell(plain: words) != nil)
  }

  @Test(arguments: [
    ["--output"], ["--output", "nonsense"], ["-c"], ["--keep-going"], ["a.ds", "-x"],
    ["-c", "1", "--output", "json"], ["--help"],
    ["--manual"], ["--completions", "bash"],
  ])
  func otherCommandLinesAreLeftToTheParser(words: [String]) {
    #expect(DSShell(plain: words) == nil)
  }
}
