import DataTables
import Testing

@testable import DocumentFormats

@Suite struct XMLReaderTests {
  private func content(_ text: String, rows: String? = nil) throws -> DocumentContent {
    var reader = XMLReader(bytes: MemoryBytes(Array(text.utf8)))
    reader.rows = rows
    return try reader.read()
  }

  private func rows(_ text: String, rows: String? = nil) throws -> [String] {
    try content(text, rows: rows).rows.map(\.json)
  }

  @Test func attributesAndChildrenAreKeysInTheirOrder() throws {
    let xml = """
      <r>
        <book id="1" lang="en"><title>A</title><price>5</price></book>
        <book id="2"><title>B</title></book>
      </r>
      """
    #expect(
      try rows(xml) == [
        #"{"id":"1","lang":"en","title":"A","price":"5"}"#, #"{"id":"2","title":"B"}"#,
      ])
    #expect(try content(xml).lines == [2, 3])
  }

  @Test func aRepeatedChildIsAnArrayInAllRows() throws {
    let xml = "<r><a><b>1</b></a><a><b>2</b><b>3</b></a><a/></r>"
    #expect(try rows(xml) == [#"{"b":["1"]}"#, #"{"b":["2","3"]}"#, "{}"])
  }

  @Test func textBesideAttributesHasAKeyInAllRows() throws {
    let xml = "<r><a><p unit='kg'>5</p></a><a><p>6</p></a></r>"
    #expect(
      try rows(xml) == [#"{"p":{"unit":"kg","text":"5"}}"#, #"{"p":{"text":"6"}}"#])
  }

  @Test func mixedContentKeepsItsTextAndItsChildren() throws {
    #expect(
      try rows("<r><a>one <b>two</b> three</a><a>x</a></r>") == [
        #"{"b":"two","text":"one  three"}"#, #"{"text":"x"}"#,
      ])
  }

  @Test func anAttributeAndAChildOfOneNameAreAnArray() throws {
    #expect(
      try rows("<r><a id='1'><id>2</id></a><a id='3'/></r>") == [
        #"{"id":["1","2"]}"#, #"{"id":["3"]}"#,
      ])
  }

  @Test func nestedElementsAreRecords() throws {
    #expect(
      try rows("<r><a><b><c>1</c><c>2</c></b></a><a><b><c>3</c></b></a></r>") == [
        #"{"b":{"c":["1","2"]}}"#, #"{"b":{"c":["3"]}}"#,
      ])
  }

  @Test func emptyElementsAreNull() throws {
    let xml = """
      <r><a><b/><c> </c><d xsi:nil="true"/></a><a><b>1</b><c></c><d>2</d></a></r>
      """
    #expect(try rows(xml) == [#"{"b":null,"c":null,"d":null}"#, #"{"b":"1","c":null,"d":"2"}"#])
  }

  @Test func elementsWithTextAloneAreStrings() throws {
    #expect(try rows("<r><a>x</a>\n<a> y\n</a></r>") == [#""x""#, #""y""#])
  }

  @Test func prefixesCommentsAndInstructionsAreHandled() throws {
    let xml = """
      <r xmlns:d="u"><d:a d:k="1"><!-- c --><?p i?><d:b>2</d:b></d:a><d:a/></r>
      """
    #expect(try rows(xml) == [#"{"d:k":"1","d:b":"2"}"#, "{}"])
  }

  @Test func theMostFrequentOuterElementIsChosen() throws {
    let xml = """
      <r><meta/><meta/><list><i x="1"><p/><p/><p/><p/></i><i x="2"/><i x="3"/></list></r>
      """
    let content = try content(xml)
    #expect(content.rows.count == 3)
    #expect(
      content.notes == [
        "each row is an element `i`; `rows: meta` selects 2, `rows: p` selects 4"
      ])
    #expect(try rows(xml, rows: "p").count == 4)
    #expect(try rows(xml, rows: "meta") == ["{}", "{}"])
  }

  @Test(
    arguments: [
      (
        "<g><meta><t>x</t></meta><w a='1'/><k><n>T</n><s><p a='1'/><p a='2'/></s></k></g>",
        "each row is an element `p`, without `meta`, `w`, `n`; `rows: meta` selects 1, `rows: w` "
          + "selects 1"
      ),
      // Empty elements, attributes and parts of the rows are not left out.
      ("<r v='1'><br/><i a='1'><b>x</b></i><i a='2'/></r>", "each row is an element `i`"),
      (
        "<r><head><m>1</m><m>2</m></head><i a='1'/><i a='2'/><tail>x</tail></r>",
        "each row is an element `i`, without `tail`; `rows: m` selects 2"
      ),
      (
        "<r><a>1</a><b>2</b><c>3</c><d>4</d><e>5</e><i a='1'/><i a='2'/></r>",
        "each row is an element `i`, without `a`, `b`, `c`, `d`, …"
      ),
      // An attribute and an element of the same name are an array, but one element.
      ("<r><i k='1'><k>2</k></i><i/></r>", "each row is an element `i`"),
    ])
  func elementsThatAreLeftOutAreNamed(xml: String, note: String) throws {
    #expect(try content(xml).notes == [note])
  }

  @Test func elementsWithContentComeBeforeTexts() throws {
    let xml = "<r><k>1</k><k>2</k><k>3</k><b a='1'/><b a='2'/></r>"
    #expect(try rows(xml) == [#"{"a":"1"}"#, #"{"a":"2"}"#])
  }

  @Test func aDocumentWithoutRepetitionIsOneRow() throws {
    let xml = "<config><host>h</host><port>1</port></config>"
    let content = try content(xml)
    #expect(content.rows.map(\.json) == [#"{"host":"h","port":"1"}"#])
    #expect(content.notes == ["no element is repeated: the root element is the row"])
  }

  @Test func aPathSelectsElements() throws {
    let xml = "<r><a><i>1</i><i>2</i></a><b><i>3</i></b><c><b><i>4</i></b></c></r>"
    #expect(try rows(xml, rows: "i") == [#""1""#, #""2""#, #""3""#, #""4""#])
    #expect(try rows(xml, rows: "b/i") == [#""3""#, #""4""#])
    #expect(try rows(xml, rows: "/r/b/i") == [#""3""#])
  }

  @Test func aMissingElementIsAnErrorWithTheRepeatedOnes() {
    #expect(
      throws: TableError.badArgument("the document has no element `x`; it has `rows: a`, `rows: b`")
    ) {
      try content("<r><a k='1'><b/><b/></a><a/></r>", rows: "x")
    }
  }

  @Test func theChoiceFollowsTheWholeDocument() throws {
    // The sample ends within the head.
    let head = (0..<20_000).map { "<h n='\($0)'/>" }.joined()
    let body = (0..<30_000).map { "<row n='\($0)'/>" }.joined()
    let content = try content("<r><head>\(head)</head><body>\(body)</body></r>")
    #expect(content.rows.count == 30_000)
    #expect(content.notes.first?.contains("`row`; `rows: h` selects 20000") == true)
  }

  /// Each of the nested elements is repeated: all of their paths would take 32 million strings.
  @Test func deepAndManyPathsAreNotNamed() throws {
    let depth = 4_000
    let opening = (0..<depth).map { "<e\($0)><x/><x/>" }.joined()
    let closing = (0..<depth).reversed().map { "</e\($0)>" }.joined()
    var reader = XMLReader(bytes: MemoryBytes(Array((opening + closing).utf8)))
    reader.limits.depth = 4_096
    let notes = try reader.read().notes
    #expect(
      notes == [
        "each row is an element `x`; `rows: /e0/e1/x` selects 2, "
          + "`rows: /e0/e1/e2/x` selects 2, `rows: /e0/e1/e2/e3/x` selects 2"
      ])
    let inner = (0..<100).map { "<k\($0)/><k\($0)/>" }.joined()
    let builder = try content("<r><row>\(inner)</row><row/></r>")
    #expect(builder.notes.first?.hasPrefix("each row is an element `row`") == true)
    var unknown = XMLReader(bytes: MemoryBytes(Array((opening + closing).utf8)))
    unknown.limits.depth = 4_096
    unknown.rows = "nothing"
    do {
      _ = try unknown.read()
      Issue.record("expected an error")
    } catch TableError.badArgument(let message) {
      #expect(message.count < 600)
    }
  }

  @Test(arguments: [
    "windows1252", "korean", "visual", "logical", "mskanji", "iso-8859-8-i", "x-mac-cyrillic",
    "xgbk", "koi8ru", "ascii", "shift_jis", "iso-8859-16",
  ])
  func theLabelsOfEncodingsAreThoseOfTexts(label: String) throws {
    var options = ReadOptions()
    options.encoding = label
    #expect(try read("<r><a><b>1</b></a><a><b>2</b></a></r>", options).table.count == 2)
    let html = "<table><tr><th>a<th>b<tr><td>1<td>2</table>"
    #expect(try read(html, options).table.count == 1)
  }

  @Test func anEncodingIsTakenFromTheDeclaration() throws {
    let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><r><a>".utf8) + [0xE9]
    let bytes = latin + Array("</a></r>".utf8)
    let content = try XMLReader(bytes: MemoryBytes(bytes)).read()
    #expect(content.encoding == "ISO-8859-1")
    #expect(content.rows.map(\.json) == [#"{"a":"é"}"#])
    var options = ReadOptions()
    options.encoding = "windows-1252"
    #expect(try read(bytes, options).json == [#"{"a":"é"}"#])
  }

  @Test func referencesToExternalEntitiesAreReported() throws {
    let xml = """
      <!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><r><a>[&e;]</a><a>(&e;)</a></r>
      """
    let content = try content(xml)
    #expect(content.rows.map(\.json) == [#""[]""#, #""()""#])
    #expect(
      content.notes.first
        == "2 references to entities that are not in the file are left out")
  }

  @Test func theLinesOfLongTagsAreThoseOfTheirStart() throws {
    let xml = "<r>\n<a\n x='1'\n y='2'/>\n<!--\n-->\n\n<a\n/></r>"
    #expect(try content(xml).lines == [2, 8])
  }
}
