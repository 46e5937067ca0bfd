/// One way to read the first rows of a text as a table, with the rows that do not fit.
struct TableReading {
  let rows: SampleRows
  /// The number of fields of a complete row.
  let width: Int
  /// The index of the first complete row; the rows before it are not part of the table, except
  /// perhaps a header that is shorter.
  let first: Int
  /// The rows with `width` fields from `first` on.
  private(set) var exact = 0
  /// Rows with too many fields or a broken quote.
  private(set) var rejected = 0
  private(set) var broken = 0
  /// Rows with too few fields.
  private(set) var padded = 0

  var irregular: Int { rejected + padded }

  /// The rows as a table whose first row determines the width, unless it is given.
  init(plain rows: SampleRows, width: Int? = nil) {
    self.init(rows, width: width ?? max(1, rows.rows.first?.fields ?? 1), first: 0)
  }

  /// The rows as a table of the most common width. Without a common width, the longest row
  /// determines it, and the table begins with the first row.
  init(fitting rows: SampleRows) {
    var counts: [Int: Int] = [:]
    for row in rows.rows where row.fields > 1 { counts[row.fields, default: 0] += 1 }
    let common = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }
    if let common, common.value > 1, common.value * 2 >= rows.rows.count {
      let first = rows.rows.firstIndex { $0.fields == common.key } ?? 0
      self.init(rows, width: common.key, first: first)
    } else {
      self.init(rows, width: max(1, counts.keys.max() ?? 1), first: 0)
    }
  }

  /// The rows at the end as a table: those as wide as the last one, after rows that have at most half
  /// as many fields. nil if the last rows are not such a table.
  init?(endOf rows: SampleRows) {
    let all = rows.rows
    guard let width = all.last?.fields, width > 2,
      let last = all.lastIndex(where: { $0.fields != width }), all.count - last > 2,
      all[...last].allSatisfy({ !$0.isBroken && $0.fields * 2 <= width })
    else { return nil }
    self.init(rows, width: width, first: last + 1)
  }

  init(_ rows: SampleRows, width: Int, first: Int) {
    self.rows = rows
    self.width = width
    self.first = first
    for row in rows.rows[first...] {
      if row.fields == width { exact += 1 }
      if row.isBroken { broken += 1 }
      if row.isBroken || row.fields > width { rejected += 1 }
      if !row.isBroken, row.fields < width { padded += 1 }
    }
  }

  /// The rows of the table that have all fields.
  var completeRows: [SampleRows.Row] { rows.rows[first...].filter { $0.fields == width } }

  /// The index of the first of rows among the lines before the first row: two of the same width that
  /// no blank line parts from the first row. A header of the first row makes them lines about the
  /// table, unless they have a header too and are not much narrower.
  var droppedRow: Int? {
    let all = rows.rows
    guard first > 1, first < all.count else { return nil }
    var start = first
    while start > 0, !rows.hasBlankLine(between: all[start - 1], all[start]) { start -= 1 }
    let place = (start..<max(start, first - 1)).first { place in
      all[place].fields > 1 && all[place].fields == all[place + 1].fields
    }
    guard let place else { return nil }
    let above = all[place..<first].prefix { $0.fields == all[place].fields }
    let areRows =
      guess(of: completeRows) != .header
      || all[place].fields * 2 > width && guess(of: Array(above)) == .header
    return areRows ? place : nil
  }

  /// Whether the first complete row is the header of the others.
  var beginsWithHeader: Bool { guess(of: completeRows) == .header }

  /// The table from an earlier row on. A header determines its width; else narrow rows are padded.
  func beginning(at row: Int) -> TableReading {
    let fields = rows.rows[row].fields
    let isHeader = guess(of: rows.rows[row...].filter { $0.fields == fields }) == .header
    return TableReading(rows, width: isHeader ? fields : max(fields, width), first: row)
  }

  /// Whether the first of some rows is their header.
  private func guess(of rows: [SampleRows.Row]) -> HeaderGuess {
    let cells = rows.prefix(30).map { self.rows.cells(of: $0) }
    return HeaderGuess(cells.first ?? [], above: Array(cells.dropFirst()))
  }

  /// How well the reading explains the text, from 0 to 1: the share of rows with the same number of
  /// fields, more for more fields, times the share of cells that look like single values. (After
  /// van den Burg, Nazábal and Sutton, "Wrangling messy CSV files by detecting row and type
  /// patterns", 2019.)
  var score: Double {
    guard width > 1, !rows.rows.isEmpty else { return 0 }
    let share = Double(exact) / Double(rows.rows.count)
    return share * share * Double(width - 1) / Double(width) * shareOfValues
  }

  private var shareOfValues: Double {
    let fields = completeRows.prefix(20).flatMap { rows.fields(of: $0) }
    guard !fields.isEmpty else { return 0 }
    let values = fields.count { $0.isQuoted || Self.isValue($0.cell) }
    return Double(values) / Double(fields.count)
  }

  /// Whether a cell is a value, rather than several values with another delimiter.
  private static func isValue(_ cell: String) -> Bool {
    if cell.isEmpty || CellKind.isTyped(cell) { return true }
    if cell.utf8.contains(where: { TableFinder.delimiters.contains($0) || $0 == 0x22 }) {
      return CellKind.isTyped(cell.split(separator: ",", maxSplits: 1).joined(separator: "."))
    }
    return true
  }
}

/// Whether cells look like data or like names.
enum CellKind {
  /// Whether a cell is a number, a date or a Boolean.
  static func isTyped(_ cell: String) -> Bool {
    let kind = kind(of: cell)
    return kind != .other && kind != .blank
  }

  /// Whether a cell is a number or a date, which are rarely names of columns.
  static func isNumberOrDate(_ cell: String) -> Bool {
    let kind = kind(of: cell)
    return kind != .other && kind != .blank && kind != .bool
  }

  /// Whether a cell is empty or a word that commonly means null, also `.`, as in SAS.
  static func isMissing(_ cell: String) -> Bool {
    guard let last = cell.utf8.last else { return true }
    return cell.utf8.count <= 4 && !last.isDigit
      && (cell == "." || NullWords.common.contains(cell.lowercased()))
  }

  private static func kind(of cell: String) -> TypeTally.Kind {
    var cell = cell
    return cell.withUTF8 { TypeTally.kind(of: UnsafeRawBufferPointer($0)) }
  }
}
