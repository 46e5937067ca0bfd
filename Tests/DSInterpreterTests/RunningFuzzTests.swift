import DataSources
import Testing

@testable import DSInterpreter
@testable import DSReplay

@Suite struct RunningFuzzTests {
  /// Without `wait`, which waits for the next change of a watched source, however long that takes.
  static let verbs = CommandTable.standard.names.filter {
    !["source", "quit", "exit", "wait"].contains($0)
  }
  static let values = [
    "foods", "letters", "letters", "letters", "x", "_", "args", "[0, 0]", "[5, 1]", "[7]",
    "[-1, 99]",
    "[9223372036854775807, 9223372036854775807]", "[99999999999999999999]", "[]", "{name: Pie}",
    "{}", "(letters)", "(count letters)", "null", "true", "3", "-1", "\"\"", "\"é\"",
    "letters[0, 0]", "letters[5].name", "letters[7, 7]", "letters.sections", "args[0]",
    "letters[3, 0].name.firstCharacter", "data/foods.csv", "(indexPath letters {kind: fruit})",
  ]
  static let tails = [
    "key: name", "key: null", "key: kind sort: kind desc, name numeric", "sort: nme", "name: \"\"",
    "nulls: first sort: kind", "where: name > 3 or kind LIKE '*e*'",
    "where: SELF == null or SELF.kind == 3",
    "where: name MATCHES '['", "types: {name: date}", "header: false", "keys: [a]", "maxRow: 1",
    "maxDepth: 0", "delimiter: \",\"", "name: env HOME", "| fetch", "| sections", "| count",
    "| sectioned key: kind", "| simple", "| print", "== 3", "< letters", "IN {1, \"a\"}",
    "BETWEEN {1}", "CONTAINS \"P\"", "MATCHES \"(\"", "and not true", "or null",
  ]

  private func line(_ generator: inout SeededGenerator) -> String {
    let lead =
      ["", "", "", "", "let x = ", "expect throws io: ", "expect (", "print ("]
      .randomElement(using: &generator) ?? ""
    var words = [Self.verbs.randomElement(using: &generator) ?? ""]
    for _ in 0..<Int.random(in: 0...2, using: &generator) {
      words.append(Self.values.randomElement(using: &generator) ?? "")
    }
    for _ in 0..<Int.random(in: 0...1, using: &generator) {
      words.append(Self.tails.randomElement(using: &generator) ?? "")
    }
    return lead + words.joined(separator: " ") + (lead.hasSuffix("(") ? ")" : "")
  }

  @Test(arguments: 1...12)
  func randomScriptsDoNotCrash(seed: UInt64) async throws {
    // Random commands may save edits to the file of `foods`.
    let result = await FileOverlay.withTemporaryFolder { () async -> Result<Int, any Error> in
      do { return .success(try await runRandomScripts(seed: seed)) } catch {
        return .failure(error)
      }
    }
    // Most of the commands fail, but not all.
    #expect(try result.get() > 30)
  }

  /// - Returns: the number of commands that succeed.
  private func runRandomScripts(seed: UInt64) async throws -> Int {
    var generator = SeededGenerator(seed: seed)
    let prepared = try await HelpTests.prepared()
    var done = 0
    for _ in 0..<1_000 {
      var interpreter = prepared
      interpreter.session.options.isInteractive = Bool.random(using: &generator)
      let text = line(&generator)
      try await interpreter.run(text, keepsGoing: true) { event, _ in
        switch event {
        case .output(let output):
          _ = try await PlainText.lines(of: output)
          done += 1
        case .failure(let diagnostic):
          #expect(diagnostic.place != nil, "\(text.debugDescription), seed \(seed)")
        }
      }
    }
    return done
  }
}
