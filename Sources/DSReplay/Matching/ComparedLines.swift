/// The lines of an output and of its expectations as they are compared: rows of tables by their cells,
/// without ignored values, and with one line for each digest.
///
/// The indices of ``expected`` are those of the expected lines; the indices of ``actual`` and ``shown``
/// are the same.
struct ComparedLines {
  private(set) var expected: [ExpectedLine]
  private(set) var actual: [String]
  /// The lines of the output as they are shown and written.
  private(set) var shown: [String]
  /// Whether values of some keys may differ.
  let ignoresValues: Bool
  /// The texts in ``shown`` that are digests of lines.
  private(set) var digests: Set<String> = []
  /// The rows of tables among ``expected`` and ``actual``.
  private(set) var expectedRows: [Int: Row] = [:]
  private(set) var actualRows: [Int: Row] = [:]
  let ignoredKeys: Set<String>
  /// The lines `key: value` of records among ``actual``.
  private(set) var keyedLines: Set<Int>

  struct Row {
    let columns: TableColumns
    let row: TableRow
  }

  /// - Parameters:
  ///   - tables: the tables in `actual`.
  ///   - records: the records in `actual`.
  ///   - ignoredKeys: columns and keys whose values may differ.
  ///   - comparesCells: whether rows with the same cells are equal, however wide their columns are.
  init(
    _ expected: [ExpectedLine], _ actual: [String], tables: [PrintedTable],
    records: [PrintedRecords] = [], ignoredKeys: [String],
    isUnordered: Bool, comparesCells: Bool
  ) {
    self.expected = expected
    self.actual = actual
    shown = actual
    ignoresValues = !ignoredKeys.isEmpty
    self.ignoredKeys = Set(ignoredKeys)
    keyedLines = Set(records.lazy.filter { $0.form == .lines }.flatMap(\.lines))
    if comparesCells { compareCells(of: tables, isUnordered: isUnordered) }
    let objects = comparesCells ? Objects(tables, expected: expected, actual: actual) : nil
    if ignoresValues { maskValues(IgnoredValues(ignoredKeys), in: records) }
    if let objects {
      expectedRows.merge(objects.expected) { $1 }
      actualRows.merge(objects.actual) { $1 }
    }
    foldDigests(isUnordered: isUnordered)
  }
}

// Tables.
extension ComparedLines {
  private mutating func compareCells(of tables: [PrintedTable], isUnordered: Bool) {
    let tables = tables.compactMap { table in
      table.header(in: actual).map { (table: table, line: $0.line, columns: $0.columns) }
    }
    var headers: [(index: Int, columns: TableColumns)?] = []
    var next = 0
    for table in tables {
      headers.append(expectedHeader(of: table.table, like: table.columns, from: next))
      next = headers.last.flatMap { $0.map { $0.index + 1 } } ?? next
    }
    for (number, (table, header, columns)) in tables.enumerated() {
      readRows(of: table, below: header, columns)
      let own = headers[number]
      // Without its header, an expected table is recognized only if it is the only one.
      if own == nil, tables.count > 1 { continue }
      let end = headers[(number + 1)...].compactMap { $0?.index }.first ?? expected.count
      let start = own?.index ?? -1
      // In any order, rows can be above the header.
      let isWhole = isUnordered && tables.count == 1
      let rows = isWhole ? 0..<expected.count : start + 1..<max(end, start + 1)
      if let own, !isWhole { removeWidths(ofRuleAbove: own.index, table) }
      readExpectedRows(
        of: table, rows.filter { $0 != own?.index }, own?.columns ?? columns, hasHeader: own != nil)
      if let own { set(own.index, .text(headerLine(own.columns))) }
    }
  }

  private mutating func readRows(
    of table: PrintedTable, below header: Int, _ columns: TableColumns
  ) {
    var records = RecordLines(table.form)
    for line in table.lines.clamped(to: actual.indices) where line != header {
      guard line > header, records.isWhole(actual[line]), let row = columns.row(actual[line]) else {
        actual[line] = table.form.withoutWidths(actual[line])
        continue
      }
      actualRows[line] = Row(columns: columns, row: row)
      actual[line] = text(of: row, columns)
    }
    actual[header] = headerLine(columns)
  }

  private func headerLine(_ columns: TableColumns) -> String {
    columns.form.line(of: (columns.hasIndexPaths ? [""] : []) + columns.names)
  }

