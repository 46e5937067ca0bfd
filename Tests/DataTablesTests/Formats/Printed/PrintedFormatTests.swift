import TestSupport
import Testing

@testable import DataTables

struct PrintedFormatTests {
  private func read(
    _ text: String, named name: String = "", _ change: (inout ReadOptions) -> Void = { _ in }
  ) throws -> LoadedTable {
    var options = ReadOptions()
    change(&options)
    return try FormatTable.core.read(
      MemoryBytes(Array(text.utf8)), named: name, options: options)
  }

  private func rows(_ loaded: LoadedTable) throws -> [String] {
    try loaded.table.objects(at: Array(0..<loaded.table.count)).map(\.json)
  }

  struct Example: CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var rows: [String]
    var notes: [String] = ["detected `format: table`"]
  }

  private static let two = [#"{"id":1,"name":"A"}"#, #"{"id":2,"name":"B c"}"#]
  private static let people = [
    #"{"id":1,"name":"Ann","price":1.5,"note":"x|y"}"#,
    #"{"id":2,"name":"Zoë\nMüller","price":20.25,"note":null}"#,
    #"{"id":3,"name":"北京","price":3,"note":"ends+\nlast one+"}"#,
  ]

  static let examples = [
    Example(
      testDescription: "MySQL",
      text: """
        +----+------+
        | id | name |
        +----+------+
        |  1 | A    |
        |  2 | B c  |
        +----+------+
        2 rows in set (0.00 sec)

        """, rows: two,
      notes: [
        "detected `format: table`",
        "line 7 is after the table and is not read: \"2 rows in set (0.00 sec)\"",
      ]),
    Example(
      testDescription: "MySQL after a prompt, with a line end in a cell",
      text: "mysql> select * from t;\n+----+------+\n| id | name |\n+----+------+\n|  1 | A    |\n"
        + "|  2 | B\nc  |\n+----+------+\n",
      rows: [#"{"id":1,"name":"A"}"#, #"{"id":2,"name":"B\nc"}"#],
      notes: ["detected `format: table skip: 1`"]),
    Example(
      testDescription: "psql",
      text: """
         id |  name  | price |   note
        ----+--------+-------+-----------
          1 | Ann    |   1.5 | x|y
          2 | Zoë   +| 20.25 |\u{20}
            | Müller |       |\u{20}
          3 | 北京   |     3 | ends+    +
            |        |       | last one+
        (3 rows)

        """, rows: people,
      notes: [
        "detected `format: table`", "line 8 is after the table and is not read: \"(3 rows)\"",
      ]),
    Example(
      testDescription: "psql without lines between columns",
      text: """
        id  name  price   note
        -- ------ ----- ---------
         1 Ann      1.5 x|y
         2 Zoë   +20.25
           Müller
         3 北京       3 ends+    +
                        last one+
        (3 rows)

        """, rows: people,
      notes: [
        "detected `format: table`", "line 8 is after the table and is not read: \"(3 rows)\"",
      ]),
    Example(
      testDescription: "psql with borders of box characters",
      text: """
        ┌────┬────────┬───────┬───────────┐
        │ id │  name  │ price │   note    │
        ├────┼────────┼───────┼───────────┤
        │  1 │ Ann    │   1.5 │ x|y       │
        │  2 │ Zoë   ↵│ 20.25 │           │
        │    │ Müller │       │           │
        │  3 │ 北京   │     3 │ ends+    ↵│
        │    │        │       │ last one+ │
        └────┴────────┴───────┴───────────┘

        """, rows: people),
    Example(
      testDescription: "psql with one column", text: " count \n-------\n     3\n(1 row)\n",
      rows: [#"{"count":3}"#],
      notes: [
        "detected `format: table`", "line 4 is after the table and is not read: \"(1 row)\"",
      ]),
    Example(
      testDescription: "SQLite in columns",
      text: "id  name\n--  -------\n1   A|     \n2   Zoë x\n3\n",
      rows: [#"{"id":1,"name":"A|"}"#, #"{"id":2,"name":"Zoë x"}"#, #"{"id":3,"name":null}"#]),
    Example(
      testDescription: "SQLite in columns, which counts characters",
      text: "name  n   price\n----  --  -----\n北京    10  5    \nZoë   2   20.25\n",
      rows: [#"{"name":"北京","n":10,"price":5}"#, #"{"name":"Zoë","n":2,"price":20.25}"#]),
    Example(
      testDescription: "short columns", text: "a  b\n-  -\n1  2\n3  4\n",
      rows: [#"{"a":1,"b":2}"#, #"{"a":3,"b":4}"#]),
    Example(
      testDescription: "Markdown",
      text: "| id | name |\n|---:|:-----|\n| 1 | A \\| B |\n| - | - |\n",
      rows: [#"{"id":"1","name":"A | B"}"#, #"{"id":"-","name":"-"}"#]),
    Example(
      testDescription: "Markdown without outer lines",
      text: "a | b\n--- | ---\n1 | 2\n| 3 | 4 |\n", rows: [#"{"a":1,"b":2}"#, #"{"a":3,"b":4}"#]),
    Example(
      testDescription: "DuckDB",
      text: """
        ┌───────┬─────────┐
        │   a   │    b    │
        │ int32 │ varchar │
        ├───────┼─────────┤
        │     1 │ x       │
        │     · │ ·       │
        │     9 │ y       │
        ├───────┴─────────┤
        │     9 rows      │
        └─────────────────┘

        """, rows: [#"{"a":1,"b":"x"}"#, #"{"a":9,"b":"y"}"#],
      notes: [
        "detected `format: table`", "line 3 has the types of the columns and is not a row",
        "the dots at line 6 stand for rows that were not printed",
        "line 9 is after the table and is not read: \"│     9 rows      │\"",
      ]),
    Example(
      testDescription: "Polars",
      text: """
        shape: (2, 2)
        ┌─────┬─────┐
        │ a   ┆ b   │
        │ --- ┆ --- │
        │ i64 ┆ str │
        ╞═════╪═════╡
        │ 1   ┆ x   │
        │ 2   ┆ y   │
        └─────┴─────┘

        """, rows: [#"{"a":1,"b":"x"}"#, #"{"a":2,"b":"y"}"#],
      notes: [
        "detected `format: table skip: 1`", "line 5 has the types of the columns and is not a row",
      ]),
    Example(
      testDescription: "a rule below each row",
      text: """
        +-----+-------+
        | id  | name  |
        +=====+=======+
        | 1   | A     |
        +-----+-------+
        | 2   | B     |
        |     | c     |
        +-----+-------+

        """, rows: [#"{"id":1,"name":"A"}"#, #"{"id":2,"name":"B\nc"}"#]),
    Example(
      testDescription: "reStructuredText",
      text: "===  ====\nid   name\n===  ====\n1    A\n2    B c\n===  ====\n", rows: two),
    Example(
      testDescription: "packages of Debian",
      text: """
        Desired=Unknown/Install/Remove/Purge/Hold
        | Status=Not/Inst/Conf-files/Unpacked/halF-conf/Half-inst/trig-aWait/Trig-pend
        |/ Err?=(none)/Reinst-required (Status,Err: uppercase=bad)
        ||/ Name     Version   Description
        +++-========-=========-===========
        ii  adduser  3.134     add and remove users and groups
        ii  apt      2.6.1     package manager

        """,
      rows: [
        #"{"||/":"ii","Name":"adduser","Version":"3.134","Description":"#
          + #""add and remove users and groups"}"#,
        #"{"||/":"ii","Name":"apt","Version":"2.6.1","Description":"package manager"}"#,
      ], notes: ["detected `format: table skip: 3`"]),
    Example(
      testDescription: "a header on each page",
      text: "ID NAME\n-- ----\n 1 A\n\nID NAME\n-- ----\n 2 B\n\n2 rows selected.\n",
      rows: [#"{"ID":1,"NAME":"A"}"#, #"{"ID":2,"NAME":"B"}"#],
      notes: [
        "detected `format: table`", "the header is repeated 1 time",
        "line 9 is after the table and is not read: \"2 rows selected.\"",
      ]),
  ]

  @Test(arguments: examples)
  func tablesAreRead(example: Example) throws {
    let loaded = try read(example.text)
    #expect(try rows(loaded) == example.rows)
    #expect(loaded.report.notes == example.notes)
    for end in ["\r\n", "\r"] {
      let text = example.text.split(separator: "\n", omittingEmptySubsequences: false)
        .joined(separator: end)
      #expect(try rows(try read(text)) == example.rows)
    }
  }

  @Test(
    arguments: [
      "a,b\n-,-\n1,2\n", "a|b\n-|-\n1|2\n", "title\n-----\ntext\n", "- a\n- b\n",
      "x  1  2\ny  3  4\n-  -  -\nz  5  6\n", "a\tb\n---\t---\n1\t2\n",
      "# Heading\n\nSome text.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nMore text,\nand more.\n\nEnd.\n\n"
        + "Really.\n",
    ])
  func otherTextsAreNotRecognized(text: String) throws {
    let sample = try FormatSample(MemoryBytes(Array(text.utf8)), named: "", encoding: nil)
    #expect(PrintedFormat().recognize(sample) == .ifNamed)
  }

  @Test func anotherTableIsReadWithSkip() throws {
    let text = "# A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nText.\n\n| c |\n|---|\n| 3 |\n"
    let first = try read(text) { $0.format = "table" }
    #expect(
      first.report.notes == [
        "detected `skip: 2`",
        "another table begins at line 9; add `skip: 8` to read it",
      ])
    let second = try read(text) { ($0.format, $0.skippedLines) = ("table", 8) }
    #expect(try rows(second) == [#"{"c":3}"#])
    #expect(try second.table.line(of: 0) == 11)
  }

  @Test func aTableInProseIsSuggested() throws {
    let prose = "Some text, which says little.\nIt has more lines than the table has.\n\n"
    let text = prose + "| a | b |\n|---|---|\n| 1 | 2 |\n\n" + prose
    let error = #expect(throws: TableError.self) { try read(text) }
    #expect(error?.message.hasSuffix("add `format: table` to read the table at line 4") ?? false)
    #expect(try rows(try read(text) { $0.format = "table" }) == [#"{"a":1,"b":2}"#])
  }

  @Test func linesWithOtherFieldsAreRejected() throws {
    let text = " a | b \n---+---\n 1 | 2\n 33 | 4 | 5\n 6 | 7\n(3 rows)\n"
    let loaded = try read(text)
    #expect(loaded.table.count == 2)
    #expect(loaded.report.rejects.map(\.line) == [4])
    #expect(loaded.report.rejects.map(\.reason) == ["has 3 fields for 2 keys"])
    #expect(loaded.report.rejects.first?.offset == 23)
    let error = #expect(throws: TableError.self) { try read(text) { $0.isStrict = true } }
    #expect(error?.message == "the row has 3 fields for 2 keys at line 4, column 1")
  }

  /// In quadratic time, the test would take hours.
  @Test(.timeLimit(.minutes(5))) func manyRulesTakeLinearTime() throws {
    for text in ["x\n---\n", "| a |\n+---+\n", "a | b\n--+--\n", "+--+\n", "|\n"] {
      let many = String(repeating: text, count: 50_000)
      _ = PrintedTable(PrintedLines(Array(many.utf8)), from: 0)
    }
  }

  @Test func keysAndHeader() throws {
    let text = "+---+---+\n| a | b |\n+---+---+\n| 1 | 2 |\n+---+---+\n"
    #expect(try rows(try read(text) { $0.keys = ["x", "y"] }) == [#"{"x":1,"y":2}"#])
    #expect(
      try rows(try read(text) { $0.hasHeader = false })
        == [#"{"column1":"a","column2":"b"}"#, #"{"column1":"1","column2":"2"}"#])
    let error = #expect(throws: TableError.self) { try read(text) { $0.keys = ["x"] } }
    #expect(error?.message.hasSuffix("replace `keys:` with `keys: [x, column2]`") ?? false)
  }

  private enum Style: CaseIterable { case mysql, psql, box, columns, markdown }

  /// Cells of characters that use one cell of a terminal, without line ends and blanks at their ends.
  private static func cell(_ random: inout SplitMix64, _ style: Style) -> String {
    let pieces = ["a", "B", "é", "0", "7", ".", "-", " ", "x y", "|", "+", "│", "\\"]
    var cell = (0..<Int.random(in: 0...5, using: &random)).map { _ in random.one(of: pieces) }
      .joined().trimmed
    // A delimiter is only found by its place, and an escape changes the next character.
    if style == .markdown { cell = cell.split(separator: "\\").joined() }
    if style == .box { cell = cell.split(separator: "│").joined() }
    // A continued line.
    while cell.hasSuffix("+") { cell.removeLast() }
    return cell.trimmed
  }

  private static func printed(_ rows: [[String]], _ style: Style) -> String {
    let written = rows.map { row in
      row.map { cell in
        style == .markdown
          ? cell.split(separator: "|", omittingEmptySubsequences: false)
            .joined(separator: "\\|") : cell
      }
    }
    let widths = rows[0].indices.map { column in
      max(3, written.map { $0[column].unicodeScalars.count }.max() ?? 0)
    }
    func line(_ left: String, _ middle: String, _ right: String, _ cells: [String]) -> String {
      left + cells.joined(separator: middle) + right + "\n"
    }
    func rule(_ fill: String, extra: Int) -> [String] {
      widths.map { String(repeating: fill, count: $0 + extra) }
    }
    let cells = written.map { row in
      zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.unicodeScalars.count)
      }
    }
    let header = cells[0]
    let body = cells.dropFirst()
    switch style {
    case .mysql:
      let rule = line("+", "+", "+", rule("-", extra: 2))
      return rule + line("| ", " | ", " |", header) + rule
        + body.map { line("| ", " | ", " |", $0) }.joined() + rule
    case .psql:
      return line(" ", " | ", " ", header) + line("", "+", "", rule("-", extra: 2))
        + body.map { line(" ", " | ", "", $0) }.joined() + "(\(body.count) rows)\n"
    case .box:
      return line("┌", "┬", "┐", rule("─", extra: 2)) + line("│ ", " │ ", " │", header)
        + line("├", "┼", "┤", rule("─", extra: 2))
        + body.map { line("│ ", " │ ", " │", $0) }.joined()
        + line("└", "┴", "┘", rule("─", extra: 2))
    case .columns:
      return line("", "  ", "", header) + line("", "  ", "", rule("-", extra: 0))
        + body.map { line("", "  ", "", $0) }.joined()
    case .markdown:
      return line("| ", " | ", " |", header) + line("|", "|", "|", rule("-", extra: 2))
        + body.map { line("| ", " | ", " |", $0) }.joined()
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func printedTablesAreReadBack(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<400 {
      let style = Style.allCases[Int.random(in: 0..<Style.allCases.count, using: &random)]
      let columns = Int.random(in: 2...5, using: &random)
      let header = (0..<columns).map { "k\($0)" }
      let rows = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        (0..<columns).map { column in column == 0 ? "r" : Self.cell(&random, style) }
      }
      let text = Self.printed([header] + rows, style)
      let loaded = try read(text) { options in
        options.types = Dictionary(uniqueKeysWithValues: header.map { ($0, .string) })
      }
      let expected = rows.map { row in
        Value.record(
          Record(zip(header, row).map { ($0, $1.isEmpty ? Value.null : .string($1)) })
        ).json
      }
      #expect(try self.rows(loaded) == expected, "seed \(seed), round \(round): \(style)\n\(text)")
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func damagedTablesDoNotCrash(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let texts = Self.examples.map(\.text)
    let pieces = [
      "|", "+", "-", "=", "\n", " ", "┼", "│", "├", ":", "\\", "e\u{301}", "北", "\t", "(1 row)",
    ]
    for _ in 0..<600 {
      var text = Array(random.one(of: texts).unicodeScalars)
      for _ in 0..<Int.random(in: 1...4, using: &random) where !text.isEmpty {
        let place = Int.random(in: 0..<text.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text.remove(at: place)
        case 1: text.insert(contentsOf: random.one(of: pieces).unicodeScalars, at: place)
        default: text.removeLast(text.count - place)
        }
      }
      var string = String.UnicodeScalarView()
      string.append(contentsOf: text)
      do {
        let loaded = try read(String(string)) { $0.format = "table" }
        #expect(loaded.table.keys.count > 0 || loaded.table.count == 0)
      } catch is TableError {}
    }
  }
}
