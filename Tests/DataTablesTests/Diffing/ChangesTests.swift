import Testing

@testable import DataTables

@Suite struct ChangesTests {
  struct Example: Sendable {
    let old: [Value]
    let new: [Value]
    let changes: [Change]
  }

  @Test(arguments: [
    Example(old: [0, 1, 2], new: [0, 2], changes: [.delete(at(0, 1))]),
    Example(old: [0, 1, 2], new: [2, 0, 1], changes: [.move(from: at(0, 2), to: at(0, 0))]),
    Example(
      old: [0, 1, 2, 0], new: [0, 4, 0, 1, 2],
      changes: [.insert(at(0, 1)), .move(from: at(0, 3), to: at(0, 2))]),
    Example(old: [0, 1, 2], new: [0, 1, 2], changes: []),
    // If either of two objects could stay, the first one of the old content stays.
    Example(old: [0, 1], new: [1, 0], changes: [.move(from: at(0, 1), to: at(0, 0))]),
    Example(old: [], new: [7], changes: [.insert(at(0, 0))]),
    Example(old: [7, 7], new: [7], changes: [.delete(at(0, 1))]),
    Example(old: [nil, nil], new: [nil, "x", nil], changes: [.insert(at(0, 1))]),
  ])
  func changesOfOneSectionAreFound(example: Example) throws {
    let old = SectionedObjects([(title: "", objects: example.old)])
    let new = SectionedObjects([(title: "", objects: example.new)])
    #expect(try old.changes(to: new) == example.changes)
  }

  @Test func anObjectThatChangesItsSectionIsMoved() throws {
    let old = SectionedObjects([(title: "A", objects: [1, 2]), (title: "B", objects: [3])])
    let new = SectionedObjects([(title: "A", objects: [2]), (title: "B", objects: [1, 3])])
    #expect(try old.changes(to: new) == [.move(from: at(0, 0), to: at(1, 0))])
  }

