import DataTables
import Foundation
import TestSupport
import Testing

@testable import DocumentFormats

/// Damaged documents fail with an error of the table, or are read; none crashes.
@Suite struct FuzzTests {
  private static let documents: [(format: String, text: String)] = [
    (
      "xml",
      "<?xml version='1.0' encoding='UTF-8'?><!DOCTYPE r [<!ENTITY e '&#65;x'><!ATTLIST a d CDATA 'v'>]>"
        + "<r xmlns:p='u'><a k='&e;&lt;'>é<p:b/>t<![CDATA[<]]></a><!-- c --><a k='2'>&e;</a></r>"
    ),
    (
      "html",
      "<!DOCTYPE html><meta charset=utf-8><table><thead><tr><th rowspan=2>a<th colspan=2>b<tr><th>c"
        + "<th>d</thead><tr><td>1<td>&eacute;<td><table><tr><td>n</table><tr><td colspan=3>x</table>"
    ),
    (
      "rss",
      "<rss><channel><item><title>t</title><link href='h'/><pubDate>7 Sep 02 09:42 EST</pubDate>"
        + "<guid isPermaLink='true'>g</guid></item></channel></rss>"
    ),
    (
      "plist",
      "<plist version='1.0'><dict><key>a</key><array><dict><key>k</key><integer>1</integer></dict>"
        + "<dict/></array><key>d</key><date>2012-11-01T00:00:00Z</date><key>x</key><data>AAEC</data>"
        + "<key>r</key><real>nan</real><key>t</key><true/></dict></plist>"
    ),
    ("plist", "{ a = (x, \"y\\U00e9\", <0a 0b>); \"b c\" = { d = 'e'; }; /* c */ }"),
  ]
  private static let pieces: [String] = [
    "<", ">", "</", "/>", "&", ";", "'", "\"", "=", "<!--", "-->", "<![CDATA[", "]]>", "<!DOCTYPE",
    "[", "]", "<?", "?>", "<tr>", "<td colspan=99999999999>", "</table>", "<table>", "<script>",
    "&#x110000;", "&#0;", "(", ")", "{", "}", "%", "\u{0}", "\u{FEFF}",
    "<integer>99999999999999999999",
    "<date>9999-99-99T99:99:99Z", "<a>", " rowspan=0 ", "encoding='klingon'",
  ]

  /// The seed is that of the documents and of the damage.
  @Test(arguments: UInt64(0)..<10)
  func damagedTextsDoNotCrash(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (format, text) = Self.documents[Int(seed) % Self.documents.count]
    for _ in 0..<750 { attempt(Self.damaged(Array(text.utf8), &random), format, seed) }
  }

  @Test(arguments: UInt64(0)..<2)
  func damagedBinaryListsDoNotCrash(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let date = Date(timeIntervalSinceReferenceDate: 0)
    let list: [String: Any] = [
      "a": [1, 2.5, true, "é", "ascii", Data([1, 2]), date], "b": ["c": [[String: Any]]()],
    ]
    let bytes = [UInt8](
      try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
    for _ in 0..<5_000 {
      var copy = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        copy[Int.random(in: 6..<copy.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      attempt(copy, "plist", seed)
    }
  }

  private func attempt(_ bytes: [UInt8], _ format: String, _ seed: UInt64) {
    var options = ReadOptions()
    options.format = format
    do {
      let loaded = try read(bytes, options)
      _ = try loaded.json
    } catch is TableError {
    } catch {
      Issue.record("seed \(seed), \(format): \(error) for \(bytes)")
    }
  }

  private static func damaged(_ text: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = text
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes.removeSubrange(place...)
      case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 2:
        let end = Int.random(in: place...bytes.count, using: &random)
        bytes.removeSubrange(place..<end)
      default:
        bytes.insert(
          contentsOf: Array((pieces.randomElement(using: &random) ?? "").utf8), at: place)
      }
    }
    return bytes
  }
}
