/// The first table of a text that programs print, such as clients of databases: a rule separates its
/// header from its rows.
struct PrintedTable {
  struct Row {
    /// The index of its first line.
    let line: Int
    var cells: [String]
  }

  /// A line of the table that is not a row.
  struct Problem {
    let line: Int
    /// In characters, from 1.
    var column = 1
    let reason: String
  }

  /// nil if no rule follows the first rows, which do not look like names.
  private(set) var header: Row?
  private(set) var rows: [Row] = []
  private(set) var problems: [Problem] = []
  /// The index of the first line of the table.
  let start: Int
  /// The index of the line after the table.
  private(set) var end: Int
  /// The line with the types of the columns, which DuckDB and Polars print.
  private(set) var typeLine: Int?
  /// Lines of dots, which stand for rows that were not printed.
  private(set) var dotLines: [Int] = []
  /// The number of times that the header is printed again.
  private(set) var repetitions = 0
  let rule: PrintedRule
  private let lines: PrintedLines
  private var columns: PrintedColumns
  /// The rows between rules, and the rules.
  private var blocks: [[Row]] = [[]]
  private var rules: [PrintedRule] = []
  private var hasTopRule = false

  var width: Int { columns.count }

  /// The first table from a line on; nil if there is none.
  init?(_ lines: PrintedLines, from first: Int) {
    for line in first..<max(first, lines.count) {
      guard let rule = lines.rule(line), !rule.isLowerBorder,
        let start = Self.start(of: rule, at: line, in: lines, from: first)
      else { continue }
      self.init(lines, rule, start: start)
      if rule.form == .gaps, rule.columns == 1, !isFollowedByCount { continue }
      // Without rows, the rule is the lower border of a table whose start is skipped.
      if rows.isEmpty, !hasTopRule, rule.form == .joints, rule.hasLeft { continue }
      return
    }
    return nil
  }

  private init(_ lines: PrintedLines, _ rule: PrintedRule, start: Int) {
    (self.lines, self.rule, self.start) = (lines, rule, start)
    columns = PrintedColumns(rule: rule)
    end = start
    if rule.form == .gaps {
      columns.measure((start..<lines.count).lazy.prefix { !lines.isBlank($0) }.map { lines[$0] })
    }
    read()
    takeHeader()
    takeRows()
  }

  /// The first line of the table that a rule belongs to: its header above, or the rule itself.
  private static func start(
    of rule: PrintedRule, at line: Int, in lines: PrintedLines, from first: Int
  ) -> Int? {
    let columns = PrintedColumns(rule: rule)
    func cells(_ line: Int) -> [String]? {
      guard line >= first, line < lines.count else { return nil }
      switch columns.divide(lines[line]) {
      case .cells(let cells), .continued(let cells, _): return cells
      default: return nil
      }
    }
    if let names = cells(line - 1) {
      guard rule.form == .gaps else {
        // A name may have a line end.
        var start = line - 1
        while start > first, case .continued = columns.divide(lines[start - 1]) { start -= 1 }
        return start
      }
      let isPlain = rule.runs.allSatisfy { $0.count == 1 } && line - 1 > first
      let areNames =
        names.dropFirst().allSatisfy { !$0.isEmpty }
        && !names.allSatisfy { $0.isEmpty || CellKind.isNumberOrDate($0) }
      return areNames && !isPlain ? line - 1 : nil
    }
    guard line + 1 < lines.count, rule.form == .gaps || rule.hasLeft && rule.hasRight else {
      return nil
    }
    if rule.form == .gaps {
      return cells(line + 1) != nil && lines.rule(line + 2)?.runs == rule.runs ? line : nil
    }
    switch columns.divide(lines[line + 1]) {
    case .cells, .continued, .open: return line
    case .fields, .crossed, .outside: return nil
    }
  }
}

// Reading lines.
extension PrintedTable {
  private mutating func read() {
    var line = start
    while line < lines.count, let next = readLine(line) { line = next }
    end = line
  }

  /// Reads a line and those that continue it; returns the line after them, or nil at the end of the
  /// table.
  private mutating func readLine(_ line: Int) -> Int? {
    if let rule = ownRule(line) {
      if rule.endsColumns { return nil }
      hasTopRule = hasTopRule || line == start
      if line != start { blocks.append([]) }
      rules.append(rule)
      return line + 1
    }
    if isRepeatedHeader(line) {
      repetitions += 1
      return line + 3
    }
    let text = lines[line]
    if rule.form == .gaps, Self.isCount(text) { return nil }
    switch columns.divide(text) {
    case .cells(let cells): add(cells, at: line)
    case .continued(let cells, let continued): return readContinued(cells, continued, at: line)
    case .fields(let count): return readFields(count, text, at: line)
    case .crossed(let character):
      problems.append(
        Problem(
          line: line, column: character + 1, reason: LineProblem.acrossColumns.message))
    case .open: return readOpen(line)
    case .outside: return nil
    }
    return line + 1
  }

  /// A rule of the table. A row of dashes looks like one in tables whose rules have no joints.
  private func ownRule(_ line: Int) -> PrintedRule? {
    guard let found = lines.rule(line), found.columns == width else { return nil }
    switch rule.form {
    case .joints: return found.form == .joints ? found : nil
    case .pipes, .gaps: return found.runs == rule.runs && found.form == rule.form ? found : nil
    }
  }

