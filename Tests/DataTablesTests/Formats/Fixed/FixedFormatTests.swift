import TestSupport
import Testing

@testable import DataTables

struct FixedFormatTests {
  private func read(
    _ text: String, named name: String = "", widths: [Int]? = nil,
    _ change: (inout ReadOptions) -> Void = { _ in }
  ) throws -> LoadedTable {
    var options = ReadOptions()
    if let widths {
      try ReadOption.widths.apply(.array(widths.map { .integer($0) }), to: &options)
    }
    change(&options)
    return try FormatTable.core.read(
      MemoryBytes(Array(text.utf8)), named: name, options: options)
  }

  private func rows(_ loaded: LoadedTable) throws -> [String] {
    try loaded.table.objects(at: Array(0..<loaded.table.count)).map(\.json)
  }

  @Test func widthsCountCharacters() throws {
    let text = "id   name    price\n1    Äpfel    1.50\n22   Brötchen2.25\n3    Tee\n"
    let loaded = try read(text, widths: [5, 8, 5])
    #expect(
      try rows(loaded) == [
        #"{"id":1,"name":"Äpfel","price":1.50}"#, #"{"id":22,"name":"Brötchen","price":2.25}"#,
        #"{"id":3,"name":"Tee","price":null}"#,
      ])
    #expect(loaded.report.padded?.line == 4)
  }

  @Test func keysReplaceAHeader() throws {
    let loaded = try read("11aa\n22bb\n", widths: [2, 2]) { $0.keys = ["n", "t"] }
    #expect(try rows(loaded) == [#"{"n":11,"t":"aa"}"#, #"{"n":22,"t":"bb"}"#])
    for (keys, fix) in [(["n"], "[n, column2]"), (["n", "t", "u"], "[n, t]")] {
      let error = #expect(throws: TableError.self) {
        try read("11aa\n", widths: [2, 2]) { $0.keys = keys }
      }
      #expect(error?.message.hasSuffix("replace `keys:` with `keys: \(fix)`") ?? false)
    }
  }

  /// The header is a row unless it is demanded, as in delimited text; a line end is not part of a cell.
  @Test(arguments: ["\n", "\r\n", "\r"], [[6, 2], nil])
  func keysAndHeadersAreThoseOfDelimitedText(end: String, widths: [Int]?) throws {
    let lines = ["name   n", "Ann    1", "Bob    2", "Cy     3"]
    let text = lines.map { $0 + end }.joined()
    let csv = lines.map { $0.split(separator: " ").joined(separator: ",") + end }.joined()
    for keys in [nil, ["a", "b"]] {
      for header in [nil, true, false] {
        func set(_ options: inout ReadOptions) {
          if widths == nil { options.format = "fixed" }
          (options.keys, options.hasHeader) = (keys, header)
        }
        let fixed = try read(text, widths: widths, set)
        let delimited = try read(csv, named: "a.csv") {
          ($0.keys, $0.hasHeader) = (keys, header)
        }
        #expect(try rows(fixed) == rows(delimited), "\(keys ?? []) \(String(describing: header))")
        #expect(fixed.report.lineEnds == delimited.report.lineEnds)
        #expect(fixed.report.rejected == 0)
      }
    }
  }

  @Test func textAfterTheLastWidthIsRejected() throws {
    let loaded = try read("11aa\n22bbccc\n33dd\n", widths: [2, 2])
    #expect(loaded.report.rejects.map(\.line) == [2])
    #expect(loaded.report.rejects.map(\.column) == [5])
    let error = #expect(throws: TableError.self) { try read("11aa\n22bb\n", widths: [2, 1]) }
    #expect(error?.message.hasSuffix("use `widths: [2, 1, 1]`") ?? false)
  }

  private static let disks = """
    Filesystem               Size  Used Avail Use% Mounted on
    devtmpfs                  12G     0   12G   0% /dev
    tmpfs                     24G     0   24G   0% /dev/shm
    /dev/vda                 252G   42G   54G  44% /

    """
  private static let processes = """
    USER       PID %CPU  RSS COMMAND
    root         1  0.4   48 /sbin/init splash
    root         2  0.0    0 [kthreadd]
    www-data  1234  1.0 1024 nginx: worker process

    """

  @Test func columnsAreFoundFromGaps() throws {
    let disks = try read(Self.disks)
    #expect(disks.table.keys == ["Filesystem", "Size", "Used", "Avail", "Use%", "Mounted on"])
    #expect(try rows(disks)[2].hasSuffix(#""Use%":"44%","Mounted on":"/"}"#))
    let processes = try read(Self.processes)
    #expect(
      try rows(processes)[2]
        == #"{"USER":"www-data","PID":1234,"%CPU":1.0,"RSS":1024,"COMMAND":"nginx: worker process"}"#
    )
  }

  private static let memory = """
                   total        used        free
    Mem:            23Gi       964Mi        20Gi
    Swap:             0B          0B          0B

    """
  private static let devices = """
    NAME  MAJ:MIN RM SIZE MOUNTPOINTS
    vda   254:0    0 252G /
    vdb   254:16   0  10G
    zram0 253:0    0   8G [SWAP]

    """
  private static let wideProcesses = """
    USER       PID %CPU      RSS TTY      STAT COMMAND
    root         1  0.4    18980 ?        Ss   /sbin/init splash
    postgres 30296 94.8 47541600 pts/0    R    postgres
    root         2  0.0        0 ?        S    [kthreadd]

    """

  @Test func theFirstColumnMayHaveNoName() throws {
    #expect(
      try rows(read(Self.memory)) == [
        #"{"column1":"Mem:","total":"23Gi","used":"964Mi","free":"20Gi"}"#,
        #"{"column1":"Swap:","total":"0B","used":"0B","free":"0B"}"#,
      ])
    let printed = try read("   a  b\n0  1  x\n1  2  y y\n", named: "pandas.txt")
    #expect(
      try rows(printed) == [#"{"column1":0,"a":1,"b":"x"}"#, #"{"column1":1,"a":2,"b":"y y"}"#])
  }

  @Test func missingValuesAreFoundByTheirPlace() throws {
    let devices = try read(Self.devices)
    #expect(devices.report.rejected == 0)
    #expect(
      try rows(devices)[1]
        == #"{"NAME":"vdb","MAJ:MIN":"254:16","RM":0,"SIZE":"10G","MOUNTPOINTS":null}"#)
    let sizes = try read(
      "Total:       24684092 kB\nFree:        21565512 kB\nPages:              0\n"
        + "Buffers:        18068 kB\n")
    #expect(sizes.report.rejected == 0)
    #expect(try rows(sizes)[2] == #"{"column1":"Pages:","column2":0,"column3":null}"#)
  }

  /// Without gaps, the kinds of the words of short rows decide whether their last values are missing.
  @Test func shortRowsOfWordsLackTheirLastValues() throws {
    let sizes =
      "Total:   24684092 kB\nHardwareCorrupted:     0 kB\nChunk: 34359738367 kB\nPages:  0\n"
      + "Free:  1 kB\n"
    let loaded = try read(sizes)
    #expect(loaded.report.rejected == 0)
    #expect(loaded.report.padded?.line == 4)
    #expect(try rows(loaded)[3] == #"{"column1":"Pages:","column2":0,"column3":null}"#)
    let other = try read(sizes + "kB Other:\n") { $0.format = "fixed" }
    #expect(other.report.rejected == 2)
  }

  @Test func aValueThatFillsAGapIsAWord() throws {
    #expect(
      try rows(read(Self.wideProcesses))[1]
        == #"{"USER":"postgres","PID":30296,"%CPU":94.8,"RSS":47541600,"TTY":"pts/0","STAT":"R","#
        + #""COMMAND":"postgres"}"#)
  }

  @Test func twoRowsOfAlignedNumbersAreATable() throws {
    let loaded = try read("   1.0000000e+00   2.0000000e+00\n   3.0000000e+00   4.0000000e+00\n")
    #expect(loaded.table.count == 2)
    #expect(loaded.table.keys.count == 2)
  }

  /// Values after the first hundred lines may be longer.
  @Test func theSuggestedWidthsFitAllLines() throws {
    let short = String(repeating: "ann smith  1  a b\nbob        2  c\n", count: 60)
    let text = "name       n  some text\n" + short + "cy         3  a much longer text at the end\n"
    let found = try read(text)
    let note = try #require(found.report.notes.first { $0.contains("widths: [") })
    let numbers = note.split { !$0.isNumber }.compactMap { Int($0) }
    let again = try read(text, widths: numbers) { $0.hasHeader = true }
    #expect(again.report.rejected == 0)
    #expect(try rows(again) == rows(found))
  }

  @Test func theSuggestedWidthsReadTheSame() throws {
    for text in [Self.disks, Self.processes] {
      let found = try read(text)
      let note = try #require(found.report.notes.first { $0.contains("widths: [") })
      let numbers = note.split { !$0.isNumber }.compactMap { Int($0) }
      #expect(try rows(try read(text, widths: numbers) { $0.hasHeader = true }) == rows(found))
    }
  }

  @Test func aValueOverTwoColumnsIsRejected() throws {
    let filler = String(repeating: "aa  11  22\n", count: 200)
    let loaded = try read(filler + "aa  1111122\nbb  33  44\n")
    #expect(loaded.table.count == 201)
    #expect(loaded.report.rejected == 1)
  }

  @Test(
    arguments: [
      ("  1.0  2.0\n 10.0  3.5\n  7.5  2.5\n  1.0 22.0\n", "x.csv", "fixed width", 4),
      ("title\n=====\na    b\n---- ----\n1    2\n3    4\n5    6\n", "", "printed table", 3),
      ("     SIZE SUBS\nA     1    2\nBB    3    4\nC     5    6\n", "", "fixed width", 3),
      ("a b c\n1 2 3\n4 5 6\n", "", "CSV with ' '", 2),
      ("a,  b\n1,  2\n3,  4\n", "", "CSV", 2),
    ])
  func tablesAreRecognizedByTheirBlanks(
    text: String, name: String, format: String, rows: Int
  ) throws {
    let loaded = try read(text, named: name)
    #expect(loaded.report.format == format)
    #expect(loaded.table.count == rows)
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func linesAreSlicedAsStrings(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let pieces = ["a", "b", " ", " ", "é", "漢", "12", "\n", "\n", "\r\n", "\t"]
    for round in 0..<500 {
      let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in random.one(of: pieces) }
        .joined()
      let widths = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        Int.random(in: 1...5, using: &random)
      }
      let keys = widths.indices.map { "k\($0)" }
      var slow = LineReading()
      let lines = text.split(
        omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" })
      for (index, line) in lines.enumerated() where line.contains(where: { !" \t".contains($0) }) {
        var rest = line[...]
        let row = widths.map { width -> String? in
          defer { rest = rest.dropFirst(width) }
          let cell = Self.trimmed(rest.prefix(width))
          return cell.isEmpty ? nil : cell
        }
        if Self.trimmed(rest).isEmpty {
          slow.rows.append(row)
        } else {
          slow.rejected.append(index + 1)
        }
      }
      let fast = try LineReading(
        Array(text.utf8), FixedFields(division: .widths(widths)), keys: keys,
        sizes: LineReading.randomSizes(&random))
      #expect(fast == slow, "seed \(seed), round \(round): \(widths) \(text.debugDescription)")
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    var text = text.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return String(text)
  }
}
