import DSReplay
import DataSources
import DataTables
import Testing

@testable import DSReplay

@Suite struct ComparedLinesTests {
  /// Rows with cells at the places of their columns, as a style prints them.
  static func printed(_ names: [String], _ rows: [[String]]) -> [String] {
    let widths = names.indices.map { column in
      ([names] + rows).map { $0[column].count }.max() ?? 0
    }
    return ([names] + rows).map { row in
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  @Test func theCellsOfAPrintedTableAreReadBack() throws {
    var generator = SeededGenerator(seed: 7)
    for round in 0..<500 {
      let names = (0..<Int.random(in: 1...5, using: &generator)).map { "k\($0)" }
      let rows = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        names.map { _ in
          generator.pick(["", "a", "a b", "long and longer", "x  y", "12"])
        }
      }
      // A row without a first cell begins with blanks; an empty row has no cells.
      let lines = Self.printed(names, rows)
      let columns = try #require(
        TableColumns(header: lines[0], of: PrintedTable(lines: 0..<1, hasIndexPaths: false)))
      #expect(columns.names == names)
      for (line, row) in zip(lines.dropFirst(), rows) {
        // The number of words may be that of the columns only by the blanks inside a cell.
        if row.contains("x  y"), row.contains("") { continue }
        #expect(columns.row(line)?.cells == row, "round \(round): \(lines)")
      }
    }
  }

  static func lines(
    _ expected: [ExpectedLine.Kind], _ actual: [String], ignoring keys: [String] = []
  ) -> ComparedLines {
    ComparedLines(
      expected.map { ExpectedLine(kind: $0) }, actual,
      tables: [PrintedTable(lines: actual.indices, hasIndexPaths: false)], ignoredKeys: keys,
      isUnordered: false, comparesCells: true)
  }

  static func isMatch(_ lines: ComparedLines) -> Bool {
    zip(lines.expected, lines.actual).allSatisfy { $0.mayMatch($1, Captures()) }
  }