  /// The lines with objects in JSON; only their differences need columns.
  private struct Objects {
    private(set) var expected: [Int: Row] = [:]
    private(set) var actual: [Int: Row] = [:]

    /// - Returns: nil without such lines.
    init?(_ tables: [PrintedTable], expected lines: [ExpectedLine], actual output: [String]) {
      let tables = tables.filter { $0.form == .objects }
      if tables.isEmpty { return nil }
      for line in tables.flatMap(\.lines) where output.indices.contains(line) {
        actual[line] = TableColumns.ofObject(output[line]).map(Row.init)
      }
      for (index, line) in lines.enumerated() where line.patternWithHoles == nil {
        expected[index] = line.text.flatMap(TableColumns.ofObject).map(Row.init)
      }
    }
  }

  private func expectedHeader(
    of table: PrintedTable, like columns: TableColumns, from start: Int
  ) -> (index: Int, columns: TableColumns)? {
    for index in expected.indices.dropFirst(start) {
      guard let text = expected[index].text,
        let found = TableColumns(header: text, of: table),
        found.names == columns.names
      else { continue }
      return (index, found)
    }
    return nil
  }

  private mutating func removeWidths(ofRuleAbove header: Int, _ table: PrintedTable) {
    guard header > 0, let rule = expected[header - 1].text, !isDigest(header - 1) else { return }
    set(header - 1, .text(table.form.withoutWidths(rule)))
  }

  private mutating func readExpectedRows(
    of table: PrintedTable, _ lines: [Int], _ columns: TableColumns, hasHeader: Bool
  ) {
    var records = RecordLines(table.form)
    for index in lines {
      if let pattern = expected[index].patternWithHoles {
        read(pattern, at: index, columns)
      } else if let text = expected[index].text, !isDigest(index) {
        guard records.isWhole(text), let row = columns.row(text, hasPlaces: hasHeader) else {
          set(index, .text(table.form.withoutWidths(text)))
          continue
        }
        expectedRows[index] = Row(columns: columns, row: row)
        set(index, .text(self.text(of: row, columns)))
      }
    }
  }

  /// Divides a line with holes into cells. A hole that covers several cells keeps the line together;
  /// then only its blanks are those of the compared rows.
  private mutating func read(_ pattern: LinePattern, at index: Int, _ columns: TableColumns) {
    let written = pattern.written(.doubled)
    let names = Set(pattern.references + pattern.captures)
    if let row = columns.row(written, hasPlaces: false),
      let parsed = try? LinePattern(parsing: text(of: row, columns), .doubled, known: names)
    {
      expectedRows[index] = Row(columns: columns, row: row)
      set(index, .pattern(parsed))
    } else {
      set(index, .pattern(pattern.withoutPadding(columns.form)))
    }
  }

  private func isDigest(_ index: Int) -> Bool {
    if case .digest = expected[index].kind { true } else { false }
  }

  private mutating func set(_ index: Int, _ kind: ExpectedLine.Kind) {
    expected[index] = ExpectedLine(
      kind: kind, location: expected[index].location, braces: expected[index].braces)
  }

  /// The cells of a row, without those of ignored columns.
  private func text(of row: TableRow, _ columns: TableColumns) -> String {
    let cells = zip(columns.names, row.cells).map { name, cell in
      ignoredKeys.contains(name) ? IgnoredValues.mark : cell
    }
    let path = columns.hasIndexPaths ? [row.path].compactMap(\.self) : []
    return columns.form.line(of: path + cells)
  }
}

// Ignored values and digests.
extension ComparedLines {
  private mutating func maskValues(_ ignored: IgnoredValues, in records: [PrintedRecords]) {
    var masked: [PrintedRecords.Form: Set<String>] = [:]
    for record in records {
      for index in record.lines where actual.indices.contains(index) && actualRows[index] == nil {
        actual[index] = ignored.masked(actual[index], record.form)
        masked[record.form, default: []].insert(actual[index])
      }
    }
    // An expected line is a part of a record if it is expected where one is.
    for index in expected.indices where expectedRows[index] == nil && !isDigest(index) {
      for form in PrintedRecords.Form.allCases {
        guard let lines = masked[form],
          let kind = kind(of: expected[index], ignored, form, lines)
        else { continue }
        set(index, kind)
        break
      }
    }
  }

