internal import CScan

/// Columns of a fixed width, or separated by runs of blanks: tables that programs print.
struct FixedFormat: TableFormat {
  let names = ["fixed"]
  let extensions = ["fwf"]
  let mediaTypes: [String] = []
  let options =
    [.widths, .skip, .keys, .header] + ReadOption.cellTypes + [.comment, .encoding, .strict]

  func recognize(_ sample: FormatSample) -> Recognition {
    guard let text = sample.text else { return .impossible }
    let start = text.prefix(32 << 10)
    guard Self.hasGaps(start) else { return .ifNamed }
    let found = FixedSample(
      start, isWhole: sample.isWhole && start.count == text.count, comment: nil)
    guard found.rows.count > 2 || found.areNumbers, !Self.isDelimited(found),
      let layout = FixedLayout(found),
      layout.isCertain
    else { return .ifNamed }
    let delimiters = Set(",;|\t\"".utf8)
    let hasDelimiter = found.rows.contains { $0.characters.contains(where: delimiters.contains) }
    return hasDelimiter || found.rows.count < 4 ? .likely : .certain
  }

  /// Whether there are several blanks in a row, or tabs. Most delimited texts have none.
  private static func hasGaps(_ text: ArraySlice<UInt8>) -> Bool {
    let bytes = Array(text)
    if bytes.firstIndex(of: UInt8(ascii: "\t"), in: 0..<bytes.count) != nil { return true }
    var place = 0
    while let found = bytes.firstIndex(of: UInt8(ascii: " "), in: place..<bytes.count) {
      if found + 1 < bytes.count, bytes[found + 1] == UInt8(ascii: " ") { return true }
      place = found + 1
    }
    return false
  }

  /// Whether all lines have the same number of a delimiter.
  private static func isDelimited(_ sample: FixedSample) -> Bool {
    hasTabs(sample)
      || ",;|\t".utf8.contains { delimiter in
        let counts = sample.rows.map { row in row.characters.count { $0 == delimiter } }
        return counts[0] > 0 && counts.allSatisfy { $0 == counts[0] }
      }
  }

  /// Whether tabs separate as many fields in all lines, after lines without tabs and between comments.
  private static func hasTabs(_ sample: FixedSample) -> Bool {
    let tab = UInt8(ascii: "\t")
    let counts = sample.rows.drop { !$0.characters.contains(tab) }
      .filter { $0.characters.first != UInt8(ascii: "#") || $0.characters.contains(tab) }
      .map { row in row.characters.count { $0 == tab } }
    return counts.count > 1 && counts.allSatisfy { $0 == counts[0] }
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    try input.withText { text in
      let sample = try TextSample(
        text, size: 64 << 10, skippedLines: input.options.skippedLines ?? 0)
      return try table(text, sample, input).read(text, sample, input)
    }
  }

  private func table(
    _ text: any ByteStore, _ sample: TextSample, _ input: FormatInput
  ) throws -> LineTable {
    let options = input.options
    let found = FixedSample(
      sample.bytes[..<sample.count], isWhole: sample.isWhole, comment: options.commentPrefix)
    let widths = options.widths
    let layout = widths == nil ? FixedLayout(found) : nil
    guard let division = widths.map(FixedFields.Division.widths) ?? layout?.division else {
      throw TableError.format(
        "no columns found: lines share no gaps; add `widths:` with the number of characters of "
          + "each column, such as `widths: [10, 8]`", at: nil)
    }
    var table = LineTable(
      formatName: "fixed width",
      fields: FixedFields(division: division, padsShortRows: layout?.padsShortRows ?? false),
      keys: [],
      lineEnds: sample.hasLoneReturn ? .any : .lf)
    let place = FixedHeader(division, layout, found, options)
    (table.keys, table.notes) = try place.keys()
    table.start = sample.offset + place.start
    let isGaps = if case .gaps = division { true } else { false }
    let longest = isGaps ? try Self.longestLine(of: text, input.cancellation) : 0
    table.notes = place.notes(longestLine: longest) + table.notes
    if let widths {
      let length = found.rows.map(\.characters.count).max() ?? 0
      let rest = length - widths.reduce(0, +)
      let wider = rest > 0 ? widths + [rest] : widths
      table.advice = { "use \(SuggestedLabels("widths", wider.map(String.init)))" }
    }
    return table
  }
}

extension FixedFormat {
  /// The length in bytes of the longest line, so that a suggested last width fits all of them.
  /// - Complexity: O(bytes).
  private static func longestLine(
    of text: any ByteStore, _ cancellation: Cancellation
  ) throws -> Int {
    var longest = 0
    var start = 0
    let size = 1 << 20
    for offset in stride(from: 0, to: text.count, by: size) {
      try cancellation.check()
      let bytes = try text.bytes(offset..<min(text.count, offset + size))
      var place = 0
      while let end = bytes.firstIndex(of: UInt8(ascii: "\n"), in: place..<bytes.count) {
        longest = max(longest, offset + end - start)
        start = offset + end + 1
        place = end + 1
      }
    }
    return max(longest, text.count - start)
  }
}

extension ReadOption {
  static let widths = ReadOption(
    "widths", .integers(1...100_000), "number of characters of each column",
    example: "[10, 8]"
  ).selectingFormat()
}

extension ReadOptions {
  /// The widths of columns in characters.
  var widths: [Int]? {
    guard case .array(let values)? = self[.widths] else { return nil }
    return values.compactMap { if case .integer(let width) = $0 { width } else { nil } }
  }
}
