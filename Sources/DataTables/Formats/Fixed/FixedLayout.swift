/// The columns of a text without delimiters, found in its first lines.
///
/// Columns are words if all lines below the header have as many, unless gaps that all lines share
/// align values with blanks in them; else they are found from such gaps, or the last column takes the
/// rest of a line, as in a list of processes.
struct FixedLayout {
  private(set) var division: FixedFields.Division
  /// The index of the header, or of the first row without one.
  private(set) var first: Int
  /// The index of the first row below the header if the text has one.
  private(set) var header: Header
  /// Whether rows with fewer words lack their last values.
  private(set) var padsShortRows = false
  /// Whether numbers or dates stand one below another, or blanks clearly align the columns.
  private(set) var isCertain = false
  private let sample: FixedSample

  enum Header {
    case line
    /// The keys of all columns but the first.
    case withoutRowNames
    case none
  }

  /// More lines before a table are unlikely.
  private static let maxPreamble = 60

  /// The columns of words or gaps; nil if the lines have none.
  init?(_ sample: FixedSample) {
    guard sample.rows.count > 1 else { return nil }
    self.sample = sample
    (division, first, header) = (.words(1, takesRest: false), 0, .none)
    let aligned = Self.alignedGaps(sample.rows[...])
    if aligned == nil, let words = Self.words(sample), !Self.hasBlanksInCells(sample, words) {
      (division, first) = words
      skipTitle()
      setHeader()
      takeRestIfTextual()
      padsShortRows = areShortRowsPadded
      isCertain = sample.rows[first...].contains(where: \.hasRun) && hasTypedColumn
      return
    }
    guard let found = aligned ?? Self.gaps(sample.rows[...]) else { return nil }
    (division, first) = found
    setHeader()
    let below = sample.rows[(first + 1)...]
    isCertain =
      columns > 2 && below.count > 1 && below.contains(where: \.hasInnerRun)
      && (hasTypedColumn || header == .line && below.allSatisfy(\.hasInnerRun))
  }

  private var columns: Int { FixedFields(division: division).columns }

  /// The cells of a line; an empty cell for a missing one.
  func cells(of row: FixedSample.Row) -> [String] {
    switch division {
    case .words(let count, let takesRest):
      var ranges = row.words
      if takesRest, ranges.count > count {
        ranges[count - 1] = ranges[count - 1].lowerBound..<row.characters.count
        ranges.removeLast(ranges.count - count)
      }
      return ranges.map { String(decoding: row.text($0), as: UTF8.self) }
    case .gaps(let gaps):
      let starts = [0] + gaps.map(\.upperBound)
      let ends = gaps.map(\.upperBound) + [Int.max]
      return zip(starts, ends).map { start, end in
        row.words.filter { $0.lowerBound >= start && $0.lowerBound < end }
          .map { String(decoding: row.text($0), as: UTF8.self) }.joined(separator: " ")
      }
    case .widths: return []
    }
  }

  private var hasTypedColumn: Bool {
    let rows = sample.rows[(header == .none ? first : first + 1)...].map(cells)
    return (0..<columns).contains { column in
      let cells = rows.compactMap { column < $0.count ? $0[column] : nil }.filter { !$0.isEmpty }
      return cells.count * 2 > rows.count && cells.allSatisfy(CellKind.isNumberOrDate)
    }
  }

  /// Whether the words of short rows, most of the columns, are numbers where those of complete rows
  /// are.
  private var areShortRowsPadded: Bool {
    guard case .words(let count, takesRest: false) = division else { return false }
    let rows = sample.rows[(header == .none ? first : first + 1)...]
    func kinds(_ row: FixedSample.Row) -> [Bool] {
      row.words.map(row.isNumberOrDate)
    }
    guard let complete = rows.first(where: { $0.words.count == count }).map(kinds) else {
      return false
    }
    let short = rows.filter { $0.words.count < count }
    return complete.contains(true) && !short.isEmpty
      && short.allSatisfy { row in
        let found = kinds(row)
        return found.count * 2 > count && found.contains(true)
          && found == Array(complete.prefix(found.count))
      }
  }

  private mutating func setHeader() {
    let below = sample.rows[(first + 1)...].prefix(30).map(cells)
    switch HeaderGuess(cells(of: sample.rows[first]), above: Array(below)) {
    case .header: header = .line
    case .data: header = .none
    case .either: header = below.isEmpty ? .none : .line
    }
    guard case .words(let count, _) = division, header == .none, first > 0 else { return }
    // Names above all columns but the first, which contains the names of the rows.
    let above = sample.rows[first - 1]
    guard above.words.count == count - 1, let name = above.words.first,
      let cell = sample.rows[first].words.first, name.lowerBound >= cell.upperBound,
      HeaderGuess.areKeys(cells(of: above))
    else { return }
    first -= 1
    header = .withoutRowNames
  }
}

