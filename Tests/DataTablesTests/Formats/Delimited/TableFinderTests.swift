import Testing

@testable import DataTables

/// Tables whose first lines do not have the shape of their rows.
struct TableFinderTests {
  struct Example: CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var name = "t.csv"
    var keys: [String]
    var first: String
    var rows: Int
    var notes: [String]
  }

  static let examples = [
    Example(
      testDescription: "lines before the table",
      text: "Report\nMade on 2024-01-01, by us\n\na,b,c\n1,2,3\n4,5,6\n", keys: ["a", "b", "c"],
      first: #"{"a":1,"b":2,"c":3}"#, rows: 2, notes: ["detected `skip: 3`"]),
    Example(
      testDescription: "lines before a table with another delimiter and decimal commas",
      text: "Report\na;b;c\n1,5;2;3\n4;5,1;6\n7;8;9\n", keys: ["a", "b", "c"],
      first: #"{"a":"1,5","b":"2","c":3}"#, rows: 3,
      notes: ["detected `skip: 1 delimiter: \";\"`"]),
    Example(
      testDescription: "a title before a table that has no comma",
      text: "Title\na;b\n1;2\n3;4\n", keys: ["a", "b"], first: #"{"a":1,"b":2}"#, rows: 2,
      notes: ["detected `skip: 1 delimiter: \";\"`"]),
    Example(
      testDescription: "comments before and inside the table",
      text: "# one\n# two, more\na,b\n1,2\n# three\n3,4\n", keys: ["a", "b"],
      first: #"{"a":1,"b":2}"#, rows: 2,
      notes: ["detected `comment: \"#\"`", "3 comment lines skipped"]),
    Example(
      testDescription: "comments with two signs, and a header with one",
      text: "##source=x\n#CHROM\tPOS\n1\t100\n2\t200\n", name: "t.tsv", keys: ["CHROM", "POS"],
      first: #"{"CHROM":1,"POS":100}"#, rows: 2,
      notes: [
        "detected `comment: \"#\"`",
        "line 2, a comment, is the header; add `header: true` to read line 3 as the header",
        "1 comment line skipped",
      ]),
    Example(
      testDescription: "a header in the last comment line",
      text: "# Made by us\n#\n#code\tname of country\nAD\tAndorra\nAE\tEmirates\n",
      name: "t.tsv", keys: ["code", "name of country"],
      first: #"{"code":"AD","name of country":"Andorra"}"#, rows: 2,
      notes: [
        "detected `comment: \"#\"`",
        "line 3, a comment, is the header; add `header: true` to read line 4 as the header",
        "2 comment lines skipped",
      ]),
    Example(
      testDescription: "a header in a comment before rows of two lengths",
      text:
        "# zones\n#codes\tplace\tzone\tnote\nAD\t1\tAndorra\nAE\t2\tDubai\tGulf\nAF\t3\tKabul\n",
      name: "t.tsv", keys: ["codes", "place", "zone", "note"],
      first: #"{"codes":"AD","place":1,"zone":"Andorra","note":null}"#, rows: 3,
      notes: [
        "detected `comment: \"#\"`",
        "line 2, a comment, is the header; add `header: true` to read line 3 as the header",
        "1 comment line skipped",
      ]),
    Example(
      testDescription: "a header that begins with a comment sign",
      text: "# start, end\n1,5\n7,9\n", keys: ["start", "end"], first: #"{"start":1,"end":5}"#,
      rows: 2,
      notes: [
        "detected `comment: \"#\"`",
        "line 1, a comment, is the header; add `header: true` to read line 2 as the header",
      ]),
    Example(
      testDescription: "spaces before quotes",
      text: "Name,   Medal,  Time\n\"Bolt, U\", \"GOLD\",   9.63\nBlake,   \"SILVER\", 9.75\n",
      keys: ["Name", "Medal", "Time"], first: #"{"Name":"Bolt, U","Medal":"GOLD","Time":9.63}"#,
      rows: 2, notes: ["spaces at the start of a field are skipped, also before a quote"]),
    Example(
      testDescription: "a line with the delimiter",
      text: "sep=;\na;b,c\n1;2\n", keys: ["a", "b,c"], first: #"{"a":1,"b,c":2}"#, rows: 1,
      notes: ["line 1 is `sep=;`, which sets the delimiter"]),
    Example(
      testDescription: "names of rows",
      text: "\"mpg\",\"cyl\"\n\"Mazda RX4\",21,6\n\"Datsun 710\",22.8,4\n",
      keys: ["column1", "mpg", "cyl"], first: #"{"column1":"Mazda RX4","mpg":21,"cyl":6}"#, rows: 2,
      notes: [
        "the header has 2 keys for 3 fields: the first field of each row is the row name",
        "column 1 has no name; its key is `column1`",
      ]),
    Example(
      testDescription: "a first line of counts",
      text: "569,5,malignant,benign\n1,2,3,4,5,0\n2,3,4,5,6,1\n3,4,5,6,7,1\n",
      keys: (1...6).map { "column\($0)" },
      first: #"{"column1":1,"column2":2,"column3":3,"column4":4,"column5":5,"column6":0}"#, rows: 3,
      notes: [
        "detected `skip: 1 header: false`",
        "line 2 looks like data; add `skip: 1 header: true` to read it as the header",
      ]),
    Example(
      testDescription: "a delimiter at the end of each row",
      text: "a,b\n1,2,\n3,,\n5,6\n", keys: ["a", "b"], first: #"{"a":1,"b":2}"#, rows: 3,
      notes: ["each row ends with an extra delimiter"]),
    Example(
      testDescription: "a header with names for the first fields only",
      text: "id,name\n1,Ann,5,6\n2,Bob,7,8\n", keys: ["id", "name", "column3", "column4"],
      first: #"{"id":1,"name":"Ann","column3":5,"column4":6}"#, rows: 2,
      notes: [
        "the header has 2 keys for 4 fields", "column 3 has no name; its key is `column3`",
        "column 4 has no name; its key is `column4`",
      ]),
    Example(
      testDescription: "rows of many lengths",
      text: "a,b\n1,2,3,4\n1\n1,2,3\n1,2,3,4,5\n",
      keys: ["a", "b", "column3", "column4", "column5"],
      first: #"{"a":1,"b":2,"column3":3,"column4":4,"column5":null}"#, rows: 4,
      notes: [
        "the header has 2 keys for 5 fields", "column 3 has no name; its key is `column3`",
        "column 4 has no name; its key is `column4`", "column 5 has no name; its key is `column5`",
      ]),
    Example(
      testDescription: "quotes that do not balance, with tabs",
      text: "a\tb\n\"x\" y\t1\n\"open\t2\n5\" pipe\t3\n", name: "t.tsv", keys: ["a", "b"],
      first: #"{"a":"\"x\" y","b":1}"#, rows: 3, notes: ["detected `quote: none`"]),
    Example(
      testDescription: "apostrophes as quotes",
      text: "a,b\n'x,1',2\n'y,2',3\n'z,3',4\n", keys: ["a", "b"], first: #"{"a":"x,1","b":2}"#,
      rows: 3, notes: ["detected `quote: \"'\"`"]),
    Example(
      testDescription: "blanks between words",
      text: "ID status days\n0 M 100\n1 H 30\n2 H 20\n", keys: ["ID", "status", "days"],
      first: #"{"ID":0,"status":"M","days":100}"#, rows: 3, notes: ["detected `delimiter: \" \"`"]),
    Example(
      testDescription: "blanks between quoted names of rows",
      text: "\"a\" \"b\"\n\"r 1\" 1 2\n\"r 2\" 3 4\n\"r 3\" 5 6\n", keys: ["column1", "a", "b"],
      first: #"{"column1":"r 1","a":1,"b":2}"#, rows: 3,
      notes: [
        "detected `delimiter: \" \"`",
        "the header has 2 keys for 3 fields: the first field of each row is the row name",
        "column 1 has no name; its key is `column1`",
      ]),
    Example(
      testDescription: "two columns with a blank between them", text: "id v\n1 .\n2 5\n3 6\n",
      keys: ["id", "v"], first: #"{"id":1,"v":"."}"#, rows: 3,
      notes: ["detected `delimiter: \" \"`"]),
    Example(
      testDescription: "two columns of numbers below a comment",
      text: "# a b\n0.0e+00 0.0e+00\n1.0e+00 2.0e+00\n2.0e+00 4.0e+00\n", name: "t.txt",
      keys: ["a", "b"],
      first: #"{"a":0.0e+00,"b":0.0e+00}"#, rows: 3,
      notes: [
        "detected `delimiter: \" \" comment: \"#\"`",
        "line 1, a comment, is the header; add `header: true` to read line 2 as the header",
      ]),
    Example(
      testDescription: "names of rows and two columns, one with a missing value first",
      text: "\"x\" \"y\"\n\"1\" 1.5 NA\n\"2\" 2.5 3\n", keys: ["column1", "x", "y"],
      first: #"{"column1":1,"x":1.5,"y":"NA"}"#, rows: 2,
      notes: [
        "detected `delimiter: \" \"`",
        "the header has 2 keys for 3 fields: the first field of each row is the row name",
        "column 1 has no name; its key is `column1`",
      ]),
    Example(
      testDescription: "a header with years after other lines",
      text: "\"Source\",\"Indicators\",\n\n\"Country\",\"Code\",\"1960\",\"1961\",\"1962\",\n"
        + "\"A\",\"AA\",\"\",\"1\",\"2\",\n\"B\",\"BB\",\"3\",\"\",\"4\",\n\"C\",\"CC\",\"5\",\"6\",\"\",\n",
      keys: ["Country", "Code", "1960", "1961", "1962", "column6"],
      first: #"{"Country":"A","Code":"AA","1960":null,"1961":1,"1962":2,"column6":null}"#, rows: 3,
      notes: ["detected `skip: 2`", "column 6 has no name; its key is `column6`"]),
    Example(
      testDescription: "a wide table after more lines about it",
      text: "Report;Made on: 2024-02-01\nIBAN;DE12\nName;Giro\nBank;ING\nOwner;A B\n\n"
        + "Day;To;Text;Sum;Currency\n2024-01-31;A;x;-5;EUR\n2024-01-30;B;y;10;EUR\n",
      keys: ["Day", "To", "Text", "Sum", "Currency"],
      first: #"{"Day":"2024-01-31","To":"A","Text":"x","Sum":-5,"Currency":"EUR"}"#, rows: 2,
      notes: ["detected `skip: 6`"]),
    Example(
      testDescription: "a rare delimiter", text: "a~b~c\n1~2~3\n4~5~6\n", keys: ["a", "b", "c"],
      first: #"{"a":1,"b":2,"c":3}"#, rows: 2, notes: ["detected `delimiter: \"~\"`"]),
    Example(
      testDescription: "the delimiter of Hive", text: "a\u{1}b\n1\u{1}2\n3\u{1}4\n",
      keys: ["a", "b"], first: #"{"a":1,"b":2}"#, rows: 2,
      notes: [#"detected `delimiter: "\u0001"`"#]),
    Example(
      testDescription: "escapes without quotes", text: "a,b\n1,x\\,y\n2,z\\,w\n3,q\n",
      keys: ["a", "b"], first: #"{"a":1,"b":"x,y"}"#, rows: 3,
      notes: [#"detected `escape: "\\"`"#]),
    Example(
      testDescription: "escaped quotes in fields without quotes",
      text: "a,b\n1,x\\\"y\n2,\\\\\n3,\\N\n", keys: ["a", "b"], first: #"{"a":1,"b":"x\"y"}"#,
      rows: 3, notes: [#"detected `escape: "\\"`"#]),
    Example(
      testDescription: "an export of MySQL with nulls", text: "1,\"A\\\"B\",\\N\n2,\"C\",5\n",
      keys: ["column1", "column2", "column3"],
      first: #"{"column1":1,"column2":"A\"B","column3":null}"#, rows: 2,
      notes: [
        #"detected `escape: "\\" header: false`"#,
        "line 1 looks like data; add `header: true` to read it as the header",
      ]),
    Example(
      testDescription: "a few fields between apostrophes",
      text: "a,b\n1,'x,y'\n2,z\n3,'u,v'\n4,w\n5,w\n", keys: ["a", "b"],
      first: #"{"a":1,"b":"x,y"}"#, rows: 5, notes: ["detected `quote: \"'\"`"]),
    Example(
      testDescription: "a comment that begins with the delimiter",
      text: "; comment\na;b\n1;2\n3;4\n", keys: ["a", "b"], first: #"{"a":1,"b":2}"#, rows: 2,
      notes: ["detected `comment: \"; \"`", "1 comment line skipped"]),
    Example(
      testDescription: "another table before the table",
      text: "id,v\n1,2\n3,4\n\nname,city,zip\nAnn,Rome,1\nBo,Paris,2\nCy,Oslo,3\nDi,Bern,4\n",
      keys: ["name", "city", "zip"], first: #"{"name":"Ann","city":"Rome","zip":1}"#, rows: 4,
      notes: [
        "detected `skip: 4`",
        "lines 1 to 3 are another table and are not read",
      ]),
    Example(
      testDescription: "comments with other delimiters than the table",
      text: "# Station: Foo, Bar\n# Units: m; s\ndate;t;p\n2024-01-01;1,5;10\n2024-01-02;1,6;11\n",
      keys: ["date", "t", "p"], first: #"{"date":"2024-01-01","t":"1,5","p":10}"#, rows: 2,
      notes: ["detected `comment: \"#\"`", "2 comment lines skipped"]),
    Example(
      testDescription: "comments with more commas than the table has delimiters",
      text: "# source: a, b, c\n# note\nname;v\nA;1\nB;2\nC;3\n", keys: ["name", "v"],
      first: #"{"name":"A","v":1}"#, rows: 3,
      notes: ["detected `comment: \"#\"`", "2 comment lines skipped"]),
    Example(
      testDescription: "years as keys after a title",
      text: "Table 1: Population\n\nCountry,2019,2020,2021\nOman,1,2,3\nPeru,4,5,6\n",
      keys: ["Country", "2019", "2020", "2021"],
      first: #"{"Country":"Oman","2019":1,"2020":2,"2021":3}"#, rows: 2,
      notes: ["detected `skip: 2`"]),
    Example(
      testDescription: "two years as keys after a comment",
      text: "# OECD\nCountry,2019,2020\nOman,1,2\nPeru,4,5\n", keys: ["Country", "2019", "2020"],
      first: #"{"Country":"Oman","2019":1,"2020":2}"#, rows: 2,
      notes: ["detected `comment: \"#\"`", "1 comment line skipped"]),
    Example(
      testDescription: "the title of a sheet",
      text: "\"Sales report\",,,\n,,,\nregion,q1,q2,q3\nNorth,1,2,3\nSouth,3,4,5\n",
      keys: ["region", "q1", "q2", "q3"], first: #"{"region":"North","q1":1,"q2":2,"q3":3}"#,
      rows: 2, notes: ["detected `skip: 2`"]),
    Example(
      testDescription: "the title of a sheet of words",
      text: "People,,\nMade by us,,\n,,\nname,city,job\nAnn,Rome,cook\nBo,Oslo,\n",
      keys: ["name", "city", "job"], first: #"{"name":"Ann","city":"Rome","job":"cook"}"#, rows: 2,
      notes: [
        "detected `skip: 3`",
        "line 4 is the header; add `skip: 3 header: false` to read it as a row",
      ]),
    Example(
      testDescription: "tabs between words after a title",
      text:
        "Sales Report\n\nname\tcity\tn\nAnn Lee\tNew York\t3\nBob\tParis\t4\nCid Dee\tNew Town\t5\n",
      name: "t.txt", keys: ["name", "city", "n"],
      first: #"{"name":"Ann Lee","city":"New York","n":3}"#, rows: 3,
      notes: ["detected `skip: 2 delimiter: \"\\t\"`"]),
    Example(
      testDescription: "tabs between words after comments",
      text: "# made by x\n# 2024\nname\tcity\tn\nAnn Lee\tNew York\t3\nBob Dee\tNew Town\t4\n",
      name: "t.txt", keys: ["name", "city", "n"],
      first: #"{"name":"Ann Lee","city":"New York","n":3}"#, rows: 2,
      notes: ["detected `comment: \"#\"`", "2 comment lines skipped"]),
    Example(
      testDescription: "tabs between cells with semicolons",
      text: "Report 2024\n\ntags\tip\nalpha; tea\tx\nsouth; red\ty\nblue; red\tz\n",
      name: "t.txt", keys: ["tags", "ip"], first: #"{"tags":"alpha; tea","ip":"x"}"#, rows: 3,
      notes: [
        "detected `skip: 2 delimiter: \"\\t\"`",
        "line 3 is the header; add `skip: 2 header: false` to read it as a row",
      ]),
    Example(
      testDescription: "tabs without a header after a line",
      text: "track name=x\nchr1\t1\t100\tname 1\nchr1\t5\t200\tname 2\n", name: "t.bed",
      keys: ["column1", "column2", "column3", "column4"],
      first: #"{"column1":"chr1","column2":1,"column3":100,"column4":"name 1"}"#, rows: 2,
      notes: [
        "detected `skip: 1 delimiter: \"\\t\" header: false`",
        "line 2 looks like data; add `skip: 1 header: true` to read it as the header",
      ]),
    Example(
      testDescription: "times first and commas in quotes",
      text: "time,a,b\n2024-03-14T23:00:00Z,,\"x, y\"\n2024-03-15T13:00:00Z,1,\"z, w\"\n"
        + "2024-03-16T13:00:00Z,1,\"z, w\"\n",
      name: "t.txt", keys: ["time", "a", "b"],
      first: #"{"time":"2024-03-14T23:00:00Z","a":null,"b":"x, y"}"#, rows: 3, notes: []),
    Example(
      testDescription: "a few escaped quotes",
      text: "a,b\nx,1\ny,1\nz,1\n\"say \\\"hi\\\"\",1\n", keys: ["a", "b"],
      first: #"{"a":"x","b":1}"#, rows: 4, notes: [#"detected `escape: "\\"`"#]),
    Example(
      testDescription: "escaped quotes",
      text: "a,b\n\"say \\\"hi\\\"\",1\n\"x\\\"y\",2\n", keys: ["a", "b"],
      first: #"{"a":"say \"hi\"","b":1}"#, rows: 2, notes: [#"detected `escape: "\\"`"#]),
  ]

  private func load(
    _ text: String, named name: String = "t.csv", _ change: (inout ReadOptions) -> Void = { _ in }
  ) throws -> LoadedTable {
    var options = ReadOptions()
    change(&options)
    return try FormatTable.core.read(
      MemoryBytes(Array(text.utf8)), named: name, options: options)
  }

  private func json(_ loaded: LoadedTable) throws -> [String] {
    try loaded.table.objects(at: Array(0..<loaded.table.count)).map(\.json)
  }

  @Test(arguments: examples)
  func theTableIsFoundAndReported(example: Example) throws {
    for ends in ["\n", "\r\n", "\r\r\n", "\r"] {
      let text = example.text.split(separator: "\n", omittingEmptySubsequences: false)
      let loaded = try load(text.joined(separator: ends), named: example.name)
      #expect(loaded.table.keys == example.keys)
      #expect(loaded.table.count == example.rows)
      #expect(try json(loaded).first == example.first)
      #expect(loaded.report.notes == example.notes)
      #expect(loaded.report.rejected == 0)
    }
  }

  @Test(arguments: [
    // The width of the first line, although other rows are shorter or longer.
    "a,b\n1,2\n3\n4,5,6\n7,8\n", "a,b,c,d\n1,2\n3,4\n", "a\n1\n2\n3,4\n", "a,b\n\"x\"y,2\n1,2\n",
    // One column with other delimiters.
    "name\nfoo; bar\nbaz; qux\n", "a b\n1 2\n",
    // Keys that look like data, or a comment.
    "1,2\n3,4\n", "#1,2\n3,4\n", "# a,b\n1,2\n# 3,4\n", "150,4,setosa\n5.1,3.5,0\n4.9,3.0,0\n",
    "a,b,\n1,2,\n", "a,b", "a", "a,,\n1,2,3\n4,5,6\n", "id,,\nx,y,z\nu,v,w\n",
    // One column whose cells all have a semicolon.
    "URL\nx?a=1;c\ny?a=2;c\nz?a=3;c\nw?a=4;c\n", "a,b\n1, \"x\" y\n2,\"z \"\n",
  ])
  func thePlainReadingIsKept(text: String) throws {
    let loaded = try load(text)
    let first = text.split(separator: "\n", omittingEmptySubsequences: true)[0]
    let names = first.split(separator: ",", omittingEmptySubsequences: false)
    let keys = names.enumerated().map { $1.isEmpty ? "column\($0 + 1)" : String($1) }
    #expect(loaded.table.keys == keys)
    #expect(!loaded.report.notes.contains { $0.hasPrefix("detected") })
  }

  @Test func givenOptionsAreNotChanged() throws {
    let text = "Report\na,b\n1,2\n3,4\n"
    let shown = try load(text) { $0.hasHeader = false }
    #expect(shown.table.count == 4)
    let replaced = try load("a,b\n1,2\n") { ($0.hasHeader, $0.keys) = (true, ["x", "y"]) }
    #expect(try json(replaced) == [#"{"x":1,"y":2}"#])
    let skipped = try load(text) { $0.skippedLines = 2 }
    #expect(skipped.table.keys == ["1", "2"])
    let plain = try load("a\tb\n1\t2\n\"x\ty\"\tz\n", named: "t.tsv") {
      $0.quote = QuoteCharacter.none
    }
    #expect(plain.report.rejected == 1)
  }

  @Test func blanksAroundTheNamesOfAHeaderAreRemoved() throws {
    #expect(try load("a,  b ,\" c \"\n1,2,3\n").table.keys == ["a", "b", " c "])
  }

  @Test func aCommentIsTheHeaderOnlyIfNoRowIs() throws {
    let prose = "# made in May, yesterday\nname,kind\nPie,sweet\nJam,sweet\n"
    let sentence = try load(prose) { $0.commentPrefix = "#" }
    #expect(sentence.table.keys == ["name", "kind"])
    let text = "#a,b\nname,size\nPie,1\nJam,2\n"
    #expect(try load(text) { $0.commentPrefix = "#" }.table.keys == ["name", "size"])
    let rows = "#a,b\nx,y\nPie,Jam\n"
    #expect(try load(rows) { $0.commentPrefix = "#" }.table.keys == ["a", "b"])
    #expect(
      try load(rows) { ($0.commentPrefix, $0.hasHeader) = ("#", true) }.table.keys == ["x", "y"])
    #expect(
      try load(rows) { ($0.commentPrefix, $0.hasHeader) = ("#", false) }.table.keys
        == ["column1", "column2"])
    let named = try load(rows) { ($0.commentPrefix, $0.keys) = ("#", ["k", "v"]) }
    #expect(try json(named) == [#"{"k":"x","v":"y"}"#, #"{"k":"Pie","v":"Jam"}"#])
  }

  @Test func spacesAreKeptIfTextFollowsQuotesAfterTheSample() throws {
    let rows = String(repeating: "1, \"x\"\n", count: 50_000)
    #expect(try json(load("a,b\n" + rows)).last == #"{"a":1,"b":"x"}"#)
    let loaded = try load("a,b\n" + rows + "2, \"y\" z\n")
    #expect(loaded.report.rejected == 0)
    #expect(try json(loaded).last == #"{"a":2,"b":" \"y\" z"}"#)
  }

  @Test func aZeroByteInACellIsKept() throws {
    let loaded = try load("a,b,c\n\0,2,3\n")
    #expect(try json(loaded) == [#"{"a":"\u0000","b":2,"c":3}"#])
    #expect(throws: TableError.format("not a text file: byte 4 is NUL", at: nil)) {
      try load("a,b\n\0,\u{1}\nlong enough to be a text")
    }
    #expect(
      throws: TableError.encoding(expected: "UTF-8", offset: 1, fitting: "utf-16le")
    ) { try load("a\0,\0b\0\n\0") }
  }

  /// Words and regular rows are not taken for other dialects.
  @Test(arguments: [
    ("Room 1\nRoom 2\nRoom 3\n", 1), ("name\nAnn 5\nBob 6\n", 1), ("a,b\nx\\y,1\n\"z\\,\",2\n", 2),
    ("p,q\nC:\\a\\,1\nC:\\b\\,2\n", 2), ("a^2,b\n1,2\n3,4\n", 2), ("a,b,c\n1,2,3\n2,3,4\n", 3),
    ("a,b\n'tis,1\nx,2\n", 2),
  ])
  func otherTextsKeepTheirReading(text: String, columns: Int) throws {
    let loaded = try load(text)
    #expect(loaded.table.keys.count == columns)
    #expect(loaded.table.keys.first == String(text.prefix { $0 != "," && $0 != "\n" }))
    #expect(!loaded.report.notes.contains { $0.hasPrefix("detected") })
  }

  @Test func rowsThatMayBeCommentsAreReported() throws {
    let text = "id,v\n1,2\n# note\n3,4\n#5,6\n"
    let loaded = try load(text)
    #expect(loaded.table.count == 4)
    #expect(
      loaded.report.notes == ["line 3 may be a comment; add `comment: \"#\"` to skip such lines"])
    let skipping = try load(text) { $0.commentPrefix = "#" }
    #expect(try json(skipping) == [#"{"id":1,"v":2}"#, #"{"id":3,"v":4}"#])
  }

  @Test func aDelimiterThatChangesIsAnErrorWithAFix() throws {
    let text =
      "a;b\n" + String(repeating: "1;2\n", count: 120) + String(repeating: "1,2\n", count: 300)
    let error = #expect(throws: TableError.self) { try load(text) }
    #expect(
      error?.message
        == "300 of 420 rows have 1 of 2 fields, from line 122 on with another delimiter; "
        + "add `skip: 121 delimiter: \",\" header: false` to read them")
    let loaded = try load(text) {
      ($0.skippedLines, $0.delimiter, $0.hasHeader) = (121, UInt8(ascii: ","), false)
    }
    #expect(loaded.table.count == 300)
  }

  @Test func strictModeRejectsShortRows() throws {
    let error = #expect(throws: TableError.self) {
      try load("a,b\n1\n2,3\n4,5,6\n") { $0.isStrict = true }
    }
    #expect(
      error
        == .format(
          "the row has 1 of 2 fields (a load that is not strict fills the others with null)",
          at: TextPosition(line: 2, column: 1)))
  }

  @Test func linesAreSkippedAnywhere() throws {
    let lines = (0..<200_000).map { "\($0),\"\n" }.joined()
    let loaded = try load(lines + "a,b\n1,2\n") { $0.skippedLines = 200_000 }
    #expect(try json(loaded) == [#"{"a":1,"b":2}"#])
    #expect(throws: TableError.badArgument("`skip: 9` skips the whole text")) {
      try load("a\n1\n") { $0.skippedLines = 9 }
    }
  }

  @Test(arguments: [
    // A second table after the sample of the first hundred rows.
    (
      "a,b\n" + String(repeating: "1,2\n", count: 100) + String(repeating: "1,2,3\n", count: 900),
      "900 of 1,000 rows cannot be read: line 102 has 3 fields for 2 keys; "
        + "add `header: true keys: [a, b, column3]`"
    ),
    (
      "a,b\n" + String(repeating: "1,2\n", count: 100)
        + String(repeating: "\"x\"y,3\n", count: 900),
      "900 of 1,000 rows cannot be read: line 102 has text after a closing quote; "
        + "add `quote: none`"
    ),
  ])
  func aLoadThatRejectsMostRowsFailsWithAFix(text: String, message: String) throws {
    #expect(throws: TableError.format(message, at: nil)) { try load(text) }
  }

  struct RaggedText: CustomTestStringConvertible {
    var testDescription: String { text }
    var text: String
    var rejects: String
    var keys: [String]
    var rows: Int
  }

  static let raggedTexts = [
    RaggedText(
      text: "name,score\nAnn,1\nBob,2,late\nCid,3,late\nDan,4,late\n",
      rejects: "3 of 4 rows cannot be read: line 3 has 3 fields for 2 keys",
      keys: ["name", "score", "column3"], rows: 4),
    RaggedText(
      text: "a,b\n1,2\n3,4\n5,6,7\n8,9,1\n2,3,4\n",
      rejects: "3 of 5 rows cannot be read: line 4 has 3 fields for 2 keys",
      keys: ["a", "b", "column3"], rows: 5),
    RaggedText(
      text: "name,city\nAnn,Rome\nBo,Oslo,x\nCy,Bern,y\nDi,Bonn,z\n",
      rejects: "3 of 4 rows cannot be read: line 3 has 3 fields for 2 keys",
      keys: ["name", "city", "column3"], rows: 4),
    RaggedText(
      text: "name,v\nAnn,1\nBob,x,1\nCid,3,2\nDan,4,3\n",
      rejects: "3 of 4 rows cannot be read: line 3 has 3 fields for 2 keys",
      keys: ["name", "v", "column3"], rows: 4),
    RaggedText(
      text: "a,b,c\n1,2,3,4\n1,2,3\n1,2,3,4,5\n",
      rejects: "2 of 3 rows cannot be read: line 2 has 4 fields for 3 keys",
      keys: ["a", "b", "c", "column4", "column5"], rows: 3),
    RaggedText(
      text: "name,score\n" + (0..<20).map { "A\($0),0\n" }.joined()
        + (0..<40).map { "B\($0),0,late\n" }.joined(),
      rejects: "40 of 60 rows cannot be read: line 22 has 3 fields for 2 keys",
      keys: ["name", "score", "column3"], rows: 60),
  ]

  @Test(arguments: raggedTexts)
  func rowsAreNotSkippedBeforeWiderRows(example: RaggedText) throws {
    let list = example.keys.joined(separator: ", ")
    let (message, keys) = ("\(example.rejects); add ", example.keys)
    #expect(throws: TableError.format("\(message)`header: true keys: [\(list)]`", at: nil)) {
      try load(example.text)
    }
    #expect(throws: TableError.format("\(message)`header: true keys: [\(list)]`", at: nil)) {
      try load(example.text) { $0.skippedLines = 0 }
    }
    #expect(throws: TableError.format("\(message)`keys: [\(list)]`", at: nil)) {
      try load(example.text) { $0.hasHeader = true }
    }
    let loaded = try load(example.text) { ($0.hasHeader, $0.keys) = (true, keys) }
    #expect(loaded.table.keys == example.keys)
    #expect(loaded.table.count == example.rows)
    #expect(loaded.report.rejected == 0)
  }

  @Test(arguments: [
    ("Title\n", "", "skip: 1 header: true"), ("Title\n\n", "", "skip: 2 header: true"),
    ("# x\n", "", "comment: \"#\" header: true"),
    ("", "# late\n", "comment: \"#\" header: true"),
  ])
  func rowsBelowOtherLinesAreNotSkipped(start: String, middle: String, labels: String) throws {
    let text = start + "name,score\nAnn,1\n\(middle)Bob,2,late\nCid,3,late\nDan,4,late\n"
    let error = #expect(throws: TableError.self) { try load(text) }
    let message = try #require(error?.message)
    #expect(message.hasSuffix("add `\(labels) keys: [name, score, column3]`"))
    let loaded = try load(text) {
      $0.skippedLines = labels.contains("skip") ? start.count { $0 == "\n" } : nil
      ($0.hasHeader, $0.keys) = (true, ["name", "score", "column3"])
      if labels.contains("comment") { $0.commentPrefix = "#" }
    }
    #expect(loaded.table.count == 4)
    #expect(loaded.report.rejected == 0)
  }

  @Test func rowsLongerThanTheHeaderGetKeysUnderAnyName() throws {
    let error = #expect(throws: TableError.self) {
      try load("name,score\nAnn,1\nBob,2,late\nCid,3,late\nDan,4,late\n", named: "t.txt")
    }
    #expect(
      error?.message.hasSuffix(
        "add `header: true keys: [name, score, column3]` to read it as CSV") == true)
  }

  @Test func linesAboutATableAreSkippedWithoutABlankLine() throws {
    let text =
      "Owner;Ann\nBank;ING\nDay;To;Text;Sum;Currency\n2024-01-31;A;x;-5;EUR\n"
      + "2024-01-30;B;y;10;EUR\n2024-01-29;B;y;10;EUR\n"
    #expect(try load(text).table.keys == ["Day", "To", "Text", "Sum", "Currency"])
  }

  @Test func aFirstLineThatMayBeARowIsReported() throws {
    let note = "the first line looks like data; add `header: false` to read it as a row"
    #expect(try load("Ann,12,Paris\n").report.notes == [note])
    #expect(try load("Ann,5\nBob,6\n").report.notes == [note])
    #expect(try load("name,2019,2020\n").report.notes == [])
  }

  @Test func aRemovedOptionIsAFix() throws {
    let text =
      "a\tb\n" + String(repeating: "1\t2\n", count: 100)
      + String(repeating: "\"1\t2\"\t3\n", count: 200)
    do {
      _ = try load(text, named: "t.tsv") {
        $0.quote = QuoteCharacter.none; $0.hasHeader = true
      }
      Issue.record("the load succeeded")
    } catch let error as TableError {
      #expect(error.message.hasSuffix("; remove `quote:`"))
    }
  }

  @Test func quotesThatDoNotBalanceAfterTheSampleAreOrdinary() throws {
    let rows = (0..<50_000).map { "\($0)\tx\n" }.joined()
    let loaded = try load("a\tb\n" + rows + "7\t\"open\n8\t\"y\" z\n", named: "t.tsv")
    #expect(loaded.table.count == 50_002)
    #expect(loaded.report.rejected == 0)
    #expect(
      loaded.report.notes == ["detected `quote: none`: the quotes at line 50002 do not balance"])
  }

  /// As in the list of time zones, whose comments are missing in most rows.
  @Test func narrowRowsBelowCommentsArePadded() throws {
    let short = (0..<6).map { "A\($0)\t+42\(10 + $0)\tEurope/City\n" }.joined()
    let mixed = (0..<40).map {
      "B\($0)\t-14\(10 + $0)\tAsia/Town" + ($0 % 2 == 0 ? "\tpart\n" : "\n")
    }
    let text = "# about zones\n#\n# code and place\n" + short + mixed.joined()
    let loaded = try load(text, named: "zones.tab")
    #expect(loaded.table.count == 46)
    #expect(loaded.table.keys.count == 4)
    #expect(loaded.report.rejected == 0)
    let all = try load(text, named: "zones.tab") { $0.hasHeader = false }
    #expect(all.table.count == 46)
    #expect(all.report.padded?.count == 26)
  }

  /// Lines of words and numbers, as programs print them, are probably all rows.
  @Test(arguments: [
    "d41d8cd98f00b204e9800998ecf8427e  a.txt\n0cc175b9c0f1b6a831c399e269772661  b.txt\n",
    "alice    tty1         2026-11-22 09:00\nbob      pts/0        2026-11-22 10:00 (10.0.0.1)\n",
  ])
  func aFirstLineLikeTheOthersMayBeARow(text: String) throws {
    let notes = try load(text, named: "t.csv").report.notes
    #expect(notes.contains { $0.contains("add `header: false`") }, "\(notes)")
    #expect(try load(text, named: "t.csv") { $0.hasHeader = false }.table.count == 2)
    #expect(try load("line 1 of text\nname\n", named: "t.csv").report.notes == [])
  }
}
