internal import CScan

/// The keys of columns of a fixed width, and the place of the first row.
struct FixedHeader {
  private let division: FixedFields.Division
  private let layout: FixedLayout?
  private let sample: FixedSample
  private let options: ReadOptions
  private let header: FixedLayout.Header
  private let first: Int

  /// - Parameter layout: nil if the options have the widths.
  init(
    _ division: FixedFields.Division, _ layout: FixedLayout?, _ sample: FixedSample,
    _ options: ReadOptions
  ) {
    self.division = division
    self.layout = layout
    self.sample = sample
    self.options = options
    first = layout?.first ?? 0
    switch options.hasHeader ?? (options.keys == nil ? nil : false) {
    case true?: header = layout?.header == .withoutRowNames ? .withoutRowNames : .line
    case false?: header = .none
    case nil:
      if case .widths(let widths) = division {
        header = Self.guess(widths, sample.rows[...])
      } else {
        header = layout?.header ?? .none
      }
    }
  }

  private static func guess(
    _ widths: [Int], _ rows: ArraySlice<FixedSample.Row>
  ) -> FixedLayout.Header {
    guard let first = rows.first else { return .none }
    let below = rows.dropFirst().prefix(30).map { cells(of: $0, widths) }
    switch HeaderGuess(cells(of: first, widths), above: Array(below)) {
    case .header: return .line
    case .data, .either: return .none
    }
  }

  private static func cells(of row: FixedSample.Row, _ widths: [Int]) -> [String] {
    var start = 0
    return widths.map { width in
      defer { start += width }
      let words = row.text(start..<start + width).split { $0 == 0x20 || $0 == 0x09 }
      return words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }
  }

  /// The offset of the first row in the sample.
  var start: Int {
    guard first < sample.rows.count else { return 0 }
    if header != .none { return sample.rows[first].next }
    // Without a preamble, the scan skips blank lines and comments itself.
    return first == 0 ? 0 : sample.rows[first].start
  }

  /// The keys, and notes about renamed ones.
  /// - Throws: ``TableError/badArgument(_:)`` if `keys:` does not fit.
  func keys() throws(TableError) -> (keys: [String], notes: [String]) {
    let columns = FixedFields(division: division).columns
    if let keys = options.keys {
      guard keys.count == columns else {
        throw HeaderKeys.mismatch(keys, for: columns, "columns")
      }
      return (keys, [])
    }
    guard header != .none, first < sample.rows.count else {
      return (HeaderKeys.numbered(columns), [])
    }
    let row = sample.rows[first]
    var names: [String]
    if case .widths(let widths) = division {
      names = Self.cells(of: row, widths)
    } else {
      names = layout?.cells(of: row) ?? []
    }
    if header == .withoutRowNames { names.insert("column1", at: 0) }
    names += repeatElement("", count: max(0, columns - names.count))
    let keys = HeaderKeys(Array(names.prefix(columns)))
    return (keys.keys, keys.notes)
  }

  /// The choices that were made, with the labels that lead to the same reading.
  /// - Parameter longestLine: the length in bytes of the longest line of the text.
  func notes(longestLine: Int) -> [String] {
    guard let layout else { return [] }
    var notes: [String] = []
    var labels = options.format == nil ? [SuggestedLabels("format", "fixed")] : []
    let skip =
      first > 0 && options.skippedLines == nil
      ? [SuggestedLabels("skip", String(sample.rows[first].line - 1))] : []
    labels += skip
    if let label = labels.first {
      notes.append("detected \(labels.dropFirst().reduce(label) { $0 + $1 })")
    }
    switch division {
    case .gaps(let gaps):
      let ends = gaps.map(\.upperBound)
      // Values after the sample may be longer. A line has at least as many bytes as characters.
      let length = sample.rows.map(\.characters.count).max() ?? 0
      let width = max(length, longestLine)
      let end = min(max(width, (ends.last ?? 0) + 1), 100_000)
      let widths = zip([0] + ends, ends + [end]).map { $1 - $0 }
      var same = skip + [SuggestedLabels("widths", widths.map(String.init))]
      if options.hasHeader == nil, options.keys == nil,
        header != Self.guess(widths, sample.rows[first...])
      {
        same.append(SuggestedLabels("header", header == .none ? "false" : "true"))
      }
      notes.append("columns found from gaps: \(same.dropFirst().reduce(same[0]) { $0 + $1 })")
    case .words(_, let takesRest):
      notes.append(
        takesRest
          ? "columns are separated by blanks; the last one takes the rest of the line"
          : "columns are separated by blanks")
    case .widths: break
    }
    if layout.header == .withoutRowNames {
      notes.append("the header has no key for the first column, which has the row names")
    }
    if options.hasHeader == nil, options.keys == nil, header == .none {
      notes.append("no header found; add `keys:` with a key for each column")
    }
    return notes
  }
}
