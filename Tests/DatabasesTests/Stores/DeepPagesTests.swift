import DataSources
import DataTables
import TestSupport
import Testing

@testable import Databases

/// Pages that are read from anchors or from the end, compared with all rows read at once.
@Suite(.serialized) struct DeepPagesTests {
  private static let columns = [
    DatabaseColumn(name: "id", declaredType: "", kind: .integer),
    DatabaseColumn(name: "a", declaredType: "", kind: .integer),
    DatabaseColumn(name: "b", declaredType: "", kind: .text),
    DatabaseColumn(name: "c", declaredType: "", kind: .real),
  ]

  /// Few values, so that many rows are tied; some rows differ in their id only.
  private static func rows(_ random: inout SplitMix64) -> [[Value]] {
    (1...400).map { id in
      [
        .integer(id), random.below(5) == 0 ? nil : .integer(random.below(6)),
        random.below(5) == 0 ? nil : .string(["", "x", "X", "é", "y"][random.below(5)]),
        .real(Real(Double(random.below(3)) + 0.5)),
      ]
    }
  }

  @Test(arguments: Engine.running) func pagesOfAnUnindexedTable(engine: Engine) async throws {
    try await check(engine, expecting: "dsshell_number")
  }

  @Test(arguments: Engine.running) func pagesOfAnIndexedTable(engine: Engine) async throws {
    // ClickHouse shows no plans.
    guard engine != .clickhouse else { return }
    try await check(
      engine, parameters: "?options=-cenable_sort%3Doff",
      then: [
        engine == .postgres
          ? "CREATE INDEX NAME_index ON NAME (a NULLS FIRST, b NULLS FIRST)"
          : "CREATE INDEX NAME_index ON NAME (a, b)"
      ], expecting: " LIMIT 1 OFFSET ")
  }

  /// A view whose rows cannot be identified, with equal rows.
  @Test(arguments: Engine.running) func pagesOfEqualRows(engine: Engine) async throws {
    try await check(
      engine, then: ["CREATE VIEW NAME_view AS SELECT a, b, c FROM NAME"], suffix: "_view",
      expecting: "dsshell_number")
  }

  /// - Parameter anchors: a part of a statement that finds anchors.
  private func check(
    _ engine: Engine, parameters: String = "", then statements: [String] = [], suffix: String = "",
    expecting anchors: String
  ) async throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix64(seed: seed)
    try await engine.withTable(
      Self.columns, Self.rows(&random), parameters: parameters, then: statements
    ) { database, name in
      let table = try await DatabaseTable.current(
        TableName(name + suffix), of: database, cancellation: Cancellation())
      let whole = try await TableStore.whole(table, title: "t", cancellation: Cancellation())
      let sorted = ContentRequest(
        sort: ["a", "b"].map { SortDescriptor(ObjectKeyPath(key: $0)) }, sections: .whole)
      let deep = try await StoreLimits.$anchorDistance.withValue(20) {
        try await Self.answer(whole, sorted)
      }
      _ = try await deep.objects(in: 0, rows: 200..<210)
      let statements = deep.computation?.statements ?? []
      #expect(statements.contains { $0.contains(anchors) }, "\(statements)")
      for _ in 0..<8 {
        let request = Self.request(&random)
        let expected = try await Self.answer(whole, request).sectionObjects()
        let store = try await StoreLimits.$anchorDistance.withValue(3 + random.below(40)) {
          try await Self.answer(whole, request, batch: 1 + random.below(12))
        }
        #expect(expected.map(\.count).reduce(0, +) == store.numberOfObjects)
        for _ in 0..<30 {
          let section = random.below(store.numberOfSections)
          let count = store.numberOfObjects(in: section)
          guard count > 0 else { continue }
          let first = random.below(count)
          let rows = first..<min(count, first + 1 + random.below(30))
          let found = try await store.objects(in: section, rows: rows)
          #expect(
            found == Array(expected[section][rows]),
            "seed \(seed), \(request), section \(section), rows \(rows)")
        }
      }
    }
  }

  private static func answer(
    _ store: TableStore, _ request: ContentRequest, batch: Int? = nil
  ) async throws -> TableStore {
    var context = RequestContext(cancellation: Cancellation())
    context.batchSize = batch
    let answer = try await store.answer(request, context)
    #expect(answer.rest == nil, "\(answer.reasons)")
    return try #require(answer.store as? TableStore)
  }

  private static func request(_ random: inout SplitMix64) -> ContentRequest {
    var keys = ["a", "b"]
    if random.below(2) == 0 { keys.reverse() }
    let sort = keys.prefix(random.below(3)).map { key in
      SortDescriptor(
        ObjectKeyPath(key: key), direction: random.below(2) == 0 ? .ascending : .descending)
    }
    var request = ContentRequest(sort: sort, sections: .whole)
    if random.below(3) == 0 {
      request.offset = random.below(50)
      request.limit = 200 + random.below(300)
    }
    if let first = sort.first, random.below(3) > 0 {
      request.sections = .split(by: first.keyPath, .runs, SectionSettings())
    }
    return request
  }
}

extension TableStore {
  /// The objects of each section, which are read at once.
  func sectionObjects() async throws -> [[Value]] {
    var objects: [[Value]] = []
    for section in 0..<numberOfSections {
      objects.append(
        try await self.objects(in: section, rows: 0..<numberOfObjects(in: section)))
    }
    return objects
  }
}
