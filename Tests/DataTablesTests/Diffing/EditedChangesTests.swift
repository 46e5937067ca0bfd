import TestSupport
import Testing

@testable import DataTables

/// Changes between contents before and after edits, against those between copies of them.
@Suite struct EditedChangesTests {
  @Test(arguments: [nil, ObjectKeyPath(key: "id")], [false, true])
  func changesAfterEditsAreThoseBetweenCopies(id: ObjectKeyPath?, movesSections: Bool) throws {
    var followed = 0
    for seed in 1...UInt64(800) {
      var edits = Edits(seed: seed)
      var contents = [try edits.content()]
      for _ in 0..<3 {
        try edits.makeSome()
        contents.append(try edits.content())
      }
      for (old, new) in [(0, 1), (1, 2), (2, 3), (3, 2), (3, 0), (1, 3)] {
        let (old, new) = (contents[old], contents[new])
        guard
          let changes = try old.changesAfterEdits(
            to: new, id: id, movesSections: movesSections, cancellation: Cancellation())
        else { continue }
        followed += 1
        let expected = try old.copy().changes(
          to: new.copy(), id: id, movesSections: movesSections)
        #expect(changes == expected, "seed \(seed)")
        if changes != expected { return }
      }
    }
    #expect(followed > 1_200)
  }

  @Test(arguments: [nil, ObjectKeyPath(key: "id")])
  func repeatedEditsOfOneRowAreFollowed(id: ObjectKeyPath?) throws {
    func object(_ row: Int, _ value: Int) -> Value {
      ["city": .string("city \(row % 2)"), "id": .integer(row), "v": .integer(value)]
    }
    let base = ValueTable((0..<20_000).map { object($0, 0) })
    var pool = EditPool(base)
    var rows = RowList(count: base.count)
    var old = SectionedTable(
      table: base, order: .natural(base.count), sections: .whole(base.count))
    for value in [1, 2, 0, 1] {
      let new = try pool.add([object(7, value)], updating: [rows[7]])
      _ = rows.replace(7..<8, with: [new])
      let table = pool.table(rows)
      let content = SectionedTable(
        table: table, order: table.order, sections: .whole(base.count))
      let path = IndexPath(section: 0, row: 7)
      let changes = try #require(
        try old.changesAfterEdits(
          to: content, id: id, movesSections: false, cancellation: Cancellation()))
      #expect(
        changes == (id == nil ? [.delete(path), .insert(path)] : [.update(from: path, to: path)]))
      old = content
    }
  }
}

// Columns of a file: numbers as keys, mostly different strings as bytes.
extension EditedChangesTests {
  @Test(arguments: [nil, "id", "name", "score"])
  func editsOfAFileAreFollowed(id: String?) throws {
    let id = id.map { ObjectKeyPath(key: $0) }
    var text = "id,name,score\n"
    for row in 0..<30_000 { text += "\(row * 7),name é \(row * 31 % 30_000),\(row).5\n" }
    let base = try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "rows.csv").table
    var pool = EditPool(base)
    var rows = RowList(count: base.count)
    let old = SectionedTable(
      table: base, order: .natural(base.count), sections: .whole(base.count))
    for position in stride(from: 3, to: base.count, by: 1_000) {
      guard case .record(let record) = try base.object(at: position) else { continue }
      let new = try pool.add(
        [.record(record.replacing("extra", with: 1))], updating: [position])
      _ = rows.replace(position..<position + 1, with: [new])
    }
    let table = pool.table(rows)
    let content = SectionedTable(table: table, order: table.order, sections: .whole(base.count))
    let changes = try #require(
      try old.changesAfterEdits(
        to: content, id: id, movesSections: false, cancellation: Cancellation()))
    #expect(changes.count == (id == nil ? 60 : 30))
    // The old form of an edited row is added again.
    let copy = try pool.add([try base.object(at: 5)])
    _ = rows.replace(9..<10, with: [copy])
    let repeated = pool.table(rows)
    let shared = try content.changesAfterEdits(
      to: SectionedTable(
        table: repeated, order: repeated.order, sections: .whole(base.count)), id: id,
      movesSections: false, cancellation: Cancellation())
    #expect(shared == nil)
  }
}

/// A few objects with random edits, sorted and split into sections or not.
private struct Edits {
  private var random: SplitMix64
  private var pool: EditPool
  private var rows: RowList
  private let isSorted: Bool
  private let isSectioned: Bool
  private var nextID = 0

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    var objects: [Value] = []
    for id in 0..<random.below(12) { objects.append(Self.object(id, &random)) }
    nextID = objects.count
    pool = EditPool(ValueTable(objects))
    rows = RowList(count: objects.count)
    isSorted = random.below(2) == 0
    isSectioned = random.below(2) == 0
  }

  private static func object(_ id: Int, _ random: inout SplitMix64) -> Value {
    [
      "id": .integer(id), "s": .string(random.one(of: ["a", "é", "e\u{301}", "c"])),
      "v": .integer(random.below(3)),
    ]
  }

  mutating func makeSome() throws {
    for _ in 0...random.below(3) {
      let position = random.below(rows.count + 1)
      let range = position..<min(rows.count, position + random.below(3))
      switch random.below(4) {
      case 0: _ = rows.replace(range, with: [])
      case 1:
        // Some objects share their `id`.
        let id = random.below(6) == 0 ? random.below(nextID + 1) : nextID
        nextID += 1
        let added = try pool.add([Self.object(id, &random)])
        _ = rows.replace(position..<position, with: [added])
      case 2:
        for position in range {
          let old = try pool.object(of: rows[position])
          guard case .integer(let id) = ObjectKeyPath(key: "id").evaluate(on: old) else { continue }
          let new = try pool.add([Self.object(id, &random)], updating: [rows[position]])
          _ = rows.replace(position..<position + 1, with: [new])
        }
      default:
        guard !range.isEmpty else { continue }
        let moved = range.map { rows[$0]..<rows[$0] + 1 }
        _ = rows.replace(range, with: [])
        let target = random.below(rows.count + 1)
        _ = rows.replace(target..<target, with: moved)
      }
    }
  }

  func content() throws -> SectionedTable {
    let table = pool.table(rows)
    let path = ObjectKeyPath(key: "s")
    var order = (0..<table.order.count).map { table.order[$0] }
    let titles = try order.map { path.evaluate(on: try table.object(at: $0)) }
    if isSorted {
      order = order.indices.sorted {
        titles[$0].compare(titles[$1]) == .before
          || titles[$0].compare(titles[$1]) == .same && $0 < $1
      }.map { order[$0] }
    }
    let rows = RowOrder.rows(order.map { UInt32(truncatingIfNeeded: $0) })
    guard isSectioned else {
      return SectionedTable(table: table, order: rows, sections: .whole(order.count))
    }
    var sections = (offsets: [0], titles: [Value]())
    for row in order {
      let title = path.evaluate(on: try table.object(at: row))
      if sections.titles.last != title {
        sections.titles.append(title)
        sections.offsets.append(sections.offsets[sections.offsets.count - 1])
      }
      sections.offsets[sections.offsets.count - 1] += 1
    }
    return SectionedTable(
      table: table, order: rows,
      sections: Sections(offsets: sections.offsets, titles: sections.titles))
  }
}

extension SectionedTable {
  /// Equal content of objects in memory, which shares no rows with this one.
  fileprivate func copy() throws -> SectionedTable {
    let objects = try table.objects(at: (0..<order.count).map { order[$0] })
    return SectionedTable(
      table: ValueTable(objects, keys: ["id", "s", "v"]), order: .natural(objects.count),
      sections: sections)
  }
}
