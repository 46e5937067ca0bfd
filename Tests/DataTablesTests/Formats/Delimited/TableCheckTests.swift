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
    for name in ["README", "a.txt", "a.html", "a.plist"] {
      let error = #expect(throws: TableError.self) { try load(text, named: name) }
      let message = error?.message ?? ""
      #expect(message.hasPrefix("the text is not a table in a known format: \(fault); add `"))
      // Each suggested label reads the text.
      let labels = message.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }
      for label in labels.map(\.element) {
        let parts = label.split(separator: ": ", maxSplits: 1).map(String.init)
        _ = try load(text, named: name) { options in
          switch parts[0] {
          case "format": options.format = parts[1]
          case "header": options.hasHeader = false
          case "pattern":
            try? ReadOption.pattern.apply(
              .string(parts[1].filter { $0 != "'" && $0 != "\"" }), to: &options)
          default: Issue.record("\(label)")
          }
        }
      }
    }
    _ = try load(text, named: "a.csv")
    _ = try load(text, named: "a") { $0.format = "csv" }
  }

  @Test(arguments: [
    "sysfs on /sys type sysfs (rw,nosuid,nodev,noexec,relatime)\n"
      + "proc on /proc type proc (rw,relatime)\nudev on /dev type devtmpfs (rw,nosuid,size=4k)\n",
    "\nLog started: 2024-11-22  06:25:14\n(Reading database ... \n"
      + "Preparing to unpack .../base.deb ...\nLog ended: 2024-11-22  06:25:20\n\n",
    "# /etc/shells: valid login shells\n/bin/sh\n/bin/bash\n",
    "127.0.0.1 localhost\n127.0.1.1 web1\n", "vm\n", "a = 1;\nb = 2;\nc = 3;\n",
    "#!/bin/sh\necho a,b\necho c,d\n",
    "-----BEGIN CERTIFICATE-----\nMIIF\n-----END CERTIFICATE-----\n",
    "Read me\n\nFirst\tsee the list, then\nrun\tthe program\n  -v\tprints more\n",
  ])
  func otherTextsWithoutATableAreErrors(text: String) {
    #expect(throws: TableError.self) { try load(text, named: "a.txt") }
  }

  @Test func linesWithARareDelimiterAreReadWithTheSuggestedLabels() throws {
    let text = "root:x:0:\nadm:x:4:frank\n"
    let error = #expect(throws: TableError.self) { try load(text, named: "group") }
    #expect(
      error?.message.hasSuffix("add `delimiter: \":\" header: false` to split its lines") ?? false)
    let loaded = try load(text, named: "group") {
      ($0.delimiter, $0.hasHeader) = (UInt8(ascii: ":"), false)
    }
    #expect(loaded.table.count == 2)
    #expect(loaded.table.keys.count == 4)
  }

  @Test(
    arguments: [
      ("id\n1\n2\n", ["id"], 2), ("apple\nbanana\ncherry pie\n", ["apple"], 2),
      ("a,b\n1,2\n", ["a", "b"], 1), ("a,b\n", ["a", "b"], 0), ("a;b\n1;2\n3\n", ["a", "b"], 2),
      ("name\nThe Lord\nThe Ring\nA\n", ["name"], 3),
      ("first name\nAnn\nBob\n", ["first name"], 2),
      ("<DATE>,<OPEN>\n2024-11-22,1.5\n2024-11-23,1.6\n", ["<DATE>", "<OPEN>"], 2),
      ("url\nhttp://a.test/?q=1\nhttp://b.test/\n", ["url"], 2),
      ("Name (short),Unit [kg]\na,b\nc,d\n", ["Name (short)", "Unit [kg]"], 2),
      ("Report\na,b,c\n1,2,3\n4,5,6\n", ["a", "b", "c"], 2),
      (
        "id,text\n1,This is a text about tables and more.\n2,So is this text about tables.\n",
        ["id", "text"], 2
      ),
      ("a b c\n1 2 3\n4 5 6\n", ["a", "b", "c"], 2),
    ] as [(String, [String], Int)])
  func tablesWithoutANameAreRead(text: String, keys: [String], count: Int) throws {
    for name in ["", "words", "a.txt"] {
      let table = try load(text, named: name).table
      #expect(table.keys == keys, "named \(name)")
      #expect(table.count == count, "named \(name)")
    }
  }

  @Test func aLabelOfATableDemandsOne() throws {
    let text = "All work and no play makes Jack a dull boy\nSo they say, and so do I\n"
    #expect(try load(text, named: "a.txt") { $0.hasHeader = false }.table.count == 1)
    #expect(try load(text, named: "a.txt") { $0.delimiter = UInt8(ascii: "\t") }.table.count == 1)
  }
}
