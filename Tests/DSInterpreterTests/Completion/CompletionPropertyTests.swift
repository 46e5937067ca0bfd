import DataSources
import DataTables
import Testing

@testable import DSInterpreter

/// Completes the lines of all scripts of the tests, cut off anywhere.
@Suite struct CompletionPropertyTests {
  private static let texts = ScriptFile.all.compactMap {
    try? TextFile.read($0.path, cancellation: Cancellation())
  }

  private func interpreter() async throws -> Interpreter {
    let names = """
      let text = "far off"; let number = 7; let record = object people [0, 0]
      let s = sectioned people key: address.city sort: address.city | fetch
      def byKey X key limit: 5 { sectioned X key: $key | fetch }
      """
    return try await UnfinishedLine(after: UnfinishedLine.people + "\n" + names).interpreter
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func everyBeginningOfALineIsCompleted(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let interpreter = try await interpreter()
    let lines = Self.texts.flatMap { $0.split(separator: "\n").map(String.init) }
    for _ in 0..<60 {
      let line = try #require(lines.randomElement(using: &generator))
      for offset in 0...line.utf8.count {
        let beginning = String(decoding: line.utf8.prefix(offset), as: UTF8.self)
        try await check(beginning, in: interpreter, seed)
        // The text behind the cursor makes no difference.
        let found = await interpreter.completions(for: line, at: offset)
        #expect(found.start <= offset)
      }
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func everyBeginningOfAScriptIsCompleted(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let interpreter = try await interpreter()
    for _ in 0..<150 {
      let text = try #require(Self.texts.randomElement(using: &generator))
      let end = Int.random(in: 0...min(text.utf8.count, 4_000), using: &generator)
      let beginning = String(decoding: text.utf8.prefix(end), as: UTF8.self)
      try await check(beginning, in: interpreter, seed)
    }
  }

  /// Checks that each candidate, when it is inserted, is one token.
  private func check(_ line: String, in interpreter: Interpreter, _ seed: UInt64) async throws {
    let found = await interpreter.completions(for: line, at: line.utf8.count)
    guard !found.candidates.isEmpty else { return }
    let commands = interpreter.session.commands
    let context = CompletionContext(line: line, offset: line.utf8.count, commands: commands)
    // A word of a statement is a part of a string.
    guard found.start == context?.word.start else { return }
    for candidate in found.candidates {
      let lead = String(decoding: line.utf8.prefix(found.start), as: UTF8.self)
      // Another key or the end of a comparison continues these: `count(`, `LIKE[c]`.
      var text = candidate.text
      if text.count > 1, text.hasSuffix("(") { text.removeLast() }
      if text.hasSuffix("[c]") { text.removeLast(3) }
      // The quotes around a folder are open.
      if !candidate.endsWord, let quote = text.first, quote == "\"" || quote == "'" {
        text.append(quote)
      }
      let isToken = [Scanner.Mode.arguments, .expression].contains { mode in
        let script = ScriptText(lead + text)
        var scanner = Scanner(Span(script, 0..<script.bytes.count))
        scanner.offset = found.start
        guard let token = try? scanner.next(mode) else { return false }
        return token.start == found.start && token.end == script.bytes.count
      }
      #expect(isToken, "\(line.debugDescription) + \(candidate.text), seed \(seed)")
      // The word does not join the one before it.
      let end = text.hasSuffix("\":") ? 2 : 1
      if text.utf8.count > end {
        let typed = lead + text.dropLast(end)
        let next = CompletionContext(line: typed, offset: typed.utf8.count, commands: commands)
        #expect(
          next?.word.start == found.start,
          "\(line.debugDescription) + \(candidate.text), seed \(seed)")
      }
    }
  }
}
