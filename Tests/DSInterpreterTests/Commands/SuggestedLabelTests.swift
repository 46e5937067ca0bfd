import DSInterpreter
import Foundation
import Testing

/// Every label that a load report, evidence or an error suggests works when it is appended to the
/// command.
struct SuggestedLabelTests {
  /// A file and the labels with which it is loaded.
  struct Case: CustomTestStringConvertible, Sendable {
    var text: String
    var name: String
    var labels: String
    var testDescription: String { "\(name) \(labels) \(text.prefix(40).debugDescription)" }

    init(_ text: String, _ labels: String = "", named name: String = "t.csv") {
      (self.text, self.name, self.labels) = (text, name, labels)
    }
  }

  private static let rows = String(repeating: "1,2\n", count: 100)

  private static let cases: [Case] = [
    // Null words.
    Case("v\n1\n2\n3\n#N/A\n#N/A\n"), Case("v\n1\n2\n3\n\"1,492\"\n"), Case("v\n1\n2\nnull\n"),
    Case("v\n1\n2\nno data\n"), Case("v\n1\n2\n`\n"), Case("v\n1\n2\n\\N\n"),
    Case("v,w\n1,x\n2,y\n-,z\nN/A,z\n"), Case("v\n1.5\n2\nNaN\n"),
    Case("v\n1\nNA\n2\n-\n3\n", "nulls: NA"), Case("v\n1.5\nNA\n2\nNaN\n", "nulls: [NA]"),
    Case("v,w\n1,x\n2,NA\nNA,3\n-,4\n", "types: {w: int} nulls: \"-\""),
    // Types, with and without labels that are given.
    Case("a,b\n1,yes\n2,no\n"), Case("a,b\n1,yes\n2,no\n", "types: {a: string}"),
    Case("a,b\n01/02/2024,1\n02/03/2024,2\n"),
    Case("a,b\n01/02/2024,x\n02/03/2024,2\n", "types: {b: integer}"),
    Case("a,b\n01/02/2024,x\n31/12/2024,2\n01/31/2024,2\n", "types: {b: integer}"),
    Case("a\n01/02/2024\n02/03/2024\n", "types: {a: date}"),
    Case("a\n31/01/2024\n01/31/2024\n", "types: {a: date} dates: d/m/y"),
    Case("a\n0x1F\n0xA0\n"), Case("a\n0x1F\n0xA0\n", "types: {a: integer}"),
    Case("a\n\"1,5\"\n\"2,5\"\n"), Case("a\n\"1,5 %\"\n\"2,5 %\"\n", "decimal: \",\""),
    Case("a\n\"1,5\"\n\"2,5\"\n", "types: {a: real}"), Case("a\n\"1,234\"\n\"5,678\"\n"),
    Case("a,b\n$5,5 km\n$6,7 km\n"), Case("a,b\n$5,5 km\n$6,7 km\n", "unit: \"$\""),
    Case("a\n\"$1,234.50\"\n", "thousands: \",\""), Case("a\n\"$1.234,50\"\n", "thousands: \",\""),
    Case("a\n(5)\n7\n"), Case("a\n\"1,234.56-\"\n\"1,234.50\"\n"),
    Case("a\n($5.00)\n-$7\n$8\n"), Case("a,b\n(5),5-\n7,6\n", "types: {a: integer}"),
    Case("a\n5 %\n7 %\n", "unit: km"), Case("a\n0 and more\n5 and more\n"), Case("a\n<5\n<7\n"),
    Case("a\n$5\n7\n"),
    // The place of the table.
    Case("Report\n\na,b,c\n1,2,3\n4,5,6\n"), Case("569,5,m,b\n1,2,3,4,5,0\n2,3,4,5,6,1\n"),
    Case("1,2\n3,4\n"), Case("1,2\n3,4\n", "header: true"), Case("1,2\n3,4\n", "header: false"),
    Case("# one\n# two, more\na,b\n1,2\n3,4\n"), Case("#a,b\n1,2\n3,4\n"),
    Case("#a,b\n1,2\n3,4\n", "comment: \"#\""), Case("#a,b\nx,y\nz,w\n", "comment: \"#\""),
    Case("a,b\n'x,1',2\n'y,2',3\n'z,3',4\n"), Case("a, \"b\"\n1, \"x,y\"\n2, \"z\"\n"),
    Case("a,b\n\"say \\\"hi\\\"\",1\n\"x\\\"y\",2\n"), Case("Title\na;b\n1;2\n3;4\n"),
    Case("Report\nname,kind\nPie,sweet\nJam,sweet\nEgg,salty\n"),
    Case("Report\nname,kind\nPie,sweet\nJam,sweet\nEgg,salty\n", "delimiter: \",\""),
    Case("a\tb\n1\t\"x\n2\ty\n", named: "t.tsv"),
    // Loads that fail.
    Case("a,b\n" + rows + String(repeating: "1,2,3\n", count: 900)),
    Case("a,b\n" + rows + String(repeating: "1,2,3\n", count: 900), "header: true"),
    Case("a,b\n" + rows + String(repeating: "1,2,3\n", count: 900), "skip: 0"),
    Case("a,b\n" + rows + String(repeating: "\"x\"y,3\n", count: 900)),
    Case("\"a\"x,b\n1,2\n3,4\n"),
    Case("\"a\"x,b\n1,2\n", "quote: \"\\\"\""), Case("1,2,3\n4,5,6\n", "keys: [a, b]"),
    Case("1,2\n3,4,5\n4,5,6\n6,7,8\n", "keys: [a, b]"),
    // Texts that are not tables.
    Case(
      "This is a sentence about a table.\nSo is this, which has a comma.\n\nThis one has none.\n",
      named: "README"),
    Case("int a;\nint b, c;\nvoid f(int x, int y, int z) {\n}\n", named: "t.c"),
    Case(
      "<?xml version=\"1.0\"?><html><body><p>a</p><p>b</p></body></html>", named: "t.html"),
    // Documents.
    Case("{\"a\": [{\"b\": 1}], \"c\": [{\"b\": 2}]}", named: "t.json"),
    Case("{\"a\": {\"d\": [{\"b\": 1}, {\"b\": 2}]}, \"n\": 1}", named: "t.json"),
    Case("{\"n\": 1, \"a\": [{\"b\": \"5 %\"}]}", named: "t.json"),
    Case("{\"a\": [1, 2], \"b\": [3, 4]}", named: "t.json"),
    Case("{\"x\": {\"a\": 1}, \"y\": {\"a\": 2}}", named: "t.json"),
    Case("{\"x\": {\"0\": 1}, \"y\": {\"0\": 2}}", named: "t.json"),
    Case("[{\"a\": 1,}]", named: "t.json"),
    Case("[{\"a\": 1,}]", "relaxed: false", named: "t.json"),
    Case("{\"a\": 1}\n{\"a\": 2,}\n{\"a\": 3}\n", named: "t.ndjson"),
    Case("[{\"d\": \"01/02/2024\"}, {\"d\": \"02/03/2024\"}]", named: "t.json"),
    Case(
      "[{\"d\": \"01/02/2024\", \"e\": \"x\"}]", "types: {e: integer, d: date}", named: "t.json"),
    Case("a:\n  - {b: 1}\nc:\n  - {b: 2}\n", named: "t.yaml"),
    Case("[[a]]\nb = 1\n[[c]]\nb = 2\n", named: "t.toml"),
    Case("[a]\nb = 1 ; x\n[c]\nb = 2\n", named: "t.ini"),
    Case("[a]\nb = 1 ; x\n", "comment: \"#\"", named: "t.ini"),
    Case("<r><a><b>1</b><b>2</b></a><a/><c/><c/></r>", named: "t.xml"),
    Case("<r><w x='1'/><h><n>T</n></h><i x='1'/><i/></r>", named: "t.xml"),
    Case("<r><a><b>1</b><b>2</b></a><a/><c/><c/></r>", "rows: a", named: "t.xml"),
    Case(
      "<table><tr><td>a<td>b<tr><td>1<td>2</table><table><tr><th>k<tr><td>1</table>",
      named: "t.html"),
    Case(
      "<table><tr><td>a<td>b<tr><td>1<td>2</table><table><tr><th>k<tr><td>1</table>",
      "table: 9", named: "t.html"),
    Case("<table><tr><td>a<td>b<tr><td>1<td>2</table>", "keys: [a]", named: "t.html"),
    // Labels that a suggestion replaces.
    Case("<r><a/><a/></r>", "rows: x", named: "t.xml"),
    Case("<r><a><b/></a><a/></r>", "maxDepth: 2", named: "t.xml"),
    Case("<r><a>long text</a><a/></r>", "maxRow: 4", named: "t.xml"),
    Case("[[[1]]]", "maxDepth: 2", named: "t.json"),
    Case("{\"a\": 1}\n{\"a\": 2}\n", "maxRow: 3", named: "t.ndjson"),
    Case("a: {b: {c: 1}}\n", "maxDepth: 1", named: "t.yaml"),
    Case("a: 1\n", "maxDocument: 1", named: "t.yaml"),
    Case("a,b\n1,2\n", "maxRow: 0"), Case("[a]\nb=1\n", "maxRow: 0", named: "t.ini"),
  ]