  @Test func sectionsAreDeletedAndInsertedWithTheirObjects() throws {
    let old = SectionedObjects([(title: "A", objects: [1]), (title: "B", objects: [2, 3])])
    let new = SectionedObjects([(title: "B", objects: [2, 3]), (title: "C", objects: [4])])
    #expect(
      try old.changes(to: new) == [
        .deleteSection(0), .delete(at(0, 0)), .insertSection(1), .insert(at(1, 0)),
      ])
  }

  @Test func reorderedSectionsMoveAsFewObjectsAsPossible() throws {
    let old = SectionedObjects([(title: "A", objects: [1]), (title: "B", objects: [2, 3])])
    let new = SectionedObjects([(title: "B", objects: [2, 3]), (title: "A", objects: [1])])
    #expect(
      try old.changes(to: new) == [
        .deleteSection(0), .insertSection(1), .move(from: at(0, 0), to: at(1, 0)),
      ])
  }

  @Test func theObjectThatChangedIsTheOneThatMoves() throws {
    let id = ObjectKeyPath(key: "id")
    let old = SectionedObjects([(title: "", objects: [["id": 1, "n": "a"], ["id": 2, "n": "b"]])])
    let new = SectionedObjects([(title: "", objects: [["id": 2, "n": "b"], ["id": 1, "n": "c"]])])
    #expect(
      try old.changes(to: new, id: id) == [.move(from: at(0, 0), to: at(0, 1), isChanged: true)])
    // As many objects as possible stay, even if they changed.
    let three = SectionedObjects([
      (title: "", objects: [["id": 1, "n": "a"], ["id": 2, "n": "b"], ["id": 3, "n": "c"]])
    ])
    let changed = SectionedObjects([
      (title: "", objects: [["id": 3, "n": "c"], ["id": 1, "n": "x"], ["id": 2, "n": "y"]])
    ])
    #expect(
      try three.changes(to: changed, id: id) == [
        .move(from: at(0, 2), to: at(0, 0)), .update(from: at(0, 0), to: at(0, 1)),
        .update(from: at(0, 1), to: at(0, 2)),
      ])
  }

  @Test func theSectionWhoseObjectsChangedIsDeletedAndInserted() throws {
    let id = ObjectKeyPath(key: "id")
    let old = SectionedObjects([
      (title: "A", objects: [["id": 1, "n": 1]]), (title: "B", objects: [["id": 2, "n": 1]]),
    ])
    let new = SectionedObjects([
      (title: "B", objects: [["id": 2, "n": 1]]), (title: "A", objects: [["id": 1, "n": 2]]),
    ])
    #expect(
      try old.changes(to: new, id: id) == [
        .deleteSection(0), .insertSection(1),
        .move(from: at(0, 0), to: at(1, 0), isChanged: true),
      ])
  }

  @Test func aReorderedSectionMovesWithItsObjects() throws {
    let old = SectionedObjects([
      (title: "A", objects: [1]), (title: "B", objects: [2, 3]), (title: "C", objects: [4]),
    ])
    let new = SectionedObjects([
      (title: "C", objects: [4]), (title: "A", objects: [1]), (title: "B", objects: [3, 5]),
    ])
    #expect(
      try old.changes(to: new, movesSections: true) == [
        .moveSection(from: 2, to: 0), .delete(at(1, 0)), .insert(at(2, 1)),
      ])
    // If either of two sections could stay, the one with more unmoved objects stays.
    let swapped = SectionedObjects([
      (title: "B", objects: [2, 3]), (title: "A", objects: [1]), (title: "C", objects: [4]),
    ])
    #expect(try old.changes(to: swapped, movesSections: true) == [.moveSection(from: 0, to: 1)])
  }

  @Test func aRepeatedTitleIsTwoSections() throws {
    let old = SectionedObjects([(title: "A", objects: [1]), (title: "A", objects: [2])])
    let new = SectionedObjects([(title: "A", objects: [1])])
    #expect(try old.changes(to: new) == [.deleteSection(1), .delete(at(1, 0))])
  }

  @Test func equalObjectsWrittenDifferentlyAreTheSame() throws {
    let text = [Value(literal: "1.5"), "e\u{301}", ["a": 1, "b": 2]]
    let other = [Value(literal: "1.50"), "\u{e9}", ["b": Value(literal: "2.0"), "a": 1]]
    let old = SectionedObjects([(title: "", objects: text)])
    #expect(try old.changes(to: SectionedObjects([(title: "", objects: other)])) == [])
  }

  @Test func aMissingKeyIsNotNull() throws {
    let old = SectionedObjects([(title: "", objects: [["a": 1], ["a": 2, "b": nil]])])
    let new = SectionedObjects([(title: "", objects: [["a": 1], ["a": 2]])])
    #expect(try old.changes(to: new) == [.delete(at(0, 1)), .insert(at(0, 1))])
  }

  @Test func aChangedObjectIsIdentifiedByItsID() throws {
    let id = ObjectKeyPath(key: "id")
    let old = SectionedObjects([(title: "", objects: [["id": 1, "n": "a"], ["id": 2, "n": "b"]])])
    let new = SectionedObjects([
      (title: "", objects: [["id": 9, "n": "x"], ["id": 1, "n": "a"], ["id": 2, "n": "c"]])
    ])
    #expect(
      try old.changes(to: new, id: id) == [
        .insert(at(0, 0)), .update(from: at(0, 1), to: at(0, 2)),
      ])
    #expect(throws: TableError.unknownKey("nope", known: ["id", "n"])) {
      try old.changes(to: new, id: ObjectKeyPath(key: "nope"))
    }
  }

  @Test func theSameTableInAnotherOrderIsCompared() throws {
    let table = ValueTable(["b", "a", "a"])
    func rows(_ order: [UInt32]) -> SectionedTable {
      SectionedTable(table: table, order: .rows(order), sections: .whole(order.count))
    }
    #expect(try rows([1, 2, 0]).changes(to: rows([2, 1, 0])) == [])
    #expect(
      try rows([0, 1, 2]).changes(to: rows([1, 2])) == [.delete(at(0, 0))])
  }

  @Test func onlyUnequalStringsOfManyAreUpdates() throws {
    let old = try table(replacing: [3: "caf\u{E9}", 5: "", 6: "", 9: "Zo\u{EB}"])
    let new = try table(
      replacing: [3: "cafe\u{301}", 5: "", 7: "", 8: "name", 9: "Zoe", 9_999: "name 09999"])
    // Canonically equivalent strings (3) are equal, and so are two nulls (5).
    let expected = [6, 7, 8, 9, 9_999].map { Change.update(from: at(0, $0), to: at(0, $0)) }
    #expect(try old.changes(to: new, id: ObjectKeyPath(key: "id")) == expected)
  }

  /// A table with enough distinct names that the column stores them as bytes.
  private func table(replacing replaced: [Int: String]) throws -> SectionedTable {
    let lines = (0..<10_000).map { "\($0),\(replaced[$0] ?? "name \($0)")" }
    let text = "id,name\n" + lines.joined(separator: "\n") + "\n"
    let table = try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "rows.csv").table
    let column = try table.column(ObjectKeyPath(key: "name"), cancellation: Cancellation())
    try #require(PairedTexts([column, column]) != nil)
    return SectionedTable(
      table: table, order: .natural(table.count), sections: .whole(table.count))
  }
}

extension SectionedObjects {
  /// Sections from pairs of a title and its objects.
  init(_ sections: [(title: Value, objects: [Value])]) {
    self.init(sections.map { Section(title: $0.title, objects: $0.objects) })
  }

  /// The same sections as rows of a table.
  var rows: SectionedTable {
    let objects = sections.flatMap(\.objects)
    let offsets = sections.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.objects.count) }
    return SectionedTable(
      table: ValueTable(objects), order: .natural(objects.count),
      sections: Sections(offsets: offsets, titles: sections.map(\.title)))
  }

  func changes(
    to new: SectionedObjects, id: ObjectKeyPath? = nil, movesSections: Bool = false
  ) throws -> [Change] {
    try rows.changes(to: new.rows, id: id, movesSections: movesSections)
  }
}

func at(_ section: Int, _ row: Int) -> IndexPath { IndexPath(section: section, row: row) }