  /// Whether a page begins at a blank line with the header and the rule.
  private func isRepeatedHeader(_ line: Int) -> Bool {
    rule.form == .gaps && lines.isBlank(line) && line + 2 < lines.count
      && lines.text(of: line + 1) == lines.text(of: start) && ownRule(line + 2) != nil
  }

  private mutating func add(_ cells: [String], at line: Int) {
    let texts = cells.filter { !$0.isEmpty }
    if rule.isBox, !texts.isEmpty, texts.allSatisfy(["·", "…", "...", ".."].contains) {
      dotLines.append(line)
    } else {
      blocks[blocks.count - 1].append(Row(line: line, cells: cells))
    }
  }

  /// Adds a row whose cells contain line ends.
  private mutating func readContinued(
    _ cells: [String], _ continued: Set<Int>, at line: Int
  ) -> Int {
    var (row, continued, next) = (cells, continued, line + 1)
    while !continued.isEmpty, next < lines.count {
      let more: [String]
      let open: Set<Int>
      switch columns.divide(lines[next]) {
      case .cells(let cells): (more, open) = (cells, [])
      case .continued(let cells, let columns): (more, open) = (cells, columns)
      default: return addRow(row, at: line, next: next)
      }
      for column in continued { row[column] += "\n" + more[column] }
      (continued, next) = (open, next + 1)
    }
    return addRow(row, at: line, next: next)
  }

  private mutating func addRow(_ cells: [String], at line: Int, next: Int) -> Int {
    add(cells, at: line)
    return next
  }

  /// A row of Markdown may lack cells; others are rejected.
  private mutating func readFields(_ count: Int, _ text: [Unicode.Scalar], at line: Int) -> Int? {
    if rule.form == .gaps || !rule.hasLeft && count == 1 { return nil }
    let problem = LineProblem.words(count, expected: width)
    problems.append(Problem(line: line, reason: problem.message))
    return line + 1
  }

  /// Adds a row whose cells contain line ends, so that its first line has no border at its end.
  private mutating func readOpen(_ line: Int) -> Int {
    var text = lines[line]
    var next = line + 1
    while next < lines.count, !lines.isBlank(next), !columns.begins(lines[next]),
      ownRule(next) == nil
    {
      text += ["\n"] + lines[next]
      next += 1
    }
    if next > line + 1, case .cells(let cells) = columns.divide(text) {
      return addRow(cells, at: line, next: next)
    }
    problems.append(
      Problem(line: line, column: lines[line].count + 1, reason: "does not end with `|`"))
    return line + 1
  }

  /// Whether a line is the number of rows: `(2 rows)`, `3 rows selected.`
  static func isCount(_ line: [Unicode.Scalar]) -> Bool {
    let rest = line.drop { $0 == " " || $0 == "(" }
    let words = rest.drop { $0.properties.numericType != nil }
    return words.count < rest.count && words.starts(with: " row".unicodeScalars)
  }

  private var isFollowedByCount: Bool { end < lines.count && Self.isCount(lines[end]) }
}

// Interpreting the rows between rules.
extension PrintedTable {
  private mutating func takeHeader() {
    blocks.removeAll(where: \.isEmpty)
    guard let first = blocks.first, var names = first.first else { return }
    if hasTopRule, blocks.count == 1, rules.count > 1 || !isFollowedByFooter {
      let below = first.dropFirst().prefix(30).map(\.cells)
      guard HeaderGuess(names.cells, above: Array(below)) == .header else { return }
      blocks[0].removeFirst()
      header = names
      return
    }
    blocks.removeFirst()
    let hasTypes = first.count == 2 && first[1].cells.allSatisfy(Self.isTypeName)
    if hasTypes { typeLine = first[1].line }
    for row in first.dropFirst() where !hasTypes {
      for (column, cell) in row.cells.enumerated() where !cell.isEmpty {
        names.cells[column] += (names.cells[column].isEmpty ? "" : " ") + cell
      }
    }
    header = names
    let inner = rules.dropFirst(hasTopRule ? 1 : 0)
    if inner.first?.underlinesCells == true, let types = blocks.first?.first {
      typeLine = types.line
      blocks.removeFirst()
    }
  }

  /// Whether a rule closes the columns, as DuckDB prints it above the number of rows.
  private var isFollowedByFooter: Bool { lines.rule(end)?.endsColumns ?? false }

  private mutating func takeRows() {
    let areBlocksRows = blocks.count > 1 && rules.contains(where: \.isDouble)
    for block in blocks {
      guard areBlocksRows, var row = block.first else {
        rows += block
        continue
      }
      for other in block.dropFirst() {
        for (column, cell) in other.cells.enumerated() where !cell.isEmpty {
          row.cells[column] += (row.cells[column].isEmpty ? "" : "\n") + cell
        }
      }
      rows.append(row)
    }
    blocks = []
  }

  /// Whether a cell is a type as DuckDB prints it below a name: `int32`, `decimal(18,3)`,
  /// `varchar[]`.
  private static func isTypeName(_ cell: String) -> Bool {
    let word = cell.prefix { $0.isLetter || $0.isNumber }
    return typeNames.contains(String(word))
  }

  private static let typeNames: Set<String> = [
    "int8", "int16", "int32", "int64", "int128", "uint8", "uint16", "uint32", "uint64", "uint128",
    "float", "double", "decimal", "varchar", "boolean", "date", "time", "timestamp", "interval",
    "blob", "bit", "uuid", "json", "struct", "map", "enum", "union", "null",
  ]
}
