import DataTables
import Foundation
import Testing

/// Compares characters with the test data of Unicode.
struct GraphemeBreakTests {
  /// A string and its characters.
  private struct Sample {
    let line: Int
    let characters: [String]
    var text: String { characters.joined() }
  }

  /// Two U+2701 joined by a zero width joiner. This version of Unicode classifies U+2701 as a
  /// pictograph; the standard library does not.
  private static let differingLine = 625

  private func samples() throws -> [Sample] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Data/GraphemeBreakTest.txt")
    let lines = try String(contentsOf: file, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    return try lines.enumerated().compactMap { index, line in
      guard let test = line.split(separator: "#", omittingEmptySubsequences: false).first,
        test.contains("÷"), index + 1 != Self.differingLine
      else { return nil }
      let characters = try test.split(separator: "÷").map { part in
        try part.split { $0.isWhitespace || $0 == "×" }.map { digits in
          String(try #require(UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)))
        }.joined()
      }
      return Sample(line: index + 1, characters: characters.filter { !$0.isEmpty })
    }
  }

  @Test func anObjectHasTheFirstCharacterAndTheLength() throws {
    let samples = try samples()
    #expect(samples.count == 601)
    let first = try ObjectKeyPath(parsing: "firstCharacter")
    let length = try ObjectKeyPath(parsing: "length")
    for sample in samples {
      let object = Value.string(sample.text)
      let expected = try #require(sample.characters.first)
      #expect(same(first.evaluate(on: object), expected), "line \(sample.line)")
      #expect(
        length.evaluate(on: object) == .integer(sample.characters.count), "line \(sample.line)")
    }
  }

  /// A column with this number of distinct strings is stored as bytes, and first characters are
  /// found without making strings.
  @Test func aColumnOfManyStringsHasTheFirstCharacters() throws {
    let samples = try samples()
    // A control character is always a character of its own.
    let texts = samples.flatMap { sample in
      (0..<20).map { (sample, sample.text + "\u{1}\($0)") }
    }
    let lines = texts.map { Value.record(Record([("name", .string($0.1))])).json }
    let table = try FormatTable.core.read(
      MemoryBytes(Array(lines.joined(separator: "\n").utf8)), named: "names.ndjson"
    ).table
    let column = try table.column(
      try ObjectKeyPath(parsing: "name.firstCharacter"), cancellation: Cancellation())
    guard case .coded(let codes, let values) = column else {
      Issue.record("first characters are coded")
      return
    }
    for (row, text) in texts.enumerated() {
      let expected = try #require(text.0.characters.first)
      #expect(same(values[codes[row]], expected), "line \(text.0.line)")
    }
  }

  /// Compares scalars, because equality would accept canonical equivalents.
  private func same(_ value: Value, _ text: String) -> Bool {
    guard case .string(let string) = value else { return false }
    return string.unicodeScalars.elementsEqual(text.unicodeScalars)
  }
}
