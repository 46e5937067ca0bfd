import DataTables
import Testing

@testable import DocumentFormats

@Suite struct XMLFailureTests {
  private func failure(_ text: String, limits: ReadLimits = ReadLimits()) -> TableError? {
    var options = ReadOptions()
    options.limits = limits
    do {
      _ = try read(text, named: "x.xml", options)
      return nil
    } catch {
      return error as? TableError
    }
  }

  @Test(arguments: [
    ("<r>\n<a></b>\n</r>", 2), ("<r>\n<a x=1/></r>", 2), ("<r>\n\n<a>&nope;</a></r>", 3),
    ("<r>\n<a x='1' x='2'/></r>", 2), ("<r/>\n<s/>", 2), ("<r>\n<a>\u{1}</a></r>", 2),
    ("<r>\n<![CDATA[ ]]", 2),
  ])
  func aMalformedDocumentFailsWithItsLine(text: String, line: Int) throws {
    guard case .format(let message, let place)? = failure(text) else {
      Issue.record("expected a format error, got \(String(describing: failure(text)))")
      return
    }
    #expect(place?.line == line, "\(message)")
    #expect(!message.isEmpty && !message.contains("\n"))
  }

  /// Each prefix fails; the end of the document is the last byte of the root.
  @Test func aTruncatedDocumentFails() throws {
    let xml =
      "<?xml version='1.0'?>\n<!DOCTYPE r [<!ENTITY e 'x'>]>\n<r>\n<a k='&lt;&e;'>é</a>"
      + "<!-- c --><a><![CDATA[y]]></a></r>"
    let bytes = Array(xml.utf8)
    for count in 0..<bytes.count {
      #expect(throws: TableError.self, "\(count) bytes") {
        try read(bytes.prefix(count), named: "x.xml")
      }
    }
    #expect(try read(bytes, named: "x.xml").json == [#"{"k":"<x","text":"é"}"#, #"{"text":"y"}"#])
  }

  @Test(arguments: [
    ("<r>\n<i>", "i", 2, TextPosition(line: 2, column: 4)),
    ("<r>\n<i>te", "i", 2, TextPosition(line: 2, column: 6)),
    ("<r>\n<i>te</i", "i", 2, TextPosition(line: 2, column: 9)),
    ("<r>\n<i/>\n<i a='x", "r", 1, TextPosition(line: 3, column: 8)),
    ("<r>\n<x:i>\n<!-- ", "x:i", 2, TextPosition(line: 3, column: 6)),
    ("<r>\n<i><![CDATA[ab", "i", 2, TextPosition(line: 2, column: 13)),
  ])
  func aTruncatedDocumentNamesTheOpenElement(
    text: String, element: String, line: Int, place: TextPosition
  ) {
    let message = "the element `\(element)` of line \(line) is not closed; the document ends"
    #expect(failure(text) == .format(message, at: place), "\(text)")
  }

  @Test func aLongTruncatedDocumentNamesTheOpenElement() {
    let text = "<r>\n" + Self.repeated(20_000) { "<a n='\($0)'><b/></a>\n" } + "<a><b>"
    #expect(
      failure(text)?.message
        == "the element `b` of line 20,002 is not closed; the document ends at line 20002, column 7"
    )
  }

  @Test(arguments: ["<?xml version='1.0'?>\n", "<!-- x -->", "<", "<r"])
  func aDocumentWithoutARootIsTruncated(text: String) {
    guard case .format("the document ends before its root element", _)? = failure(text) else {
      Issue.record("\(String(describing: failure(text)))")
      return
    }
  }

  private static let laughs =
    "<!DOCTYPE r [<!ENTITY l0 'lol'>"
    + (1...9).map { number in
      let references = String(repeating: "&l\(number - 1);", count: 10)
      return "<!ENTITY l\(number) '\(references)'>"
    }.joined() + "]>"
  private static let long = String(repeating: "x", count: 50_000)

  private static func repeated(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<count).map(text).joined()
  }

  @Test(arguments: [
    laughs + "<r>&l9;</r>",
    laughs + "<r a='&l9;'/>",
    "<!DOCTYPE r [<!ENTITY e '\(long)'>]><r>\(repeated(10_000) { _ in "&e;" })</r>",
    "<!DOCTYPE r [<!ATTLIST a b CDATA '\(long)'>]><r>\(repeated(10_000) { _ in "<a/>" })</r>",
    "<!DOCTYPE r [\(repeated(40_000) { "<!ENTITY e\($0) ''>" })]><r/>",
    "<r \(repeated(200_000) { " a\($0)='1'" })/>",
    "<r>\(repeated(100_000) { "<a\($0)/>" })</r>",
    repeated(100_000) { _ in "<a>" },
  ])
  func aHostileDocumentIsLimited(text: String) {
    guard case .limit? = failure(text) else {
      Issue.record("expected a limit, got \(String(describing: failure(text)))")
      return
    }
  }

  @Test(
    arguments: [
      ("<r>\n<x:a><b/></a></r>", "expected `</x:a>` for the element of line 2"),
      ("<a b=1/>", "the value of an attribute must be in quotes"),
      ("<a b='1' b='2'/>", "the attribute `b` is repeated"),
      ("<a>&foo;</a>", "the entity `foo` is not defined"),
      ("<a>&</a>", "`&` alone must be written `&amp;`"),
      ("<a>&lt</a>", "expected `;` after the name of an entity"),
      ("<a b='<'/>", "`<` in the value of an attribute must be written `&lt;`"),
      ("<a>]]></a>", "`]]>` in a text must be written `]]&gt;`"),
      ("<1a/>", "expected the name of an element after `<`"),
      ("<a><!-- -- --></a>", "a comment contains `--`"),
      ("<a b></a>", "the attribute `b` has no value; expected `=`"),
      ("<a> <?xml version='1.0'?></a>", "the XML declaration is not at the start of the document"),
      ("<a>\u{B}</a>", "the character U+000B is not allowed"),
      ("<a>&#11;</a>", "the character U+000B is not allowed, not as a reference either"),
      ("<a b='1'c='2'/>", "expected a blank or `>` after an attribute"),
      ("<a/>x", "the document goes on after its root element"),
    ])
  func mistakesAreDescribed(xml: String, message: String) throws {
    guard case .format(let found, _)? = failure(xml) else {
      Issue.record("no error")
      return
    }
    #expect(found == message)
  }

  @Test func bytesThatAreNotUTF8NameAnEncodingThatFits() throws {
    let bytes = Array("<r><i>caf".utf8) + [0xE9] + Array("</i><i>tea</i></r>".utf8)
    #expect(throws: TableError.encoding(expected: "UTF-8", offset: 9, fitting: "latin1")) {
      try read(bytes, named: "x.xml")
    }
    let named = try read(bytes, named: "x.xml", .with(.encoding, "latin1"))
    #expect(try named.json == [#""café""#, #""tea""#])
  }

  @Test func depthAndTextLimitsAreSettings() {
    var limits = ReadLimits()
    limits.depth = 3
    #expect(failure("<a><b><c/></b></a>", limits: limits) == nil)
    #expect(
      failure("<a>\n<b><c><d/></c></b></a>", limits: limits)
        == .limit(
          "an element is nested deeper than 3 levels", setting: "maxDepth: 4096",
          at: TextPosition(line: 2)))
    limits = ReadLimits()
    limits.row = 1_000
    let text = String(repeating: "x", count: 2_000)
    for xml in ["<a>\(text)</a>", "<a b='\(text)'/>", "<a><![CDATA[\(text)]]></a>"] {
      guard case .limit(_, setting: "maxRow: 2048", _)? = failure(xml, limits: limits) else {
        Issue.record("expected a limit for \(xml.prefix(20))")
        continue
      }
    }
  }

  @Test func longTextsAreReadInLinearTime() throws {
    let text = String(repeating: "<a x=\"y\"/> ", count: 300_000)
    let cdata = try read("<r><a><![CDATA[\(text)]]></a><a>1</a></r>", named: "x.xml")
    #expect(try cdata.json.first?.utf8.count ?? 0 > text.utf8.count)
    let comment = try read("<r><!--\(text)--><a>1</a><a>2</a></r>", named: "x.xml")
    #expect(comment.table.count == 2)
    let value = text.filter { $0 != "<" && $0 != "\"" }
    let attribute = try read("<r><a b=\"\(value)\"/><a/></r>", named: "x.xml")
    #expect(attribute.table.count == 2)
  }

  @Test func aCancelledReadStops() {
    let cancellation = Cancellation()
    cancellation.cancel()
    var reader = XMLReader(bytes: MemoryBytes(Array("<r/>".utf8)))
    reader.cancellation = cancellation
    #expect(throws: TableError.cancelled) { try reader.read() }
  }
}
