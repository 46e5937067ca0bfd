import DataSources
import DataTables
import TestSupport
import Testing

@testable import Databases

/// Sections whose titles are read in pages, compared with the same sections in memory.
@Suite(.serialized) struct PagedTitlesTests {
  private static let columns = [
    DatabaseColumn(name: "id", declaredType: "", kind: .integer),
    DatabaseColumn(name: "a", declaredType: "", kind: .integer),
    DatabaseColumn(name: "b", declaredType: "", kind: .text),
    DatabaseColumn(name: "day", declaredType: "", kind: .date),
  ]

  private static func rows(_ random: inout SplitMix64) -> [[Value]] {
    (1...200).map { id in
      [
        .integer(id), random.below(9) == 0 ? nil : .integer(random.below(60) - 30),
        random.below(9) == 0
          ? nil : .string(["x", "X", "é", "", "🙂", "a'b"][random.below(6)] + "\(random.below(9))"),
        random.below(9) == 0 ? nil : Value(literal: "2026-0\(1 + random.below(9))-11"),
      ]
    }
  }

  @Test(arguments: Engine.running) func contentIsTheSame(engine: Engine) async throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix64(seed: seed)
    try await engine.withTable(Self.columns, Self.rows(&random)) { database, name in
      let table = try await DatabaseTable.current(
        TableName(name), of: database, cancellation: Cancellation())
      let whole = try await TableStore.whole(table, title: "t", cancellation: Cancellation())
      for _ in 0..<12 {
        let request = Self.request(&random)
        let size = 1 + random.below(7)
        let expected = try await Self.answer(whole, request)
        let found = try await Self.withPages(of: size) { try await Self.answer(whole, request) }
        guard case .paged = found.layout, case .grouped = expected.layout else {
          Issue.record("\(request): \(found.layout), \(expected.layout)")
          continue
        }
        let comment = "seed \(seed), \(request), pages of \(size)"
        try await Self.expectSame(found, expected, comment)
        try await Self.expectSamePaths(found, expected, comment)
        if request.isLimited { continue }
        let kept = try Self.selection(&random)
        let filtered = try await Self.withPages(of: size) { try await found.answer(kept, .init()) }
        let other = try await expected.answer(kept, .init())
        #expect(filtered.keptSections == other.keptSections, "\(comment), \(kept)")
        guard let first = filtered.store as? TableStore, let second = other.store as? TableStore
        else { throw PagedTitlesFailure() }
        try await Self.expectSame(first, second, "\(comment), \(kept)")
      }
    }
  }

  /// A title that is gone is a change of the table, and not another section.
  @Test func aChangedTableIsReported() async throws {
    let rows: [[Value]] = (0..<20).map { [.integer($0), .integer($0), "x", nil] }
    try await Engine.sqlite.withTable(Self.columns, rows) { database, name in
      let table = try await DatabaseTable.current(
        TableName(name), of: database, cancellation: Cancellation())
      let store = try await Self.withPages(of: 3) {
        let whole = try await TableStore.whole(table, title: "t", cancellation: Cancellation())
        return try await Self.answer(whole, Self.request(by: "a", .ascending, .runs))
      }
      #expect(try await store.titles(of: 0..<2) == [0, 1])
      try await database.connection.execute(
        "DELETE FROM \(SQL(name)) WHERE a = 9", cancellation: Cancellation())
      let error = await #expect(throws: SourceError.self) { try await store.titles(of: 9..<10) }
      #expect("\(String(describing: error))".contains("changed"))
    }
  }

  @Test func titlesThatCannotBePagedAreNoted() async throws {
    let rows: [[Value]] = (0..<20).map { [.integer($0), .integer($0), "x", nil] }
    try await Engine.sqlite.withTable(Self.columns, rows) { database, name in
      let table = try await DatabaseTable.current(
        TableName(name), of: database, cancellation: Cancellation())
      var request = Self.request(by: "b", .ascending, .runs)
      request.sections = .split(
        by: ObjectKeyPath([.key("b"), .key("firstCharacter")]), .runs, SectionSettings())
      let store = try await Self.withPages(of: 3) {
        let whole = try await TableStore.whole(table, title: "t", cancellation: Cancellation())
        return try await Self.answer(whole, request)
      }
      #expect(try await store.titles(of: 0..<1) == ["x"])
      let notes = store.computation?.assumptions ?? []
      #expect(notes.contains { $0.hasPrefix("the titles of 1 sections are in memory") }, "\(notes)")
    }
  }

  private static func withPages<Result>(
    of size: Int, _ work: () async throws -> Result
  ) async throws -> Result {
    try await StoreLimits.$maxTitles.withValue(0) {
      try await StoreLimits.$titlesOfPage.withValue(size) { try await work() }
    }
  }

  private static func answer(_ store: TableStore, _ request: ContentRequest) async throws
    -> TableStore
  {
    let answer = try await store.answer(request, RequestContext())
    #expect(answer.rest == nil, "\(answer.reasons)")
    return try #require(answer.store as? TableStore)
  }

  private static func expectSame(
    _ found: TableStore, _ expected: TableStore, _ comment: String
  ) async throws {
    try #require(found.numberOfSections == expected.numberOfSections, "\(comment)")
    #expect(found.numberOfObjects == expected.numberOfObjects, "\(comment)")
    let sections = 0..<found.numberOfSections
    let titles = try await expected.titles(of: sections)
    #expect(try await found.titles(of: sections) == titles, "\(comment)")
    for section in sections {
      let count = expected.numberOfObjects(in: section)
      #expect(found.numberOfObjects(in: section) == count, "\(comment)")
      #expect(
        try await found.objects(in: section, rows: 0..<count)
          == expected.objects(in: section, rows: 0..<count), "\(comment), section \(section)")
      #expect(
        try await found.titles(of: section..<section + 1) == [titles[section]], "\(comment)")
    }
    #expect(
      try await objects(Snapshot(found).batches(of: 7))
        == objects(Snapshot(expected).batches(of: 7)), "\(comment)")
  }

  private static func objects(_ batches: ObjectBatches) async throws -> [Value] {
    var objects: [Value] = []
    for try await batch in batches { objects += batch.objects }
    return objects
  }

  private static func expectSamePaths(
    _ found: TableStore, _ expected: TableStore, _ comment: String
  ) async throws {
    for id in stride(from: 1, through: 200, by: 13) {
      let values = Record([("id", .integer(id))])
      #expect(
        try await found.indexPath(matching: values, cancellation: Cancellation())
          == expected.indexPath(matching: values, cancellation: Cancellation()),
        "\(comment), id \(id)")
    }
  }

  private static func request(
    by key: String, _ direction: SortDescriptor.Direction, _ mode: SectionMode
  ) -> ContentRequest {
    let path = ObjectKeyPath(key: key)
    return ContentRequest(
      sort: [SortDescriptor(path, direction: direction)],
      sections: .split(by: path, mode, SectionSettings()))
  }

  private static func request(_ random: inout SplitMix64) -> ContentRequest {
    var request = request(
      by: ["a", "b", "day"][random.below(3)], random.below(2) == 0 ? .ascending : .descending,
      random.below(3) == 0 ? .groups : .runs)
    if random.below(3) == 0 {
      request.offset = random.below(60)
      request.limit = 20 + random.below(150)
    }
    return request
  }

  private static func selection(_ random: inout SplitMix64) throws -> ContentRequest {
    let predicate = Predicate.comparison(
      try Predicate.Comparison(
        .key(ObjectKeyPath(key: "id")), ComparisonOperator(.less),
        .value(.integer(random.below(200)))))
    return ContentRequest(
      where: predicate, sections: .kept(showsEmpty: random.below(2) == 0))
  }
}

private struct PagedTitlesFailure: Error {}
