import Testing

@testable import DataTables

struct JSONBoundaryTests {
  @Test(arguments: [
    #"[{"a":1},{"a":2},{"a":3}]"#, "[\n  {\n    \"a\": [{}]\n  },\n  {\n    \"a\": 2\n  }\n]",
  ])
  func anObjectStartsAfterABoundary(text: String) throws {
    let bytes = Array(text.utf8)
    let boundary = try #require(JSONBoundary(elements: bytes))
    let start = try #require(boundary.rowStart(in: bytes))
    #expect(bytes[start] == UInt8(ascii: "{"))
    #expect(bytes[..<start].last { $0 > 0x20 } == UInt8(ascii: ","))
  }

  @Test(arguments: ["", "[", "[{}]", "[{},{}]", "[1,2]", #"[{"a":1} {"a":2}]"#, #"[{"a":1},{"a""#])
  func aBoundaryNeedsTwoObjectsWithKeys(text: String) {
    #expect(JSONBoundary(elements: Array(text.utf8)) == nil)
  }

  @Test func aBoundaryWithinAnObjectIsNotAccepted() throws {
    // In two chunks: the boundary is in an array whose objects look like the rows.
    let inside = [String](repeating: #"{"a":0}"#, count: 40).joined(separator: ",")
    let text = #"[{"a":1},{"a":2},{"a":[\#(inside)]},{"a":4}]"#
    var document = JSONDocument(
      MemoryBytes(Array(text.utf8)), layout: .elements, request: ReadRequest(),
      cancellation: Cancellation())
    document.minChunkSize = 1
    let table = try document.load().table
    #expect(table.count == 4)
    #expect(try table.objects(at: [3]).map(\.json) == [#"{"a":4}"#])
  }
}
