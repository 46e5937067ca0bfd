import DataTables
import Testing

@testable import DocumentFormats

@Suite struct HTMLReaderTests {
  private func content(
    _ html: String, table: Int? = nil, header: Bool? = nil, keys: [String]? = nil
  ) throws -> DocumentContent {
    var reader = HTMLReader(bytes: MemoryBytes(Array(html.utf8)))
    reader.table = table
    reader.hasHeader = header
    reader.keys = keys
    return try reader.read()
  }

  private func rows(_ html: String, table: Int? = nil, header: Bool? = nil) throws -> [String] {
    try content(html, table: table, header: header).rows.map(\.json)
  }

  @Test func headerCellsAreKeys() throws {
    let html = """
      <!DOCTYPE html><html><body>
      <table>
        <thead><tr><th>Name<th>Score</tr></thead>
        <tbody>
          <tr><td>Ann</td><td>5</td></tr>
          <tr><th>Bob<td>6
        </tbody>
      </table>
      """
    let content = try content(html)
    #expect(
      content.rows.map(\.json) == [#"{"Name":"Ann","Score":"5"}"#, #"{"Name":"Bob","Score":"6"}"#])
    #expect(content.lines == [5, 6])
    #expect(content.notes.isEmpty)
  }

  @Test(
    arguments: [
      ("<table><tr><th>a<tr><td>1<tr><td>2", true), ("<TABLE><TR><TH>a<TR><TD>1<TR", true),
      ("<table><tr><th>a<tr><td>1</table><table><tr><td>x", true),
      ("<table><tr><th>a<tr><td>1</table", false), ("<table><tr><th>a<tr><td>1</body>", false),
      ("<table><tr><th>a<tr><td>1</table><p>x</HTML>", false),
      ("<table><tr><th>a<tr><td>1</table><script>'<tr>'</script></html>", false),
    ])
  func aDocumentThatEndsWithinATableIsReported(html: String, isReported: Bool) throws {
    let notes = try content(html, table: 1).notes
    #expect(notes.contains("the document ends within a table: it may be truncated") == isReported)
  }

  @Test func theDepthIsLimitedOnRequest() throws {
    let html = "<table><tr><th>a<th>b<tr><td>1<td>2</table>"
    let deep = String(repeating: "<div>", count: 1_000) + html
    #expect(try rows(deep) == [#"{"a":"1","b":"2"}"#])
    for (html, depth) in [(html, 2), (deep, 512)] {
      var reader = HTMLReader(bytes: MemoryBytes(Array(html.utf8)))
      reader.limits.depth = depth
      #expect(
        throws: TableError.limit(
          "an element is nested deeper than \(depth) levels", setting: "maxDepth: 2048",
          at: TextPosition(line: 1))
      ) { try reader.read() }
    }
  }