// Finding columns.
extension FixedLayout {
  /// The most common number of words, and the first line of the table: the one that minimizes lines
  /// with that number before it plus other lines after it.
  private static func words(_ sample: FixedSample) -> (FixedFields.Division, Int)? {
    let counts = sample.rows.map(\.words.count)
    var numbers: [Int: Int] = [:]
    for count in counts { numbers[count, default: 0] += 1 }
    guard
      let count = numbers.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key, count > 1
    else { return nil }
    var others = counts.count { $0 != count }
    var before = 0
    var best: (first: Int, cost: Int, others: Int)?
    for (first, found) in counts.prefix(maxPreamble).enumerated() {
      guard found == count else {
        others -= 1
        continue
      }
      if before + others < best?.cost ?? .max { best = (first, before + others, others) }
      before += 1
    }
    guard let best, best.others * 3 <= counts.count - best.first,
      (counts.count - best.first) * 3 > counts.count, counts.count - best.first > 1
    else { return nil }
    return (.words(count, takesRest: false), best.first)
  }

  /// Whether gaps find as many columns, with keys or values that have blanks in them or are missing.
  private static func hasBlanksInCells(
    _ sample: FixedSample, _ words: (division: FixedFields.Division, first: Int)
  ) -> Bool {
    guard case .words(let count, _) = words.division, count > 2, words.first < 2,
      sample.rows.contains(where: { $0.words.count != count }),
      let (division, first) = gaps(sample.rows[...])
    else { return false }
    return first == 0 && FixedFields(division: division).columns == count
  }

  /// Skips lines before the header that happen to have as many words.
  private mutating func skipTitle() {
    for _ in 0..<3 {
      let below = sample.rows[(first + 1)...].prefix(30).map(cells)
      guard below.count > 2, HeaderGuess(cells(of: sample.rows[first]), above: below) == .either,
        HeaderGuess(below[0], above: Array(below.dropFirst())) == .header
      else { return }
      first += 1
    }
  }

  /// A last column of text takes the rest of longer lines, such as the commands with arguments in a
  /// list of processes, and the targets of links in a list of files.
  private mutating func takeRestIfTextual() {
    guard case .words(let count, _) = division, header != .withoutRowNames,
      sample.rows[first].words.count == count || header == .none
    else { return }
    var start = header == .none ? first : first + 1
    func kinds(_ row: FixedSample.Row) -> [Bool] {
      row.words.prefix(count).map(row.isNumberOrDate)
    }
    // A longer first row looks like a line before the table.
    while header == .none, start > 0, sample.rows[start - 1].words.count > count,
      kinds(sample.rows[start - 1]).dropLast() == kinds(sample.rows[first]).dropLast()
    {
      start -= 1
    }
    let rows = sample.rows[start...]
    guard rows.contains(where: { $0.words.count > count }),
      rows.allSatisfy({ $0.words.count >= count }),
      rows.contains(where: { $0.words.count == count && kinds($0).last == false })
    else { return }
    if header == .none { first = start }
    division = .words(count, takesRest: true)
  }

  /// Gaps that align all values of at least three columns, if some values have blanks in them or are
  /// missing; nil for other texts.
  private static func alignedGaps(
    _ all: ArraySlice<FixedSample.Row>
  ) -> (FixedFields.Division, Int)? {
    // A header may have far fewer words than the rows.
    for first in Set([0, firstAligned(all)]).sorted() {
      guard let gaps = SharedGaps(all[first...]), gaps.columns > 2,
        gaps.rows.contains(where: { $0.words.count != gaps.columns }), gaps.alignValues
      else { continue }
      return (.gaps(gaps.ranges), first)
    }
    return nil
  }

  private static func gaps(
    _ all: ArraySlice<FixedSample.Row>
  ) -> (FixedFields.Division, Int)? {
    let first = firstAligned(all)
    guard let gaps = SharedGaps(all[first...]) else { return nil }
    let header = all[first].words.count
    // If values are wider than their columns, the header shows how many there are.
    if gaps.columns < header, header > 2, gaps.rows.allSatisfy({ $0.words.count >= header }),
      gaps.columns + 1 < header || gaps.hasMoreNumbers(inWords: header)
    {
      return (.words(header, takesRest: true), first)
    }
    return gaps.ranges.isEmpty ? nil : (.gaps(gaps.ranges), first)
  }

  /// The index of the first line after one such as `total 612` above a list.
  private static func firstAligned(_ rows: ArraySlice<FixedSample.Row>) -> Int {
    let counts = rows.map(\.words.count).sorted()
    return rows.count > 2 && rows[0].words.count * 2 < counts[counts.count / 2] ? 1 : 0
  }
}
