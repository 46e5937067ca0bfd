import Testing

@testable import dsshell

/// Command lines read without the argument parser mean the same as with it.
struct CommandLineOptionsTests {
  private static let words = [
    "-c", "--output", "json", "table", "nonsense", "a.ds", "b", "", "-", "--", "-x", "--no-color",
    "let x = 1", "--output=json", "-c=1", "help", "--help", "test", "-cx", "é",
  ]

  private func fields(_ options: CommandLineOptions) -> [String?] {
    [
      options.commands, options.output?.text,
      "\(options.keepsGoing) \(options.usesNoColor) \(options.isPlain) \(options.printsManual)",
    ] + options.words
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func aSimpleCommandLineMeansTheSameToTheParser(seed: UInt64) throws {
    var state = seed
    func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var simple = 0
    for _ in 0..<400 {
      let words = (0..<below(5)).map { _ in Self.words[below(Self.words.count)] }
      guard let options = CommandLineOptions(simple: words) else { continue }
      simple += 1
      let parsed = try CommandLineOptions(parsing: words)
      #expect(fields(options) == fields(parsed), "seed \(seed): \(words)")
    }
    #expect(simple > 50)
  }

  @Test(arguments: [
    [], ["-c", ""], ["--output", "json", "-c", "echo 1", "a", "b"], ["a.ds", "b.ds", "c"], ["-"],
    ["a.csv", "-c", "count a", "b"],
  ])
  func commonCommandLinesAreSimple(words: [String]) {
    #expect(CommandLineOptions(simple: words) != nil)
  }

  @Test(arguments: [
    ["--output"], ["--output", "nonsense"], ["-c"], ["--keep-going"], ["a.ds", "-x"],
    ["-c", "1", "--output", "json"], ["--help"],
    ["--manual"], ["--completions", "bash"],
  ])
  func otherCommandLinesAreLeftToTheParser(words: [String]) {
    #expect(CommandLineOptions(simple: words) == nil)
  }
}