  @Test func aSuggestionNamesTheLabelToReplace() async throws {
    let check = SuggestionCheck(folder: "\(ScriptFile.testFolder)/Scripts")
    for (load, suggestion) in [
      ("compressed/zeros.csv.gz maxSize: 1000000", "maxSize: 1073741824"),
      ("xlsx/sheets.xlsx maxSize: 100", "maxSize: 1073741824"),
    ] {
      #expect(try await check.follow("load data/\(load)").contains(suggestion))
    }
  }

  @Test(arguments: cases)
  func everySuggestionWorks(one: Case) async throws {
    try await check(Array(one.text.utf8), one)
  }

  @Test(arguments: [
    ("a,b\nJosé,1\n", String.Encoding.isoLatin1), ("a,b\n1,2\n", .utf16LittleEndian),
    ("a,b\nÄ,2\n", .utf16BigEndian), ("name,preis\nMüller,5 €\n“x”,6 €\n", .windowsCP1252),
    ("имя,город\nАнна,Москва\n", .windowsCP1251), ("名前,都市\nさくら,とうきょう\n", .shiftJIS),
  ])
  func suggestedEncodingsWork(text: String, encoding: String.Encoding) async throws {
    let bytes = try #require(text.data(using: encoding))
    try await check(Array(bytes), Case(text))
  }

  private func check(_ bytes: [UInt8], _ one: Case) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("suggestions-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(one.name)"))
    try await SuggestionCheck(folder: folder).follow("load \(one.name)", labels: one.labels)
  }

  @Test func suggestionsAreTheLabelsInBackticks() {
    #expect(
      SuggestionCheck.suggestions(in: "x; add `a: b c: \"d\"` or `e: f`, not `a`") == [
        "a: b c: \"d\"", "e: f",
      ])
  }
}
