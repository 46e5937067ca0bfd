import DataSources
import Testing

@testable import DSInterpreter

@Suite struct FuzzTests {
  static let pieces = [
    "let", "x", "=", "==", "fetch", "sectioned", "key:", "sort:", "where:", "print", "expect",
    "throws", "syntax:", "[", "]", "{", "}", "(", ")", "|", "||", ",", ";", "\"", "'", "\\", "#",
    "\n", "\r\n", " ", " ", " ", ".", "[0]", "[1, 2]", "a.b", "12", "2012-11-01", "not", "and",
    "IN", "[cd]", "ANY", "é", "漢", "\u{301}", "😀", "\u{A0}", "\0", "env", "_", "-", "!", "\\u{",
    "a:", ":", "key:x", "true",
  ]

  @Test(arguments: 1...20)
  func randomTextDoesNotCrash(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let count = Int.random(in: 1...40, using: &generator)
      let text = (0..<count).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }
        .joined()
      check(text, seed: seed)
    }
  }

  @Test(arguments: 1...20)
  func mutatedScriptsDoNotCrash(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for example in examples {
      var characters = Array(example)
      for _ in 0..<Int.random(in: 1...4, using: &generator) where !characters.isEmpty {
        let position = Int.random(in: 0..<characters.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: characters.remove(at: position)
        case 1:
          let piece = Self.pieces.randomElement(using: &generator) ?? ""
          characters.insert(contentsOf: piece, at: position)
        default:
          characters.swapAt(position, Int.random(in: 0..<characters.count, using: &generator))
        }
      }
      check(String(characters), seed: seed)
    }
  }

  private func check(_ text: String, seed: UInt64) {
    _ = Interpreter.isIncomplete(text)
    let lines = text.split(
      omittingEmptySubsequences: false,
      whereSeparator: { $0.isNewline && $0 != "\u{B}" && $0 != "\u{C}" })
    for mistake in parse(text).mistakes {
      guard let place = mistake.place else {
        Issue.record("no place: \(text.debugDescription), seed \(seed)")
        continue
      }
      let isInside =
        place.line >= 1 && place.line <= lines.count + 1 && place.column >= 1
        && place.column <= place.text.count + 2 && place.length >= 1
        && place.column + place.length <= place.text.count + 3
      #expect(isInside, "\(place) of \(text.debugDescription), seed \(seed)")
    }
  }
}
