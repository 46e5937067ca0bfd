import DataSources
import DataTables
import Testing

@testable import DSServing

@Suite struct PublishedContentTests {
  private func published(_ rows: [Value], number: Int = 1) -> PublishedContent {
    PublishedContent(
      number, Snapshot(LocalStore(table: ValueTable(rows))), id: nil, refreshes: [])
  }

  private func fact(_ name: String, of content: PublishedContent) -> Value? {
    Record(content.facts)[name]
  }

  /// The cells of the first object.
  private func cells(_ rows: [Value]) async throws -> [Value] {
    let page = try await published(rows).page(from: 0)
    guard case .record(let record) = page, case .array(let items)? = record["items"],
      case .record(let first)? = items.first, case .array(let cells)? = first["c"]
    else { return [] }
    return cells
  }

  @Test func aPageHasAHundredItems() async throws {
    let content = published((0..<250).map { .record(Record([("n", .integer($0))])) })
    for (start, count) in [(0, 100), (200, 50), (250, 0), (9_999, 0), (-5, 100)] {
      guard case .record(let page) = try await content.page(from: start),
        case .array(let items)? = page["items"]
      else {
        Issue.record("no items")
        continue
      }
      #expect(items.count == count, "from \(start)")
    }
  }

  @Test func valuesAreMarkedByTheirTypes() async throws {
    let row = Value.record(
      Record([("a", "Pie"), ("b", 12), ("c", .null), ("d", "null"), ("e", .array([1, "x"]))]))
    let cells = try await cells([row])
    #expect(
      cells == [
        "Pie", .array(["12", "n"]), .array(["null", "0"]), "\"null\"", "[1, \"x\"]",
      ])
  }

  @Test func aMissingKeyIsNotNull() async throws {
    let rows: [Value] = [.record(Record([("a", 1)])), .record(Record([("b", 2)]))]
    let cells = try await cells(rows)
    #expect(cells == [.array(["1", "n"]), .array(["", "-"])])
  }

  @Test func controlsAndDirectionsAreEscaped() async throws {
    let cells = try await cells([
      .record(Record([("a", "x\u{202E}y\u{1B}[31m\n"), ("b", "<script>alert(1)</script>")]))
    ])
    #expect(cells == ["x\\u{202e}y\\u{1b}[31m\\n", "<script>alert(1)</script>"])
  }

  @Test func longTextsAreShortenedAndReadWhole() async throws {
    let text = String(repeating: "é", count: 500_000)
    let content = published([.record(Record([("id", 1), ("text", .string(text))]))])
    let cells = try await cells([.record(Record([("text", .string(text))]))])
    #expect(cells == [.array([.string(String(repeating: "é", count: 200) + "…"), "+"])])
    let path = IndexPath(section: 0, row: 0)
    guard case .record(let object) = try await content.object(at: path),
      case .array(let fields)? = object["fields"], case .array(let field)? = fields.last
    else {
      Issue.record("no fields")
      return
    }
    #expect(field.first == "text")
    #expect(field[1].json.utf8.count < 5_000)
    let whole = try await content.text(ofField: 1, at: path)
    #expect(whole == text)
    let missing = try await content.text(ofField: 2, at: path)
    #expect(missing == nil)
  }

  @Test func tenThousandKeysAreLimited() async throws {
    let row = Value.record(Record((0..<10_000).map { ("key\($0)", .integer($0)) }))
    let content = published([row])
    guard case .array(let columns)? = fact("columns", of: content) else {
      Issue.record("no columns")
      return
    }
    #expect(columns.count == 30)
    #expect(fact("hiddenColumns", of: content) == 9_970)
    let cells = try await cells([row])
    #expect(cells.count == 30)
    guard case .record(let object) = try await content.object(at: IndexPath(section: 0, row: 0))
    else { return }
    #expect(object["hiddenFields"] == 9_500)
  }

  @Test func objectsWithoutKeysHaveOneColumn() async throws {
    let content = published(["Pie", 3])
    #expect(fact("columns", of: content) == .array(["value"]))
    let cells = try await cells(["Pie", 3])
    #expect(cells == ["Pie"])
    let whole = try await content.text(ofField: 0, at: IndexPath(section: 0, row: 1))
    #expect(whole == "3")
  }

  @Test func noObjectsHaveNoItems() async throws {
    let content = published([])
    #expect(fact("items", of: content) == 0)
    let page = try await content.page(from: 0)
    #expect(page == ["start": 0, "items": .array([])])
  }

  @Test func anIndexHasOneEntryForEqualTitlesInARow() async throws {
    let titles: [Value] = ["apple", "avocado", "banana", "", "avocet"]
    let rows = titles.map { Value.record(Record([("t", $0)])) }
    let content = PublishedContent(
      1,
      Snapshot(
        LocalStore(
          table: ValueTable(rows), order: .natural(5),
          sections: Sections(offsets: [0, 1, 2, 3, 4, 5], titles: titles))),
      id: nil, refreshes: [])
    let index = try await content.index()
    #expect(index == .array([.array(["A", 0]), .array(["B", 4]), .array(["A", 8])]))
  }

  @Test func changesHaveThePlacesOfItems() async throws {
    func rows(_ numbers: [Int]) -> [Value] {
      numbers.map { .record(Record([("n", .integer($0))])) }
    }
    let old = published(rows([1, 2, 3, 4]))
    let new = published(rows([1, 9, 3, 4]), number: 2)
    let changes = try await new.changes(from: old, shown: 0..<4, cancellation: Cancellation())
    #expect(
      changes == [
        "count": 2, "lines": .array(["delete [0, 1]", "insert [0, 1]"]), "batches": 1,
        "positions": .array([0, -1, 2, 3]), "inserted": .array([1]), "updated": .array([]),
      ])
  }

  @Test func veryManyChangesAreOnlyCounted() async throws {
    let old = published((0..<2_000).map { .integer($0) })
    let new = published((5_000..<7_000).map { .integer($0) }, number: 2)
    guard
      case .record(let changes) = try await new.changes(
        from: old, shown: 0..<10, cancellation: Cancellation())
    else { return }
    #expect(changes["count"] == 4_000)
    #expect(changes["positions"] == nil)
  }
}
