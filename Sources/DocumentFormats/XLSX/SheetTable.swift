import DataTables

/// The rows of a sheet as records: the header, the columns with values, and notes.
struct SheetTable {
  private(set) var rows: [Value] = []
  /// The number of each row in the sheet, from 1.
  private(set) var lines: [Int] = []
  var report: LoadReport

  /// A title above a table is at most this many rows before the header.
  private static let maxTitleRows = 20

  /// - Throws: `TableError.badArgument` for too few `keys:`; `TableError.format` for a sheet without
  ///   values.
  init(_ sheet: SheetRows, options: ReadOptions) throws(TableError) {
    report = LoadReport(format: "XLSX", encoding: "UTF-8", rows: 0)
    var start = 0
    if let skipped = options.skippedLines {
      start = sheet.numbers.firstIndex { $0 > skipped } ?? sheet.rows.count
    } else if options.hasHeader != false {
      start = Self.titleRows(sheet.rows)
      if start > 0 {
        let row = sheet.numbers[start]
        report.notes.append(
          "the rows before row \(row) are a title; `skip: 0` reads the first row as the header")
      }
    }
    guard start < sheet.rows.count else {
      throw .format("the sheet `\(sheet.name)` has no values", at: nil)
    }
    var hasHeader = options.hasHeader ?? (options.keys == nil)
    if options.hasHeader == nil, hasHeader, Self.isData(sheet.rows[start]) {
      hasHeader = false
      report.notes.append(
        "the first row looks like data; `header: true` reads it as the header")
    }
    let header = hasHeader ? sheet.rows[start] : SheetRow()
    let first = hasHeader ? start + 1 : start
    let used = Self.usedColumns(sheet.rows[start...])
    let columns = Self.columns(used, for: options.keys)
    if options.keys != nil { noteEmptyColumns(between: columns) }
    let keys = try keys(of: header, columns, hasHeader: hasHeader, options)
    try DocumentColumns.check(
      rows: sheet.rows.count - first, columns: keys.count,
      values: sheet.rows.dropFirst(first).reduce(0) { $0 + $1.size })
    fill(sheet, from: first, columns, Record.Shape(keys))
    noteFindings(of: sheet)
    report.rows = rows.count
  }

  /// The number of rows with a single value above a table of several columns.
  private static func titleRows(_ rows: [SheetRow]) -> Int {
    func filled(_ row: SheetRow) -> Int { row.filled.count { _ in true } }
    let titles = rows.prefix(maxTitleRows).prefix { filled($0) == 1 }.count
    guard titles > 0, titles < rows.count else { return 0 }
    // The header of a table has as many values as its rows, or nearly.
    let header = filled(rows[titles])
    return header >= 3 || header == 2 && titles == 1 && filled(rows[rows.count - 1]) >= 2
      ? titles : 0
  }

  /// Whether all values of a row are numbers or dates, which are rarely keys.
  private static func isData(_ row: SheetRow) -> Bool {
    row.filled.allSatisfy { $0.isNumberOrDate }
  }

  /// The columns with a value in any of the rows.
  private static func usedColumns(_ rows: ArraySlice<SheetRow>) -> [Int] {
    var isUsed: [Bool] = []
    for row in rows {
      while isUsed.count < row.count { isUsed.append(false) }
      row.forEachColumn { isUsed[$0] = true }
    }
    return isUsed.indices.filter { isUsed[$0] }
  }

  /// The columns that keys stand for: those with values, unless there is a key for each column of
  /// the sheet or of the table.
  private static func columns(_ used: [Int], for keys: [String]?) -> [Int] {
    guard let keys, let first = used.first, let last = used.last, keys.count > used.count else {
      return used
    }
    if keys.count > last { return Array(0...last) }
    return keys.count == last - first + 1 ? Array(first...last) : used
  }

  /// Keys in order do not show that a column between theirs is left out.
  private mutating func noteEmptyColumns(between columns: [Int]) {
    let gaps = zip(columns, columns.dropFirst()).flatMap { $0 + 1..<$1 }
    if gaps.isEmpty { return }
    let names = gaps.prefix(3).map { SheetReader.name(ofColumn: $0) }.joined(separator: ", ")
    let more = gaps.count > 3 ? " and \((gaps.count - 3).grouped) more" : ""
    report.notes.append(
      gaps.count == 1
        ? "column \(names) has no values and no key"
        : "columns \(names)\(more) have no values and no keys")
  }

