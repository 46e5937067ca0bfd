import DataSources
import DataTables
import Pictures
import TestSupport
import Testing

@testable import DSInterpreter

@Suite struct TablePreviewTests {
  /// A content with sections of some sizes; objects are numbers.
  private static func content(_ sizes: [Int]) -> Snapshot {
    var offsets = [0]
    for size in sizes { offsets.append((offsets.last ?? 0) + size) }
    let count = offsets.last ?? 0
    return Snapshot(
      LocalStore(
        table: ValueTable((0..<count).map { .integer($0) }), order: .natural(count),
        sections: Sections(
          offsets: offsets, titles: sizes.indices.map { .string("s\($0)") })))
  }

  @Test(arguments: 1...50) func movementsAreThoseInAListOfAllLines(seed: Int) async throws {
    var random = SplitMix64(seed: UInt64(seed))
    let sizes = (0..<random.below(6) + 1).map { _ in random.below(4) }
    let content = Self.content(sizes)
    let missing = random.below(2) == 0 ? [sizes.count - 1: ["page 2", "page 2"]] : [:]
    let preview = try await TablePreview(
      content, cell: PreviewCell(nil, of: content), missing: missing, placeholder: nil)
    var all: [TablePreview.Position] = []
    for (section, size) in sizes.enumerated() {
      let count = 1 + size + (missing[section]?.count ?? 0)
      all += (0..<count).map { TablePreview.Position(section: section, line: $0) }
    }
    #expect(preview.first == all.first && preview.last == all.last, "seed \(seed)")
    for (index, position) in all.enumerated() {
      for offset in -20...20 {
        let expected = all[min(max(0, index + offset), all.count - 1)]
        #expect(preview.position(offset, from: position) == expected, "\(sizes), seed \(seed)")
      }
    }
    let start = all[random.below(all.count)]
    let lines = try await preview.lines(from: start, count: 5)
    #expect(lines.count == min(5, all.count - (all.firstIndex(of: start) ?? 0)))
    #expect(lines.first?.kind == .header && lines.first?.title == "s\(start.section)")
  }

  @Test func anExcerptLeadsToTheNextOne() async throws {
    let content = Self.content([3, 0, 0, 4, 2])
    let preview = try await TablePreview(
      content, cell: PreviewCell(nil, of: content), missing: [:], placeholder: nil)
    for rows in 1...10 {
      var titles: [String] = []
      var next: IndexPath? = IndexPath(section: 0, row: 0)
      while let path = next {
        let excerpt = try await preview.excerpt(from: path, rows: rows)
        titles += excerpt.lines.filter { $0.line.kind == .row }.map(\.line.title)
        next = excerpt.next
      }
      #expect(titles == (0..<9).map(String.init), "\(rows) rows")
    }
  }

  @Test func theIndexKeepsTheFirstAndTheLastTitle() {
    for count in 0...60 {
      for lines in 0...30 {
        let places = IndexStrip.places(of: count, in: lines)
        #expect(places.count <= lines)
        let titles = places.compactMap { $0 }
        #expect(titles == titles.sorted() && Set(titles).count == titles.count)
        guard lines >= 3, count > 0 else { continue }
        #expect(titles.first == 0 && titles.last == count - 1)
        if count > lines {
          #expect(places.indices.allSatisfy { (places[$0] == nil) == ($0 % 2 == 1) })
        }
      }
    }
  }

  @Test func longLabelsAreShortenedHoweverFewTheirCharacters() {
    let marks = "e" + String(repeating: "\u{301}", count: 1_000_000)
    #expect(Value.string(marks).label.unicodeScalars.count == 201)
    #expect(Value.string(String(repeating: "x", count: 1_000_000)).label.count == 201)
    #expect(Value.string("x").label == "x")
  }

  /// The lines of a batch update and the rows in its gaps are the new content, in its order.
  @Test(arguments: 1...200) func aBatchUpdateShowsTheNewContent(seed: Int) async throws {
    var random = SplitMix64(seed: UInt64(seed))
    func objects() -> [Value] {
      (0..<random.below(14)).map { _ in
        .record(
          Record([
            ("id", .integer(random.below(20))), ("k", .integer(random.below(4))),
            ("v", .integer(random.below(3))),
          ]))
      }
    }
    let contents = try await [objects(), objects()].asyncMap { objects -> Snapshot in
      let source = SectionedSource(
        SimpleSource(objects), key: ObjectKeyPath(key: "k"),
        sort: [SortDescriptor(ObjectKeyPath(key: "k")), SortDescriptor(ObjectKeyPath(key: "v"))])
      try await source.fetchData()
      return try source.content
    }
    let (old, new) = (contents[0], contents[1])
    // An empty content lacks the key.
    guard old.numberOfObjects > 0, new.numberOfObjects > 0 else { return }
    let changes = try await old.changes(to: new, id: ObjectKeyPath(key: "id"))
    let cell = PreviewCell([ObjectKeyPath(key: "id")], of: new)
    let batch = try await BatchUpdate(changes, from: old, to: new, cell: cell, oldCell: cell)
    let lines = try await batch.lines(limit: 1_000).lines
    if changes.isEmpty {
      #expect(lines.isEmpty)
      return
    }
    var section = -1
    var row = 0
    var marks: [Picture.Mark.Kind: Int] = [:]
    for line in lines {
      if let mark = line.mark, line.kind == .row { marks[mark.kind, default: 0] += 1 }
      if line.mark?.kind == .deleted { continue }
      switch line.kind {
      case .header:
        section += 1
        row = 0
        #expect(line.title == (try await new.title(of: section)).label, "seed \(seed)")
      case .row:
        let object = try await new.object(at: IndexPath(section: section, row: row))
        #expect(line.title == cell.line(of: object).title, "seed \(seed)")
        row += 1
      case .gap:
        let count = try #require(Int(line.title.split(separator: " ")[1]))
        if line.title.contains("section") { section += count } else { row += count }
      case .placeholder: Issue.record("a placeholder, seed \(seed)")
      }
    }
    #expect(section == new.numberOfSections - 1, "seed \(seed)")
    func count(_ names: String...) -> Int { changes.count { names.contains($0.name) } }
    #expect(marks[.inserted, default: 0] == count("insert"), "seed \(seed)")
    #expect(marks[.deleted, default: 0] == count("delete"), "seed \(seed)")
    #expect(marks[.moved, default: 0] == count("move"), "seed \(seed)")
    #expect(marks[.updated, default: 0] == count("update"), "seed \(seed)")
  }
}

extension Array {
  fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
    var results: [T] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
