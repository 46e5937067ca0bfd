/// The blanks that all lines of a text share, which separate columns.
struct SharedGaps {
  /// The header or first row, and others.
  let rows: ArraySlice<FixedSample.Row>
  /// The ranges of characters between columns.
  private(set) var ranges: [Range<Int>]

  /// The gaps around columns with words in the first line and in others; nil for a text of one line,
  /// and for one with tabs.
  init?(_ rows: ArraySlice<FixedSample.Row>) {
    guard rows.count > 1, !rows.contains(where: { $0.characters.contains(0x09) }) else {
      return nil
    }
    self.rows = rows
    ranges = Self.blanks(rows)
    merge()
  }

  var columns: Int { ranges.count + 1 }

  /// The ranges of characters of the columns.
  private var spans: [Range<Int>] {
    zip([0] + ranges.map(\.upperBound), ranges.map(\.lowerBound) + [Int.max]).map { $0..<$1 }
  }

  /// The ranges of characters between others that are blank in all lines.
  private static func blanks(_ rows: ArraySlice<FixedSample.Row>) -> [Range<Int>] {
    let width = rows.map(\.characters.count).max() ?? 0
    var isUsed = [Bool](repeating: false, count: width)
    for row in rows {
      for word in row.words { for index in word { isUsed[index] = true } }
    }
    var gaps: [Range<Int>] = []
    var end: Int?
    for index in isUsed.indices where isUsed[index] {
      if let end, index > end { gaps.append(end..<index) }
      end = index + 1
    }
    return gaps
  }

  /// Joins a column without words in the first line or in others to the one across its narrower gap:
  /// blanks within values separate nothing.
  private mutating func merge() {
    guard let header = rows.first else { return }
    var column = 0
    while !ranges.isEmpty, column < columns {
      let span = spans[column]
      func hasWord(_ row: FixedSample.Row) -> Bool { row.words.contains { $0.overlaps(span) } }
      // The first column may have the names of rows and no name of its own.
      let hasRowNames =
        column == 0 && rows.count > 2 && (header.words.first?.lowerBound ?? 0) >= span.upperBound
        && rows.dropFirst().allSatisfy(hasWord)
      if hasRowNames || hasWord(header) && rows.dropFirst().contains(where: hasWord) {
        column += 1
      } else if column > 0,
        column == ranges.count || ranges[column - 1].count <= ranges[column].count
      {
        ranges.remove(at: column - 1)
        column -= 1
      } else {
        ranges.remove(at: column)
      }
    }
  }

  /// Whether all cells of each column start or end at the same place, and none consists of several
  /// numbers, which are in columns of their own. Without keys, most rows must have a cell: the last
  /// words of long lines may be aligned by accident.
  var alignValues: Bool {
    guard let header = rows.first else { return false }
    let hasKeys = HeaderGuess.areKeys(
      header.words.map { String(decoding: header.text($0), as: UTF8.self) })
    return spans.allSatisfy { span in
      var cells: [Range<Int>] = []
      for row in rows {
        let words = row.words.filter { span.contains($0.lowerBound) }
        guard let first = words.first, let last = words.last else { continue }
        cells.append(first.lowerBound..<last.upperBound)
        if words.count > 1, words.allSatisfy(row.isNumberOrDate) { return false }
      }
      guard hasKeys || cells.count * 2 > rows.count else { return false }
      return Set(cells.map(\.lowerBound)).count == 1 || Set(cells.map(\.upperBound)).count == 1
    }
  }

  /// Whether more words than columns are numbers or dates in all rows below the header, so that a gap
  /// between two columns is filled.
  /// - Parameter count: the number of words that each row has at least.
  func hasMoreNumbers(inWords count: Int) -> Bool {
    let below = rows.dropFirst()
    let words = (0..<count).count { column in
      below.allSatisfy { $0.isNumberOrDate($0.words[column]) }
    }
    let columns = spans.count { span in
      below.allSatisfy { row in
        let inside = row.words.filter { $0.overlaps(span) }
        return inside.count == 1 && row.isNumberOrDate(inside[0])
      }
    }
    return words > columns
  }
}
