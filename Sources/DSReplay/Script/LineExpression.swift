import DataTables

/// The regular expression of a hole, as `MATCHES` understands it.
struct LineExpression: Sendable, Equatable {
  /// As written between the slashes.
  let text: String
  fileprivate let expression: RegularExpression

  /// - Throws: ``RegularExpressionError``.
  init(_ text: String) throws(RegularExpressionError) {
    self.text = text
    expression = try RegularExpression(text)
  }

  static func == (left: Self, right: Self) -> Bool { left.text == right.text }
}

/// A line as characters, which regular expressions match, with their places in its bytes.
final class LineCharacters {
  private let characters: [Character]
  /// The offset in bytes of each character, and of the end.
  private let offsets: [Int]
  /// The number of steps left for all matches in the line. It limits a pattern that tries an expression
  /// at every character of a very long line.
  private var budget = 20_000_000

  init(_ bytes: [UInt8]) {
    characters = Array(String(decoding: bytes, as: UTF8.self))
    var offset = 0
    offsets =
      [0]
      + characters.map { character in
        offset += character.utf8.count
        return offset
      }
  }

  /// The end of each match that begins at a byte, the longest match first.
  ///
  /// - Returns: an empty array for a byte inside a character.
  func ends(of expression: LineExpression, from byte: Int) -> [Int] {
    let start = offsets.partitioningIndex { $0 >= byte }
    guard start < offsets.count, offsets[start] == byte else { return [] }
    return expression.expression.ends(in: characters, from: start, budget: &budget).reversed()
      .map { offsets[$0] }
  }
}

extension [Int] {
  /// The first index whose element satisfies a condition that holds for all later elements, too.
  fileprivate func partitioningIndex(where isInSecondPart: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if isInSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
