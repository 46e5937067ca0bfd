import CXML
import DataTables
import Testing

@testable import DocumentFormats

@Suite struct XMLParserTests {
  /// The events as lines: `<name`, `name=value`, text, `>`.
  private func events(
    _ bytes: some Sequence<UInt8>, encoding: String? = nil, syntax: XMLParser.Syntax = .xml,
    limits: ReadLimits = ReadLimits(), piece: Int = 1 << 20
  ) throws -> [String] {
    let parser = try XMLParser(syntax, encoding: encoding, limits: limits)
    let bytes = Array(bytes)
    var result: [String] = []
    var start = 0
    repeat {
      let end = min(start + piece, bytes.count)
      try Array(bytes[start..<end]).withUnsafeBytes { part in
        try parser.feed(part, isLast: end == bytes.count) { events in
          for event in events.events {
            let text = String(decoding: events.text(of: event), as: UTF8.self)
            switch event.eventKind {
            case .start: result.append("<\(parser.name(Int(event.name)))")
            case .attribute: result.append("\(parser.name(Int(event.name)))=\(text)")
            case .text: result.append(text)
            case .end: result.append(">")
            }
          }
        }
      }
      start = end
    } while start < bytes.count
    return result
  }

  @Test func namesKeepTheirPrefixes() throws {
    let xml = #"<a xmlns:p="u"><p:b p:c="1"/><q:d/></a>"#
    #expect(try events(xml.utf8) == ["<a", "<p:b", "p:c=1", ">", "<q:d", ">", ">"])
  }

  @Test func entitiesAndSectionsAreText() throws {
    let xml = "<a b='&lt;&amp;&#65;'>1 &gt; 0 <![CDATA[<x>]]>&#x1F600;</a>"
    #expect(try events(xml.utf8) == ["<a", "b=<&A", "1 > 0 <x>😀", ">"])
  }

  @Test func entitiesOfTheDTDAreExpanded() throws {
    let xml = #"<!DOCTYPE a [<!ENTITY e "x &lt; y">]><a b="&e;">&e;</a>"#
    #expect(try events(xml.utf8) == ["<a", "b=x < y", "x < y", ">"])
  }

  @Test(arguments: [
    #"<!DOCTYPE a [<!ENTITY e SYSTEM "/etc/passwd">]><a>[&e;]</a>"#,
    #"<!DOCTYPE a SYSTEM "/etc/passwd"><a>[]</a>"#,
    #"<!DOCTYPE a [<!ENTITY % e SYSTEM "/etc/passwd"> %e;]><a>[]</a>"#,
  ])
  func nothingOutsideOfTheDocumentIsLoaded(xml: String) throws {
    #expect(try events(xml.utf8) == ["<a", "[]", ">"])
  }

  @Test(arguments: ["Shift_JIS", "EUC-JP", "UTF-16LE", "UTF-8"], [1, 3, 1 << 20])
  func anEncodingIsDecodedInPiecesOfAnySize(encoding: String, piece: Int) throws {
    let texts: [String: [UInt8]] = [
      "Shift_JIS": [0x3C, 0x61, 0x3E, 0x83, 0x5C, 0x3C, 0x2F, 0x61, 0x3E],
      "EUC-JP": [0x3C, 0x61, 0x3E, 0xA5, 0xBD, 0x3C, 0x2F, 0x61, 0x3E],
      "UTF-16LE": "<a>ソ</a>".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] },
      "UTF-8": Array("<a>ソ</a>".utf8),
    ]
    let bytes = try #require(texts[encoding])
    #expect(try events(bytes, encoding: encoding, piece: piece).joined() == "<aソ>")
  }

  @Test func bytesNotInTheEncodingAreReportedWithTheirOffset() throws {
    #expect(throws: TableError.encoding(expected: "UTF-8", offset: 6, fitting: nil)) {
      try events(Array("<a>abc".utf8) + [0xFF] + Array("</a>".utf8))
    }
    #expect(throws: TableError.encoding(expected: "EUC-JP", offset: 4, fitting: nil)) {
      try events(Array("<a>a".utf8) + [0xFF] + Array("</a>".utf8), encoding: "EUC-JP")
    }
  }

  @Test func anUnknownEncodingIsAnError() {
    #expect(
      throws: TableError.badArgument(
        "unknown encoding `klingon`; add its name, such as `encoding: utf-8`")
    ) {
      try events("<a/>".utf8, encoding: "klingon")
    }
  }
}
