/// Tables as programs print them: clients of databases (MySQL, psql, SQLite, DuckDB), Markdown, and
/// lists with a rule of dashes below the names of their columns.
struct PrintedFormat: TableFormat {
  let names = ["table"]
  /// Most Markdown documents beside data are not tables.
  let extensions: [String] = []
  let mediaTypes = ["text/markdown"]
  let options = [.skip, .keys, .header] + ReadOption.cellTypes + [.encoding, .strict]

  /// The header of a table stands near its start, so that other texts cost little.
  private static let maxPreamble = 200

  func recognize(_ sample: FormatSample) -> Recognition {
    guard let text = sample.text else { return .impossible }
    let start = PrintedLines(text, isWhole: sample.isWhole, upTo: Self.maxPreamble)
    guard (0..<start.count).contains(where: { start.rule($0) != nil }) else { return .ifNamed }
    let lines = PrintedLines(text, isWhole: sample.isWhole)
    guard let table = PrintedTable(lines, from: 0), table.problems.count <= table.rows.count
    else { return .ifNamed }
    let others = (0..<lines.count).count { line in
      !(table.start..<table.end).contains(line) && !lines.isBlank(line)
    }
    return others <= table.end - table.start ? .certain : .ifNamed
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    try input.withWholeText { text in
      try TextEncoding.checkUTF8(text)
      let lines = PrintedLines(text)
      let skipped = input.options.skippedLines ?? 0
      guard skipped <= lines.count else {
        throw TableError.badArgument("`skip: \(skipped)` skips the whole text")
      }
      guard let table = PrintedTable(lines, from: skipped) else {
        throw TableError.format(
          "the text has no table: no line such as `---+---` is below a header", at: nil)
      }
      return try PrintedRows(table, of: lines, input.options).load(input)
    }
  }
}