  /// The line without ignored values; nil if none of the lines of records is as expected then.
  private func kind(
    of line: ExpectedLine, _ ignored: IgnoredValues, _ form: PrintedRecords.Form,
    _ lines: Set<String>
  ) -> ExpectedLine.Kind? {
    guard let pattern = line.patternWithHoles else {
      let masked = line.text.map { ignored.masked($0, form) }
      return masked.flatMap { lines.contains($0) ? .text($0) : nil }
    }
    let written = pattern.written(.doubled)
    let masked = ignored.masked(written, form)
    let names = Set(pattern.references + pattern.captures)
    guard masked != written,
      let parsed = try? LinePattern(parsing: masked, .doubled, known: names)
    else { return nil }
    // References are compared later.
    let probe = ExpectedLine(kind: .pattern(parsed))
    return lines.contains { probe.mayMatch($0, Captures()) } ? .pattern(parsed) : nil
  }

  /// Replaces the lines of each digest by one line with their digest.
  private mutating func foldDigests(isUnordered: Bool) {
    let ranges = digestRanges
    guard let first = ranges.first else { return }
    if isUnordered {
      let sorted = (ignoresValues ? actual : shown).sorted {
        $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
      let text = LinesDigest(of: sorted, digits: first.digits).text
      (actual, shown, digests) = ([text], [text], [text])
      return
    }
    var (newActual, newShown) = ([String](), [String]())
    var newRows: [Int: Row] = [:]
    var newKeyedLines: Set<Int> = []
    var next = 0
    func keep(upTo end: Int) {
      for line in next..<max(next, end) {
        newRows[newActual.count] = actualRows[line]
        if keyedLines.contains(line) { newKeyedLines.insert(newActual.count) }
        newActual.append(actual[line])
        newShown.append(shown[line])
      }
      next = max(next, end)
    }
    for (range, digits) in ranges {
      keep(upTo: range.lowerBound)
      let lines = (ignoresValues ? actual : shown)[next..<max(next, range.upperBound)]
      let text = LinesDigest(of: lines, digits: digits).text
      digests.insert(text)
      newActual.append(text)
      newShown.append(text)
      next = max(next, range.upperBound)
    }
    keep(upTo: actual.count)
    (actual, shown, actualRows, keyedLines) = (newActual, newShown, newRows, newKeyedLines)
  }

  /// The lines that each digest stands for: counted from the start of the output, or from its end if
  /// a `#...` is above. Without a `#...`, the last digest stands for all lines that are left.
  private var digestRanges: [(lines: Range<Int>, digits: Int)] {
    let anyLines = expected.firstIndex(where: \.isAnyLines)
    let last = expected.indices.last(where: isDigest)
    return expected.indices.compactMap { index in
      guard case .digest(let digest) = expected[index].kind else { return nil }
      let above = numberOfLines(0..<index)
      let below = actual.count - numberOfLines(index + 1..<expected.count)
      var (start, end) = (above, above + digest.count)
      if let anyLines, anyLines < index {
        (start, end) = (below - digest.count, below)
      } else if anyLines == nil, index == last {
        end = below
      }
      start = min(max(start, 0), actual.count)
      return (start..<min(max(end, start), actual.count), digest.hash.utf8.count)
    }
  }

  private func numberOfLines(_ indices: Range<Int>) -> Int {
    indices.reduce(0) { count, index in
      if case .digest(let digest) = expected[index].kind { return count + digest.count }
      return count + (expected[index].isAnyLines ? 0 : 1)
    }
  }
}

extension LinePattern {
  /// The pattern with the fewest blanks between cells: two, without any at its start, or one beside a
  /// bar.
  fileprivate func withoutPadding(_ form: PrintedTable.Form) -> LinePattern {
    let blanks: Int
    switch form {
    case .blanks: blanks = 2
    case .bars: blanks = 1
    case .fields, .objects: return self
    }
    var isAtStart = form == .blanks
    let blank = UInt8(ascii: " ")
    return LinePattern(
      segments.map { segment in
        defer { isAtStart = false }
        guard case .text(let text) = segment else { return segment }
        var short: [UInt8] = []
        for byte in isAtStart ? text.drop(while: { $0 == blank }) : text[...]
        where
          !(byte == blank && short.count >= blanks
          && short.suffix(blanks).allSatisfy { $0 == blank })
        {
          short.append(byte)
        }
        return .text(short)
      })
  }
}