  @Test func cellsSpanColumnsAndRows() throws {
    let html = """
      <table><tr><th rowspan=2>A<th colspan=2>B</tr><tr><th>x<th>y</tr>
      <tr><td rowspan="2">1<td>2<td>3</tr><tr><td colspan="2">4</tr>
      <tr><td rowspan=0>5<td>6<td rowspan=9>7<tr><td>8</table>
      """
    #expect(
      try rows(html) == [
        #"{"A":"1","B x":"2","B y":"3"}"#, #"{"A":"1","B x":"4","B y":"4"}"#,
        #"{"A":"5","B x":"6","B y":"7"}"#, #"{"A":"5","B x":"8","B y":"7"}"#,
      ])
  }

  @Test func textIsTrimmedAndItsBlanksCollapsed() throws {
    let html = """
      <table><tr><th> a \n b </th><th>c</th></tr>
      <tr><td><p>one</p><p>two</p></td><td>x<br>y <b>z</b>!<script>no()</script></td></tr>
      <tr><td>&nbsp;</td><td>&eacute;&nbsp;&lt;</td></tr></table>
      """
    #expect(
      try rows(html) == [#"{"a b":"one two","c":"x y z!"}"#, #"{"a b":null,"c":"é <"}"#])
  }

  @Test func aNestedTableIsATableOfItsOwn() throws {
    let html = """
      <table><tr><td>left<td><table><tr><th>k<tr><td>1<tr><td>2<tr><td>3</table>after</tr></table>
      """
    let content = try content(html)
    #expect(content.rows.map(\.json) == [#"{"k":"1"}"#, #"{"k":"2"}"#, #"{"k":"3"}"#])
    #expect(content.notes == ["table 2 of 2, the largest; `table: 1` has 1 row"])
    #expect(try rows(html, table: 1, header: false) == [#"{"column1":"left","column2":"after"}"#])
  }

  @Test func aTableWithoutHeaderCellsMayHaveAHeader() throws {
    let html = "<table><tr><td>k<td>v<tr><td>a<td>1<tr><td>b<td>2</table>"
    let content = try content(html)
    #expect(content.rows.map(\.json) == [#"{"k":"a","v":"1"}"#, #"{"k":"b","v":"2"}"#])
    #expect(content.notes == ["the first row has the keys; `header: false` reads it as a row"])
    #expect(try rows(html, header: false).first == #"{"column1":"k","column2":"v"}"#)
    let numbers = "<table><tr><td>1<td>2<tr><td>3<td>4</table>"
    #expect(try rows(numbers).count == 2)
    #expect(try rows(numbers, header: true) == [#"{"1":"3","2":"4"}"#])
  }

  @Test func keysAreUniqueAndNotEmpty() throws {
    let html = "<table><tr><th>a<th>a<th><tr><td>1<td>2<td>3<td>4</table>"
    let content = try content(html)
    #expect(content.rows.map(\.json) == [#"{"a":"1","a_2":"2","column3":"3","column4":"4"}"#])
    #expect(content.notes.count == 3)
    #expect(try self.content(html, keys: ["a", "b", "c", "d"]).rows.count == 1)
    #expect(
      throws: TableError.badArgument(
        "`keys:` has 1 key for 4 columns; replace `keys:` with "
          + "`keys: [column2, column2_2, column3, column4]`")
    ) { try self.content(html, keys: ["column2"]) }
  }

  @Test func shortRowsArePadded() throws {
    let html = "<table><tr><th>a<th>b<tr><td>1<tr><tr><td>2<td>3</table>"
    #expect(try rows(html) == [#"{"a":"1","b":null}"#, #"{"a":"2","b":"3"}"#])
  }

  @Test func aMissingTableIsAnError() {
    #expect(throws: TableError.format("the document is HTML without a table", at: nil)) {
      try content("<html><p>x</p></html>")
    }
    #expect(
      throws: TableError.badArgument(
        "`table: 3` does not exist: the document has 1 table, the last `table: 1`")
    ) {
      try content("<table><tr><td>1</table>", table: 3)
    }
  }

  @Test func theEncodingIsThatOfTheDocument() throws {
    let table = "<table><tr><th>k</th></tr><tr><td>"
    func read(_ head: String, _ text: [UInt8]) throws -> DocumentContent {
      let bytes = Array("<html>\(head)\(table)".utf8) + text
      return try HTMLReader(bytes: MemoryBytes(bytes)).read()
    }
    let e: [UInt8] = [0xE9, 0x80]
    #expect(try read("", Array("é".utf8)).rows.map(\.json) == [#"{"k":"é"}"#])
    #expect(try read("", e).rows.map(\.json) == [#"{"k":"é€"}"#])
    #expect(try read("", e).encoding == "windows-1252")
    let meta = "<meta http-equiv='Content-Type' content='text/html; charset=Shift_JIS'>"
    #expect(try read(meta, [0x83, 0x5C]).rows.map(\.json) == [#"{"k":"ソ"}"#])
    #expect(try read("<meta charset=\"UTF-8\">", Array("é".utf8)).encoding == "UTF-8")
    #expect(throws: TableError.self) { try read("<meta charset=utf-8>", e) }
  }

  @Test(arguments: [
    "<p " + (0..<100_000).map { "a\($0)" }.joined(separator: " ") + ">",
    String(repeating: "<b>", count: 100_000),
    "<table>" + String(repeating: "<tr><td rowspan=60000 colspan=1000>x", count: 1_000),
    // A wide first row, and many rows that would be filled with null.
    "<table><tr>" + String(repeating: "<td colspan=1000>x", count: 1_000)
      + String(repeating: "<tr><td>y", count: 3_000),
  ])
  func aHostileDocumentIsLimited(html: String) {
    do {
      _ = try content(html)
      Issue.record("expected a limit")
    } catch TableError.limit {
    } catch {
      Issue.record("expected a limit, got \(error)")
    }
  }

  /// HTML has no malformed documents: each prefix is read or has no table.
  @Test func aTruncatedDocumentIsRepaired() throws {
    let html = Array(
      "<!DOCTYPE html><table id='x'><tr><th>a<th>b<tr><td>1 &amp; é<!-- c --><td>2</table>".utf8)
    func rows(_ count: Int) throws -> [String]? {
      do {
        return try HTMLReader(bytes: MemoryBytes(Array(html.prefix(count)))).read().rows.map(\.json)
      } catch TableError.format {
        return nil
      }
    }
    let whole = [#"{"a":"1 & é","b":"2"}"#]
    #expect(try rows(html.count) == whole)
    // The end tag is optional.
    for count in html.count - "</table>".count..<html.count {
      #expect(try rows(count) == whole, "\(count) bytes")
    }
    let header = try #require(html.firstRange(of: Array("<tr><td>".utf8))).lowerBound
    for count in header..<html.count {
      #expect(try rows(count)?.count ?? 0 <= 1, "\(count) bytes")
    }
    #expect(try rows(header) == [])
    for count in 0..<"<!DOCTYPE html>".count { #expect(try rows(count) == nil, "\(count) bytes") }
  }
}
