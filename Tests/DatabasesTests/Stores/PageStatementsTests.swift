import DataSources
import DataTables
import TestSupport
import Testing

@testable import Databases

/// The statements that read pages of rows, and the places of the rows.
@Suite struct PageStatementsTests {
  private static func rows(_ count: Int, values: Int) -> [[Value]] {
    (0..<count).map { [.integer($0), .integer($0 % values), .string("x\($0 % 7)")] }
  }

  /// Many rows are read by one statement, whose rows are not kept.
  @Test(arguments: [5..<300, 5..<8]) func missingRowsAreAChange(range: Range<Int>) async throws {
    try await TestRows.withStore(Self.rows(300, values: 5)) { whole in
      let store = try await whole.answered(ContentRequest(sections: .whole), batch: 10)
      try await store.table.database.connection.execute(
        "DELETE FROM \(store.table.name) WHERE id > 5", cancellation: Cancellation())
      let error = await #expect(throws: SourceError.self) {
        try await store.objects(in: 0, rows: range)
      }
      #expect("\(String(describing: error))".contains("changed"))
    }
  }

  @Test func positionsAndIndexPathsAgreeWithTheSizesOfTheSections() async throws {
    try await TestRows.withStore(Self.rows(300, values: 40)) { whole in
      func check(_ store: TableStore) {
        var position = 0
        for section in 0..<store.numberOfSections {
          #expect(store.position(of: IndexPath(section: section, row: 0)) == position)
          for row in 0..<store.numberOfObjects(in: section) {
            let path = IndexPath(section: section, row: row)
            #expect(store.position(of: path) == position)
            #expect(store.path(of: position) == path)
            position += 1
          }
        }
        #expect(position == store.numberOfObjects)
        #expect(store.sections.offsets.last == position)
      }
      check(whole)
      for request in [
        TestRows.sections(by: "a"), TestRows.sections(by: "a", mode: .groups),
        TestRows.sections(by: "b", mode: .groups),
      ] {
        let store = try await whole.answered(request)
        let paged = try await TestRows.withPagedTitles(of: 3) { try await whole.answered(request) }
        for store in [store, paged] {
          check(store)
          check(try await store.answered(ContentRequest(offset: 33, limit: 150)))
          let filter = try TestRows.filter("id", below: 20, showsEmpty: true)
          check(
            try await TestRows.withPagedTitles(of: 3) { try await store.answered(filter) })
        }
      }
    }
  }

  /// Deep rows of all sections are numbered by one statement; those of a section follow the index.
  @Test func eachKindOfPlaceHasAPlanOfItsOwn() async throws {
    try await TestRows.withStore(
      Self.rows(400, values: 2), then: ["CREATE INDEX NAME_index ON NAME (b)"]
    ) { whole in
      let store = try await StoreLimits.$anchorDistance.withValue(20) {
        try await whole.answered(TestRows.sections(by: "a", "b"), batch: 10)
      }
      _ = try await store.objects(in: [
        SectionRows(section: 0, rows: 150..<200), SectionRows(section: 1, rows: 0..<10),
      ])
      let all = store.computation?.statements ?? []
      #expect(all.contains { $0.contains("dsshell_number") }, "\(all)")
      _ = try await store.objects(in: 1, rows: 90..<95)
      let section = (store.computation?.statements ?? []).dropFirst(all.count)
      #expect(section.contains { $0.contains(" LIMIT 1 OFFSET ") }, "\(section)")
    }
  }

  /// The rows that a window leaves out are not sought one by one.
  @Test(arguments: [0, 1_000_000])
  func indexPathsInWindowsNeedFewStatements(maxTitles: Int) async throws {
    try await TestRows.withStore(Self.rows(300, values: 3)) { whole in
      for request in [
        ContentRequest(sort: [SortDescriptor(ObjectKeyPath(key: "b"))], sections: .whole),
        TestRows.sections(by: "a", "b"), TestRows.sections(by: "a", "b", mode: .groups),
        TestRows.sections(by: "b", "a", mode: .groups, order: GroupOrder(.count)),
      ] {
        var request = request
        let isLimited = request.key == nil
        if isLimited { (request.offset, request.limit) = (95, 150) }
        var store = try await StoreLimits.$maxTitles.withValue(maxTitles) {
          try await whole.answered(request)
        }
        if !isLimited { store = try await store.answered(ContentRequest(offset: 95, limit: 150)) }
        let objects = try await store.sectionObjects()
        let before = store.computation?.statements.count ?? 0
        for value in ["x0", "x3", "x6"] {
          let found = try await store.indexPath(
            matching: Record([("b", .string(value))]), cancellation: Cancellation())
          #expect(found == Self.first(value, in: objects), "\(request), \(value)")
        }
        let count = (store.computation?.statements.count ?? 0) - before
        #expect(count <= 15, "\(request)")
      }
    }
  }

  /// Rows of a view that are equal to the first one of the window may be before it and in it.
  @Test func indexPathsInWindowsOfEqualRows() async throws {
    try await TestRows.withStore(
      Self.rows(60, values: 2), then: ["CREATE VIEW NAME_view AS SELECT a, b FROM NAME"],
      suffix: "_view"
    ) { whole in
      for offset in 0..<58 {
        for request in [TestRows.sections(by: "a"), ContentRequest(sections: .whole)] {
          let store = try await whole.answered(request)
            .answered(ContentRequest(offset: offset, limit: 20))
          let objects = try await store.sectionObjects()
          for value in ["x0", "x2", "x6"] {
            let found = try await store.indexPath(
              matching: Record([("b", .string(value))]), cancellation: Cancellation())
            #expect(found == Self.first(value, in: objects), "\(request), \(offset), \(value)")
          }
        }
      }
    }
  }

  /// The first object of a text.
  private static func first(_ value: String, in sections: [[Value]]) -> IndexPath? {
    for (section, objects) in sections.enumerated() {
      for (row, object) in objects.enumerated() {
        if case .record(let record) = object, record["b"] == .string(value) {
          return IndexPath(section: section, row: row)
        }
      }
    }
    return nil
  }
}
