import DataSources
import DataTables

@testable import Databases

/// Rows `(id, a, b)` of a table of a test, and what is asked of them.
enum TestRows {
  static let columns = [
    DatabaseColumn(name: "id", declaredType: "", kind: .integer),
    DatabaseColumn(name: "a", declaredType: "", kind: .integer),
    DatabaseColumn(name: "b", declaredType: "", kind: .text),
  ]

  /// Runs a test with the rows of a table of SQLite as one section.
  static func withStore(
    _ rows: [[Value]], then statements: [String] = [], suffix: String = "",
    _ test: (TableStore) async throws -> Void
  ) async throws {
    try await Engine.sqlite.withTable(columns, rows, then: statements) { database, name in
      let table = try await DatabaseTable.current(
        TableName(name + suffix), of: database, cancellation: Cancellation())
      try await test(
        TableStore.whole(table, title: "t", cancellation: Cancellation()))
    }
  }

  /// Runs work for which all sections are too many to keep their titles in memory.
  static func withPagedTitles<Result>(
    of size: Int, _ work: () async throws -> Result
  ) async throws -> Result {
    try await StoreLimits.$maxTitles.withValue(0) {
      try await StoreLimits.$titlesOfPage.withValue(size) { try await work() }
    }
  }

  /// The rows by the value of a key, sorted by this key and others.
  static func sections(
    by keys: String..., mode: SectionMode = .runs, order: GroupOrder? = nil,
    direction: SortDescriptor.Direction = .ascending
  ) -> ContentRequest {
    var settings = SectionSettings()
    settings.order = order
    return ContentRequest(
      sort: keys.map { SortDescriptor(ObjectKeyPath(key: $0), direction: direction) },
      sections: .split(by: ObjectKeyPath(key: keys.first ?? ""), mode, settings))
  }

  /// The rows in whose column a number is less than another.
  static func filter(
    _ key: String, below number: Int, showsEmpty: Bool = false
  ) throws -> ContentRequest {
    ContentRequest(
      where: .comparison(
        try Predicate.Comparison(
          .key(ObjectKeyPath(key: key)), ComparisonOperator(.less), .value(.integer(number)))),
      sections: .kept(showsEmpty: showsEmpty))
  }
}

extension TableStore {
  /// The store with all of a request.
  func answered(_ request: ContentRequest, batch: Int? = nil) async throws -> TableStore {
    var context = RequestContext()
    context.batchSize = batch
    let answer = try await self.answer(request, context)
    guard answer.rest == nil, let store = answer.store as? TableStore else {
      throw DatabaseError(.engine, "not answered: \(answer.reasons)")
    }
    return store
  }

  var counts: [Int] { (0..<numberOfSections).map(numberOfObjects(in:)) }

  func allTitles() async throws -> [Value] { try await titles(of: 0..<numberOfSections) }
}