  /// The columns of one table are wider.
  @Test func widthsDoNotMatter() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<300 {
      let names = ["id", "name", "x"]
      let rows = (0..<3).map { _ in names.map { _ in generator.pick(["", "a", "b c"]) } }
      let wide = Self.printed(names, rows + [["1", String(repeating: "w", count: 20), ""]])
      let narrow = Self.printed(names, rows)
      let lines = Self.lines(narrow.map { .text($0) }, Array(wide.dropLast()))
      #expect(Self.isMatch(lines), "\(narrow) \(wide)")
      var other = rows
      let row = Int.random(in: 0..<3, using: &generator)
      other[row][1] += "!"
      let changed = Self.lines(narrow.map { .text($0) }, Self.printed(names, other))
      #expect(!Self.isMatch(changed))
    }
  }

  @Test func ignoredColumnsDoNotMatter() {
    let expected = ["id  name", "1   a", "2   b"].map { ExpectedLine.Kind.text($0) }
    let actual = ["id    name", "1000  a", "      b"]
    #expect(Self.isMatch(Self.lines(expected, actual, ignoring: ["id"])))
    #expect(!Self.isMatch(Self.lines(expected, actual, ignoring: ["x"])))
    #expect(!Self.isMatch(Self.lines(expected, ["id  name", "1   a", "2   c"], ignoring: ["id"])))
  }

  /// Only lines of records have keys: the name of a source is not one.
  @Test(arguments: [PrintedRecords.Form.lines, .values])
  func onlyRecordsHaveKeys(form: PrintedRecords.Form) {
    let lines = ComparedLines(
      [ExpectedLine(kind: .text("foods: 1 section"))], ["foods: 2 sections"], tables: [],
      records: [PrintedRecords(lines: 0..<1, form: form)], ignoredKeys: [], isUnordered: false,
      comparesCells: true)
    let steps = [Alignment.Step.missing(expected: 0), .extra(actual: 0)]
    #expect(lines.differingKeys(steps) == (form == .lines ? ["foods"] : nil))
  }

  /// Rows with a character between their cells are read back, and their widths do not matter.
  @Test(arguments: [PrintedTable.Form.bars("│"), .bars("|"), .fields(","), .fields("\t")])
  func theCellsOfOtherModesAreReadBack(form: PrintedTable.Form) throws {
    var generator = SeededGenerator(seed: 9)
    func line(_ cells: [String], _ width: Int) -> String {
      switch form {
      case .bars(let bar):
        let padded = cells.map { $0 + String(repeating: " ", count: max(0, width - $0.count)) }
        return "\(bar) " + padded.joined(separator: " \(bar) ") + " \(bar)"
      case .fields(let delimiter): return cells.joined(separator: String(delimiter))
      default: return ""
      }
    }
    let cells =
      if case .fields = form { ["", "a", "a  b", " a", "\"b, c\"", "\"\"\"\"", "1"] } else {
        ["", "a", "a  b", "b  c", "d\\|e", "1"]
      }
    for _ in 0..<300 {
      let names = (0..<Int.random(in: 1...4, using: &generator)).map { "k\($0)" }
      let rows = (0..<3).map { _ in names.map { _ in generator.pick(cells) } }
      // In Markdown, cells have one blank on each side.
      let (narrow, wide) = form == .bars("│") ? (3, 9) : (0, 0)
      let lines = allLines(names, rows, narrow)
      let table = PrintedTable(lines: lines.indices, form: form, hasIndexPaths: false)
      let columns = try #require(table.header(in: lines)?.columns)
      #expect(columns.names == names)
      #expect(lines.suffix(3).map { columns.row($0)?.cells } == rows)
      func compared(_ rows: [[String]], ignoring keys: [String] = []) -> ComparedLines {
        ComparedLines(
          allLines(names, rows, wide).map { ExpectedLine(kind: .text($0)) }, lines,
          tables: [table], ignoredKeys: keys, isUnordered: false, comparesCells: true)
      }
      #expect(Self.isMatch(compared(rows)))
      var others = rows
      others[1][0] = generator.pick(cells)
      // Lines are equal exactly if all cells are.
      #expect(Self.isMatch(compared(others)) == (others == rows), "\(others) \(rows)")
      #expect(Self.isMatch(compared(others, ignoring: ["k0"])))
      if others != rows {
        let line = lines.count - 2
        #expect(compared(others).cellDifferences(line, line).count == 1)
      }
    }

    func allLines(_ names: [String], _ rows: [[String]], _ width: Int) -> [String] {
      let lines = ([names] + rows).map { line($0, width) }
      return form == .bars("│") ? ["┌─┬─┐"] + lines : lines
    }
  }

  /// The lines of a quoted field are not rows of their own.
  @Test func fieldsOfSeveralLinesAreTexts() {
    let lines = ["id,note", "1,\"Hi,", "Ann, thanks", "bye\"", "2,x"]
    func isMatch(_ expected: [String]) -> Bool {
      Self.isMatch(
        ComparedLines(
          expected.map { ExpectedLine(kind: .text($0)) }, lines,
          tables: [PrintedTable(lines: lines.indices, form: .fields(","), hasIndexPaths: false)],
          ignoredKeys: ["id"], isUnordered: false, comparesCells: true))
    }
    #expect(isMatch(["id,note", "1,\"Hi,", "Ann, thanks", "bye\"", "7,x"]))
    #expect(!isMatch(["id,note", "1,\"Hi,", "Eve, thanks", "bye\"", "7,x"]))
    #expect(!isMatch(["id  note", "1,\"Hi,", "Ann, thanks", "bye\"", "7  x"]))
  }

  /// The second table is not read by the columns of the first.
  @Test func twoTablesAreReadByTheirOwnColumns() {
    let lines = ["id,a", "1,x", "id,b", "2,y"]
    func isMatch(_ expected: [String]) -> Bool {
      Self.isMatch(
        ComparedLines(
          expected.map { ExpectedLine(kind: .text($0)) }, lines,
          tables: [0..<2, 2..<4].map {
            PrintedTable(lines: $0, form: .fields(","), hasIndexPaths: false)
          }, ignoredKeys: ["id"], isUnordered: false, comparesCells: true))
    }
    #expect(isMatch(["id,a", "7,x", "id,b", "8,y"]))
    #expect(!isMatch(["id,a", "7,x", "id,b", "8,z"]))
    #expect(!isMatch(["id,a", "7,x", "id,c", "8,y"]))
  }

  /// Names have no escapes; places that are ignored are.
  @Test func namesAreThoseOfTheKeys() {
    func isMatch(_ form: PrintedTable.Form, _ expected: [String], _ lines: [String]) -> Bool {
      Self.isMatch(
        ComparedLines(
          expected.map { ExpectedLine(kind: .text($0)) }, lines,
          tables: [PrintedTable(lines: lines.indices, form: form, hasIndexPaths: false)],
          ignoredKeys: ["made_at", "row"], isUnordered: false, comparesCells: true))
    }
    #expect(
      isMatch(.bars("|"), ["| a | made\\_at |", "| 1 | 7 |"], ["| a | made\\_at |", "| 1 | 8 |"]))
    #expect(
      isMatch(
        .fields(","), ["section,row,\"made_at\",a", "0,1,7,x"],
        ["section,row,\"made_at\",a", "0,2,8,x"]))
    #expect(!isMatch(.bars("|"), ["| a |", "| x |"], ["| a |", "|  x |"]))
  }

  @Test(arguments: [
    ("{id: 7, a: 1}", "{id: …, a: 1}"), ("{a: 1, id: {x: [1, 2]}}", "{a: 1, id: …}"),
    (#"{"id":"a, \"}","a":1}"#, #"{"id":…,"a":1}"#), ("[{id: 1}, {id: 2}]", "[{id: …}, {id: …}]"),
    ("paid: 7", "paid: 7"), ("{paid: 7}", "{paid: 7}"), ("the id is 7", "the id is 7"),
    ("id", "id"), ("id: 7", "id: 7"), ("see {id: 7}", "see {id: 7}"), ("", ""), ("{", "{"),
    ("{id: [1", "{id: …"), (#"{id: "x"#, "{id: …"), (#"{"id: 7"#, #"{"id: 7"#), ("{id", "{id"),
    (#"{a: "the id: 7", id: 7}"#, #"{a: "the id: 7", id: …}"#), (#"  "id": 7,"#, #"  "id": …,"#),
    (#"{a: "\"#, #"{a: "\"#),
  ])
  func valuesOfKeysInRecordsAreMasked(line: String, masked: String) {
    #expect(IgnoredValues(["id"]).masked(line, .values) == masked)
  }

  @Test(arguments: [
    ("id: 7", "id: …"), ("id: 7, name: Pie", "id: …"), ("id:", "id:…"), ("id", "id"),
    ("note: the id: 7", "note: the id: 7"), ("made: {id: 7, a: 1}", "made: {id: …, a: 1}"),
    ("paid: 7", "paid: 7"), ("id 7", "id 7"), (" id: 7", " id: 7"), ("", ""),
  ])
  func valuesOfLinesWithKeysAreMasked(line: String, masked: String) {
    #expect(IgnoredValues(["id"]).masked(line, .lines) == masked)
  }
}