  private mutating func keys(
    of header: SheetRow, _ columns: [Int], hasHeader: Bool, _ options: ReadOptions
  ) throws(TableError) -> [String] {
    if let given = options.keys {
      guard given.count >= columns.count else {
        throw HeaderKeys.mismatch(given, for: columns.count, "columns")
      }
      let keys = HeaderKeys(given)
      report.notes += keys.notes
      return keys.keys
    }
    guard hasHeader else { return HeaderKeys.numbered(columns.count) }
    let keys = HeaderKeys(
      columns.map { column in
        let name = header[column]
        return name.isNull ? "" : name.string ?? name.plainText
      })
    report.notes += keys.notes
    return keys.keys
  }

  private mutating func fill(
    _ sheet: SheetRows, from first: Int, _ columns: [Int], _ shape: Record.Shape
  ) {
    let count = sheet.rows.count - first
    rows.reserveCapacity(count)
    lines.reserveCapacity(count)
    // Most tables start in the first column and have no empty ones.
    let isDense = columns.last == columns.count - 1
    for index in first..<sheet.rows.count {
      let row = sheet.rows[index]
      var values: [Value]
      if isDense, let dense = row.dense {
        values = dense
      } else {
        values = columns.map { row[$0] }
      }
      while values.count < shape.keys.count { values.append(.null) }
      rows.append(.record(Record(shape: shape, values: values)))
      lines.append(sheet.numbers[index])
    }
  }

  private mutating func noteFindings(of sheet: SheetRows) {
    if let start = lines.first, let end = lines.last, end - start + 1 > lines.count {
      let blank = end - start + 1 - lines.count
      report.notes.append("\(blank) blank \(blank == 1 ? "row" : "rows") skipped")
    }
    if let error = sheet.firstError {
      report.notes.append(
        "\(sheet.errors) \(sheet.errors == 1 ? "cell" : "cells") with an error read as null; the "
          + "first is `\(error.text)` in \(error.place)")
    }
    if sheet.formulas > 0 {
      report.notes.append(
        "\(sheet.formulas) \(sheet.formulas == 1 ? "formula" : "formulas") without a saved result "
          + "read as null; a spreadsheet program saves the results")
    }
    if sheet.mergedRanges > 0 {
      report.notes.append(
        "\(sheet.mergedRanges) merged \(sheet.mergedRanges == 1 ? "range" : "ranges"): the value "
          + "is in the first cell")
    }
  }
}

extension SheetTable {
  /// Gives the cells the types that the options request. Strings whose notation is described
  /// (`decimal:`, `dates:`) also get types without a request; all other cells have types already.
  /// - Throws: as `TypedCells`.
  mutating func read(as input: FormatInput) throws {
    var request = input.request
    let notations = [ReadOption.dates, .decimal, .thousands, .unit].map(\.name)
    let untouched = Set(
      input.options.given.contains(where: notations.contains)
        ? [] : keys.filter { input.options.types[$0] == nil })
    for key in untouched { request.options.types[key] = .value }
    readNulls(input.options.nulls)
    let lines = lines
    let typed = try TypedCells(rows, request: request) { $0 < lines.count ? lines[$0] : nil }
      .read(cancellation: input.cancellation)
    rows = typed.rows
    typed.add(to: &report)
    let found = ValueColumns(rows).reports(rows: rows.count, lines: lines)
    let places = Dictionary(
      zip(report.columns.map(\.key), report.columns.indices),
      uniquingKeysWith: { first, _ in first })
    for column in found where untouched.contains(column.key) {
      if let place = places[column.key] { report.columns[place] = column }
    }
  }

  /// Replaces the strings that mean null.
  private mutating func readNulls(_ words: [String]) {
    if words.isEmpty { return }
    for index in rows.indices {
      guard case .record(let record) = rows[index] else { continue }
      let values = record.values.map { value in
        value.string.map(words.contains) ?? false ? Value.null : value
      }
      rows[index] = .record(Record(shape: record.shape, values: values))
    }
  }

  private var keys: [String] {
    if case .record(let record)? = rows.first { record.keys } else { [] }
  }
}

extension Value {
  fileprivate var isNumberOrDate: Bool {
    switch self {
    case .integer, .real, .date: true
    default: false
    }
  }

  /// The text of a value that is not a string.
  fileprivate var plainText: String {
    if case .date(let date) = self { date.text } else { json }
  }
}
