import TestSupport
import Testing

@testable import DataTables

/// Tables whose columns blanks align, with values that have blanks in them.
struct AlignedColumnTests {
  private func read(_ text: String) throws -> (keys: [String], cells: [[String?]]) {
    var options = ReadOptions()
    options.format = "fixed"
    let table = try FormatTable.core.read(
      MemoryBytes(Array(text.utf8)), named: "", options: options
    ).table
    let cells = try table.objects(at: Array(0..<table.count)).map { object -> [String?] in
      guard case .record(let record) = object else { return [] }
      return record.values.map { $0 == .null ? nil : $0.string ?? $0.json }
    }
    return (table.keys, cells)
  }

  @Test func valuesOfSeveralWordsAreNotDivided() throws {
    let (keys, cells) = try read(
      """
      First name  Home city  Age
      Ann Lee     New York   30
      Bob Dee     San Jose   4

      """)
    #expect(keys == ["First name", "Home city", "Age"])
    #expect(cells == [["Ann Lee", "New York", "30"], ["Bob Dee", "San Jose", "4"]])
  }

  @Test func missingValuesAreFoundByTheirPlace() throws {
    let (keys, cells) = try read(
      """
      CONTAINER ID   IMAGE          CREATED         STATUS       PORTS    NAMES
      a1b2c3d4e5f6   nginx:latest   2 hours ago     Up 2 hours   80/tcp   web
      b1b2c3d4e5f6   redis          3 days ago      Up 3 days             cache
      c1b2c3d4e5f6   pg             3 weeks ago     Created               db

      """)
    #expect(keys == ["CONTAINER ID", "IMAGE", "CREATED", "STATUS", "PORTS", "NAMES"])
    #expect(
      cells == [
        ["a1b2c3d4e5f6", "nginx:latest", "2 hours ago", "Up 2 hours", "80/tcp", "web"],
        ["b1b2c3d4e5f6", "redis", "3 days ago", "Up 3 days", nil, "cache"],
        ["c1b2c3d4e5f6", "pg", "3 weeks ago", "Created", nil, "db"],
      ])
  }

  @Test func listsOfFilesHaveNamesWithBlanks() throws {
    let (_, cells) = try read(
      """
      total 8
      -rw-r--r-- 1 bob staff  120 Nov 22 10:00 my file.txt
      -rw-r--r-- 1 bob staff 1200 Nov  2  2025 a.txt
      drwxr-xr-x 2 bob staff 4096 Nov 22 10:00 dir

      """)
    #expect(cells.map(\.last) == ["my file.txt", "a.txt", "dir"])
    #expect(cells.map { $0[4] } == ["120", "1200", "4096"])
  }

  /// Numbers separated by single blanks are in columns of their own, although wider gaps are aligned.
  @Test func numbersAreDivided() throws {
    let (_, cells) = try read("1 22  3 4\n11 2  3 4\n5 6   7 8\n")
    #expect(cells == [["1", "22", "3", "4"], ["11", "2", "3", "4"], ["5", "6", "7", "8"]])
  }

  /// Random tables are read as they were printed.
  @Test(arguments: 0..<200)
  func printedTablesAreReadBack(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    func word() -> String {
      String(
        (0..<Int.random(in: 2...7, using: &random)).map { _ in
          "abcdefgh".randomElement(using: &random) ?? "a"
        })
    }
    let columns = Int.random(in: 3...6, using: &random)
    let keys = (0..<columns).map { "K\($0)" + word() }
    var rows = (0..<8).map { _ in
      (0..<columns).map { column -> String? in
        if column > 0, Int.random(in: 0..<8, using: &random) == 0 { return nil }
        return (0..<Int.random(in: 1...3, using: &random)).map { _ in word() }.joined(
          separator: " ")
      }
    }
    // Each column has a value.
    rows.append((0..<columns).map { _ in word() })
    let isRight = (0..<columns).map { _ in Bool.random(using: &random) }
    let gap = Int.random(in: 2...4, using: &random)
    let widths = (0..<columns).map { column in
      ([keys[column]] + rows.map { $0[column] ?? "" }).map(\.count).max() ?? 0
    }
    let lines = ([keys] + rows.map { $0.map { $0 ?? "" } }).map { cells in
      cells.indices.map { column in
        let blanks = String(repeating: " ", count: widths[column] - cells[column].count)
        return isRight[column] ? blanks + cells[column] : cells[column] + blanks
      }.joined(separator: String(repeating: " ", count: gap)) + "\n"
    }
    let read = try read(lines.joined())
    #expect(read.keys == keys, "\(lines.joined())")
    #expect(read.cells == rows, "\(lines.joined())")
  }
}
