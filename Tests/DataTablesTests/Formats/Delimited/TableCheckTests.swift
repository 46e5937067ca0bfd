import Testing

@testable import DataTables

/// Texts without a name or labels of a delimited format.
struct TableCheckTests {
  private func load(
    _ text: String, named name: String, _ change: (inout ReadOptions) -> Void = { _ in }
  ) throws -> LoadedTable {
    var options = ReadOptions()
    change(&options)
    return try FormatTable.core.read(
      MemoryBytes(Array(text.utf8)), named: name, options: options)
  }

  @Test(arguments: [
    (
      "This is a text about tables.\nIt has a comma, and lines without one.\n\nThat is all of it.\n",
      "its lines do not have the same number of fields"
    ),
    (
      "All work and no play makes Jack a dull boy\nAll work and no play makes Jack a dull boy\n",
      "its lines are sentences"
    ),
    (
      "zlib (1.2) unstable; urgency=medium\n\n  * One change\n  * Another one\n  * A third\n",
      "most of its lines do not have the same number of fields"
    ),
    ("Files\n  adduser.c\n  passwd.c\n", "some of its lines are indented"),
    ("See the file README.md instead\n", "its only line is a sentence"),
  ])
  func proseIsAnErrorWithAFix(text: String, fault: String) throws {
    let error = TableError.format(
      "the text is not a table in a known format: \(fault); add `format: csv` to read it as CSV",
      at: nil)
    for name in ["README", "a.txt", "a.html", "a.plist"] {
      #expect(throws: error) { try load(text, named: name) }
    }
    _ = try load(text, named: "a.csv")
    _ = try load(text, named: "a") { $0.format = "csv" }
  }

  @Test(arguments: [
    "id\n1\n2\n", "apple\nbanana\ncherry pie\n", "a,b\n1,2\n", "a,b\n", "a;b\n1;2\n3\n",
    "name\nThe Lord\nThe Ring\nA\n", "Report\na,b,c\n1,2,3\n4,5,6\n",
    "id,text\n1,This is a text about tables and more.\n2,So is this text about tables.\n", "x",
    "a b c\n1 2 3\n4 5 6\n",
  ])
  func tablesWithoutANameAreRead(text: String) throws {
    for name in ["", "words", "a.txt"] { _ = try load(text, named: name) }
  }

  @Test func aLabelOfATableDemandsOne() throws {
    let text = "All work and no play makes Jack a dull boy\nSo they say, and so do I\n"
    #expect(try load(text, named: "a.txt") { $0.hasHeader = false }.table.count == 1)
    #expect(try load(text, named: "a.txt") { $0.delimiter = UInt8(ascii: "\t") }.table.count == 1)
  }
}
