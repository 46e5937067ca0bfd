import Testing

@testable import DataSources

@Suite struct LinkHeaderTests {
  @Test(arguments: [
    (#"</a?page=2>; rel="next""#, "/a?page=2"), (#"</a>; rel=next"#, "/a"),
    (#"</a>; rel="first", <b,c>; title="x, y; rel=next"; rel="Last NEXT""#, "b,c"),
    (#"</a>; rel="prev""#, nil), ("", nil), ("<", nil), ("<a", nil), ("<a>;;;rel", nil),
    (#"<a>; rel="nextish""#, nil), (#"<a>; rel="last"; rel=next"#, "a"),
  ])
  func theNextLinkIsFound(header: String, target: String?) {
    #expect(LinkHeader.next(in: [HeaderField("link", header)]) == target)
  }

  @Test(arguments: [
    ("b", "http://h/x/b"), ("/b", "http://h/b"), ("?p=2", "http://h/x/y?p=2"),
    ("../b", "http://h/b"), ("./b/./c/../d", "http://h/x/b/d"), ("//g/b", "http://g/b"),
    ("https://g/b#c", "https://g/b"), ("../../../b", "http://h/b"), ("", "http://h/x/y?q"),
    ("..", "http://h/"), ("a:b", "a:b"),
  ])
  func referencesAreResolved(reference: String, url: String) {
    #expect(URLParts("http://h/x/y?q").resolving(reference).text == url)
  }

  @Test(arguments: [
    ("http://H:80/a", "http://h/b"), ("https://h", "https://u:p@h:443/"),
  ])
  func sameOriginsAreEqual(one: String, other: String) {
    #expect(URLParts(one).origin == URLParts(other).origin)
  }

  @Test(arguments: ["https://h/", "http://h:8080/", "http://g/", "http://h.h/"])
  func otherOriginsAreUnequal(url: String) {
    #expect(URLParts(url).origin != URLParts("http://h/").origin)
  }
}
