internal import CScan

/// The first lines of a text, in which columns are found.
struct FixedSample {
  struct Row {
    /// From 1 in the sample.
    let line: Int
    /// In the sample.
    let start: Int
    /// After the line end.
    let next: Int
    /// With `x` for characters that are not ASCII, so that an index is the number of a character.
    let characters: [UInt8]
    /// The ranges of its words.
    let words: [Range<Int>]

    var isRule: Bool {
      characters.contains { $0 != 0x20 }
        && characters.split { $0 == 0x20 || $0 == 0x09 }
          .allSatisfy { $0.allSatisfy { "-=_*+".utf8.contains($0) } }
        && words.contains { $0.count >= 3 }
    }

    /// Whether blanks stand in a row, or before the first word, so that blanks align words.
    var hasRun: Bool {
      (words.first?.lowerBound ?? 0) > 0 || hasInnerRun || characters.contains(0x09)
    }

    var hasInnerRun: Bool {
      zip(words, words.dropFirst()).contains { $1.lowerBound - $0.upperBound > 1 }
    }

    func text(_ range: Range<Int>) -> ArraySlice<UInt8> {
      characters[range.clamped(to: 0..<characters.count)]
    }

    func isNumberOrDate(_ word: Range<Int>) -> Bool {
      CellKind.isNumberOrDate(String(decoding: text(word), as: UTF8.self))
    }
  }

  /// Without blank lines and rules.
  private(set) var rows: [Row] = []

  static let maxRows = 100

  /// Whether two rows consist of as many numbers, which blanks align.
  var areNumbers: Bool {
    rows.count == 2 && rows[0].words.count > 1 && rows[0].words.count == rows[1].words.count
      && rows.allSatisfy { row in
        row.hasRun
          && row.words.allSatisfy(row.isNumberOrDate)
      }
  }

  init(_ bytes: ArraySlice<UInt8>, isWhole: Bool, comment: String?) {
    let comment = Array((comment ?? "").utf8)
    let first = bytes.startIndex
    bytes.withUnsafeBytes { raw in
      for found in TextLines(raw) {
        if rows.count == Self.maxRows { break }
        if found.isLast, !isWhole, !rows.isEmpty { break }
        let line = bytes[first + found.range.lowerBound..<first + found.range.upperBound]
        if !comment.isEmpty, line.starts(with: comment) { continue }
        let row = Self.row(line, number: found.number, next: first + found.next)
        if !row.words.isEmpty, !row.isRule { rows.append(row) }
      }
    }
  }

  private static func row(_ line: ArraySlice<UInt8>, number: Int, next: Int) -> Row {
    let characters = line.compactMap {
      $0 & 0xC0 == 0x80 ? nil : $0 < 0x80 ? $0 : UInt8(ascii: "x")
    }
    var words: [Range<Int>] = []
    var start: Int?
    for (index, byte) in characters.enumerated() {
      let isBlank = byte == 0x20 || byte == 0x09
      if isBlank, let first = start {
        words.append(first..<index)
        start = nil
      } else if !isBlank, start == nil {
        start = index
      }
    }
    if let first = start { words.append(first..<characters.count) }
    return Row(
      line: number, start: line.startIndex, next: next, characters: characters, words: words)
  }
}
