import DataTables
import Testing

@testable import DocumentFormats

@Suite struct MarkupStartTests {
  @Test(arguments: [
    ("<?xml version=\"1.0\"?><a/>", "XML"),
    ("\u{FEFF}  <!-- c --><a b='c'/>", "XML"),
    ("<!DOCTYPE a [<!ENTITY x \"<y>\">]><a/>", "XML"),
    ("<a>text</a>", "XML"),
    ("<svg xmlns=\"http://www.w3.org/2000/svg\"><path/></svg>", "XML"),
    ("<?xml version=\"1.0\"?><html><table><tr><td>1</td></tr></table></html>", "HTML"),
    ("<!doctype html><table><tr><td>1", "HTML"),
    ("<HTML><TABLE><TR><TD>1</TABLE></HTML>", "HTML"),
    ("<table border=1><tr><td>1</table>", "HTML"),
    ("<table><row><a>1</a></row><row/></table>", "XML"),
    ("<rss><channel><item/></channel></rss>", "RSS"),
    ("<feed xmlns='http://www.w3.org/2005/Atom'><entry/></feed>", "Atom"),
    ("<feed><animal/></feed>", "XML"),
    (
      "<rdf:RDF xmlns:rdf='r' xmlns='http://purl.org/rss/1.0/'><item/></rdf:RDF>", "RSS 1.0"
    ),
    ("<plist><array><string>a</string></array></plist>", "property list"),
  ])
  func aDocumentIsRecognizedByItsContent(text: String, format: String) throws {
    // Names and extensions are often wrong.
    for name in ["", "x.csv", "x.xls", "x.txt", "x.json"] {
      #expect(try read(text, named: name).report.format == format, "named \(name)")
    }
  }

  @Test func htmlWithoutATableIsAnError() throws {
    let error = TableError.format("the document is HTML without a table", at: nil)
    for text in ["<html><p>a</p></html>", "<table><tr><th>Title</table>"] {
      #expect(throws: error) { try read(text, named: "x.html") }
    }
    let fix = TableError.format(
      "the document is HTML without a table; add `format: xml` to read its elements", at: nil)
    for name in ["", "x.html", "x.xml"] {
      #expect(throws: fix) {
        try read("<?xml version=\"1.0\"?><html><p>a</p><p>b</p></html>", named: name)
      }
    }
  }

  @Test(arguments: [
    "<TICKER>,<PER>,<DATE>\nGAZP,D,20240101\nSBER,D,20240101\n", "a,b\n<x>,1\n",
    "<1>,<2>\n1,2\n", "< a,b\n1,2\n",
  ])
  func aTextThatStartsWithABracketIsNotMarkup(text: String) throws {
    #expect(try read(text, named: "x.csv").report.format.hasPrefix("CSV"))
  }

  @Test func markupOfTwoBytesForEachCharacterIsRecognized() throws {
    for littleEndian in [true, false] {
      for mark in ["\u{FEFF}", ""] {
        let text = mark + "<?xml version='1.0'?><r><a>é</a><a>ü</a></r>"
        let bytes = text.utf16.flatMap { unit -> [UInt8] in
          let pair = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
          return littleEndian ? pair : pair.reversed()
        }
        #expect(try read(bytes, named: "x.txt").json == [#""é""#, #""ü""#])
      }
    }
  }
}
