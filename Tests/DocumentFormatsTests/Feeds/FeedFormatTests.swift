import DataTables
import Testing

@testable import DocumentFormats

@Suite struct FeedFormatTests {
  @Test func itemsOfRSSAreRows() throws {
    let rss = """
      <rss version="2.0"><channel><title>News</title><category>a</category><category>b</category>
      <item><title>One &amp; only</title><link>http://e/1</link><guid isPermaLink="false">1</guid>
        <pubDate>Sat, 07 Sep 2002 09:42:31 GMT</pubDate><description><![CDATA[<p>x</p>]]></description>
      </item>
      <item><title>Two</title><link>http://e/2</link><guid>2</guid>
        <pubDate>Sun, 8 Sep 2002 10:00 +0200</pubDate>
      </item></channel></rss>
      """
    let loaded = try read(rss)
    #expect(loaded.report.format == "RSS")
    #expect(loaded.table.keys == ["title", "link", "guid", "pubDate", "description"])
    #expect(
      try loaded.json.first
        == #"{"title":"One & only","link":"http://e/1","guid":1,"pubDate":"2002-09-07T09:42:31Z","#
        + #""description":"<p>x</p>"}"#)
    #expect(try loaded.lines == [2, 5])
  }

  @Test func entriesOfAtomAreRows() throws {
    let atom = """
      <feed xmlns="http://www.w3.org/2005/Atom"><link href="http://e/"/><link rel="self" href="s"/>
      <entry><title type="html">A &lt;b&gt;</title><link rel="edit" href="http://e/edit"/>
        <link href="http://e/1"/><updated>2003-12-13T18:30:02Z</updated></entry></feed>
      """
    let loaded = try read(atom)
    #expect(loaded.report.format == "Atom")
    #expect(
      try loaded.json == [
        #"{"title":"A <b>","link":"http://e/1","#
          + #""links":[{"rel":"edit","href":"http://e/edit"},{"href":"http://e/1"}],"#
          + #""updated":"2003-12-13T18:30:02Z"}"#
      ])
  }

  @Test func anElementNamedLinksIsKept() throws {
    let rss = """
      <rss><channel><item><link>a</link><link>b</link><links>own</links></item>
      <item><link>c</link><link>d</link></item></channel></rss>
      """
    #expect(
      try read(rss).json == [
        #"{"link":"a","links_2":["a","b"],"links":"own"}"#,
        #"{"link":"c","links_2":["c","d"]}"#,
      ])
  }

  @Test func aFeedWithoutItemsIsEmpty() throws {
    #expect(try read("<rss><channel><title>x</title></channel></rss>").table.count == 0)
  }

  @Test func rowsSelectsElementsOfAFeedAsTheyAre() throws {
    let rss = "<rss><channel><item><guid isPermaLink='false'>x</guid></item></channel></rss>"
    var options = try ReadOptions.with(.rows, "item")
    options.format = "xml"
    #expect(try read(rss, options).json == [#"{"guid":{"isPermaLink":false,"text":"x"}}"#])
  }

  @Test func aFileThatIsNotAFeedFails() {
    var options = ReadOptions()
    options.format = "rss"
    #expect(throws: TableError.self) { try read("<a/>", options) }
  }
}
