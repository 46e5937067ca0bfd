import DataSources
import DataTables
import Databases
import SQLiteDatabase
import TestSupport
import Testing

/// The changes of a watched table, which are found by the hashes of its rows, compared with those
/// between two copies of its objects.
@Suite struct ChangesTests {
  private static let rows = 3_000

  private func fill(_ file: TestFile) throws {
    try file.execute(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, city TEXT, age INT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rows))
      INSERT INTO t SELECT i * 2, 'n' || (i * 7919 % 5000), 'c' || (i % 17), i * 31 % 90 FROM n;
      CREATE INDEX i ON t (city, name)
      """)
  }

  /// Statements of another program: some change few rows, some many.
  private func statement(_ random: inout SplitMix64) -> String {
    let rest = random.below(997)
    let few = "id % 997 = \(rest)"
    return switch random.below(7) {
    case 0: "DELETE FROM t WHERE \(few)"
    case 1: "UPDATE t SET city = 'c' || (age % 19) WHERE \(few)"
    case 2: "UPDATE t SET age = age + 1 WHERE \(few)"
    case 3: "INSERT OR REPLACE INTO t SELECT id + 1, name, city, age FROM t WHERE \(few)"
    case 4: "UPDATE t SET name = name || 'x' WHERE id % 16 = \(random.below(16))"
    case 5: "DELETE FROM t WHERE city = 'c\(random.below(19))'"
    default: "UPDATE t SET city = NULL WHERE \(few)"
    }
  }

  private func requests() throws -> [ContentRequest] {
    let (city, name) = (ObjectKeyPath(key: "city"), ObjectKeyPath(key: "name"))
    return [
      ContentRequest(),
      ContentRequest(
        sort: [SortDescriptor(city), SortDescriptor(name)],
        sections: .split(by: city, .strict, SectionSettings())),
      ContentRequest(
        sort: [SortDescriptor(name, direction: .descending)],
        sections: .split(by: name, .runs, SectionSettings())),
      ContentRequest(
        where: .comparison(
          try Predicate.Comparison(
            .key(ObjectKeyPath(key: "age")), ComparisonOperator(.less), .value(60))),
        sort: [SortDescriptor(name)],
        sections: .split(by: city, .groups, SectionSettings())),
      ContentRequest(
        sort: [SortDescriptor(name, comparison: .numeric)], sections: .whole),
    ]
  }

  @Test func theChangesAreThoseBetweenCopies() async throws {
    try await compareAll(seeds: 1...15)
  }

  /// As if all sections were too many to keep their titles in memory.
  @Test func theChangesOfPagedSectionsAreThoseBetweenCopies() async throws {
    try await StoreLimits.$maxTitles.withValue(0) { try await compareAll(seeds: 31...36) }
  }

  private func compareAll(seeds: ClosedRange<UInt64>) async throws {
    try await TestFile.run { file in
      try fill(file)
      let database = Database(try await file.connect(), driver: .sqlite)
      let writer = try OtherProgram(file)
      for seed in seeds {
        for request in try requests() { try await compare(request, seed, database, writer) }
      }
      await database.connection.close()
    }
  }

  private func compare(
    _ request: ContentRequest, _ seed: UInt64, _ database: Database, _ writer: OtherProgram
  ) async throws {
    var random = SplitMix64(seed: seed)
    var context = RequestContext()
    context.minTracked = 0
    let old = try await content(request, of: database)
    #expect(try await old.prepareForChanges(context))
    let oldCopy = Snapshot(try await LocalStore(copying: old, context))
    for _ in 0..<random.below(3) + 1 { try writer.execute(statement(&random)) }
    let new = try await content(request, of: database)
    let id = ObjectKeyPath(key: "id")
    let found = try await old.changes(to: new, id: id, movesSections: false, context)
    let newCopy = Snapshot(try await LocalStore(copying: new, context))
    let expected = try await oldCopy.changes(to: newCopy, id: id)
    #expect(found == expected, "seed \(seed), \(request)")
  }

  private func content(
    _ request: ContentRequest, of database: Database
  ) async throws -> any SnapshotStore {
    let store = try await TableSource.open(TableName("t"), of: database).content.store
    return request.isEmpty ? store : try await store.answer(request, RequestContext()).store
  }
}
