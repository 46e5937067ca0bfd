import DataTables
import TestSupport
import Testing

@testable import DataSources

/// Compares lookups with linear scans.
struct ObjectLookupTests {
  private static func scan(_ store: LocalStore, matching values: Record) throws -> Int? {
    try (0..<store.order.count).first { position in
      let object = try store.table.object(at: store.order[position])
      return zip(values.keys, values.values).allSatisfy { key, value in
        ObjectKeyPath(key: key).evaluate(on: object) == value
      }
    }
  }

  private static func scan(_ store: LocalStore, of object: Value) throws -> Int? {
    try (0..<store.order.count).first {
      try store.table.object(at: store.order[$0]) == object
    }
  }

  private static let keys = ["a", "b", "id", "none"]

  private static func value(_ random: inout SplitMix64, _ key: String) -> Value {
    let literals = ["1", "1.0", "1.50", "1.5", "2", "2012-11-01", "2012-11-01T00:00Z", "1e400"]
    switch random.below(10) {
    case 0: return .null
    case 1: return .string(random.one(of: literals))
    case 2: return .string(random.one(of: ["é", "e\u{301}", "", "x", "\u{1E9B}\u{323}"]))
    case 3: return .bool(random.below(2) == 0)
    case 4: return ["é": 1]
    case 5 where key == "id": return .integer(random.below(1_000_000_000))
    default: return Value(literal: random.one(of: literals))
    }
  }

  private static func object(_ random: inout SplitMix64) -> Value {
    if random.below(12) == 0 { return value(&random, "a") }
    var pairs: [(String, Value)] = []
    for key in keys.prefix(3) where random.below(8) > 0 {
      pairs.append((key, value(&random, key)))
    }
    return .record(Record(random.below(3) == 0 ? pairs.reversed() : pairs))
  }

  /// A table whose columns are stored as numbers, dates or strings.
  private static func file(_ random: inout SplitMix64) throws -> any Table {
    let cells = [
      ["1", "1.0", "1.50", "1.5", "2", "", "0.1", "0.10000000000000000001", "1e-400", "0"],
      ["2012-11-01", "2012-11-01T00:00Z", "2012-11-01T01:00:00+01:00", "", "1999-01-01"],
      ["é", "e\u{301}", "x", "", "\"\"", "\"a,b\"", "Zoë"],
    ]
    let first = random.one(of: cells)
    let second = random.one(of: cells)
    let rows = random.below(60)
    var text = "a,b,id\n"
    for row in 0..<rows {
      text += "\(random.one(of: first)),\(random.one(of: second)),\(row * 7 % max(1, rows - 3))\n"
    }
    return try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "t.csv").table
  }

  private static func table(_ random: inout SplitMix64) throws -> any Table {
    let base =
      random.below(2) == 0
      ? try file(&random) : ValueTable((0..<random.below(40)).map { _ in object(&random) })
    switch random.below(4) {
    case 0:
      var pool = EditPool(base)
      var rows = RowList(count: base.count)
      let start = random.below(base.count + 1)
      let added = try pool.add([object(&random), object(&random)])
      _ = rows.replace(start..<min(base.count, start + 2), with: [added])
      return pool.table(rows)
    case 1:
      let other = ValueTable((0..<random.below(20)).map { _ in object(&random) })
      return ConcatenatedTable(
        [base, other].map { .init(table: $0, order: .natural($0.count)) })
    default: return base
    }
  }

  private static func store(_ random: inout SplitMix64) throws -> LocalStore {
    let table = try table(&random)
    if random.below(3) == 0 { return LocalStore(table: table) }
    let rows = (0..<UInt32(table.count)).filter { _ in random.below(4) > 0 }.shuffled(
      using: &random)
    let middle = random.below(rows.count + 1)
    return LocalStore(
      table: table, order: .rows(rows),
      sections: Sections(offsets: [0, middle, rows.count], titles: ["first", "second"]))
  }

  @Test func valuesAreFoundWhereAScanFindsThem() throws {
    for seed in 1...UInt64(600) {
      var random = SplitMix64(seed: seed)
      let store = try Self.store(&random)
      for _ in 0..<12 {
        let start = random.below(Self.keys.count)
        let keys = Self.keys[start..<min(Self.keys.count, start + 1 + random.below(3))]
        var record = Record(keys.map { ($0, Self.value(&random, $0)) })
        if random.below(2) == 0, store.order.count > 0 {
          let object = try store.table.object(at: store.order[random.below(store.order.count)])
          record = Record(keys.map { ($0, ObjectKeyPath(key: $0).evaluate(on: object)) })
        }
        let expected = try Self.scan(store, matching: record).map(store.indexPath(ofPosition:))
        // The first lookup scans all rows, the second builds an index, the third uses it.
        for _ in 0..<3 {
          let found = try store.indexPath(matching: record)
          #expect(found == expected, "seed \(seed), \(record)")
        }
      }
    }
  }

  @Test func equalObjectsAreFoundWhereAScanFindsThem() throws {
    for seed in 1...UInt64(600) {
      var random = SplitMix64(seed: seed)
      let store = try Self.store(&random)
      for _ in 0..<12 {
        var object = Self.object(&random)
        if random.below(3) > 0, store.order.count > 0 {
          object = try store.table.object(at: store.order[random.below(store.order.count)])
        }
        let expected = try Self.scan(store, of: object).map(store.indexPath(ofPosition:))
        #expect(try store.indexPath(of: object) == expected, "seed \(seed), \(object)")
      }
    }
  }

  @Test func recordsWithEqualFirstKeysAreDistinguished() throws {
    // Enough equal rows that a second key is indexed, and enough distinct rows that the first index
    // has one key.
    let alike = (0..<300).map { Value.record(Record([("id", nil), ("n", .integer($0))])) }
    let others = (0..<600).map { Value.record(Record([("id", .integer($0)), ("n", 0)])) }
    let store = LocalStore(table: ValueTable(alike + others))
    #expect(try store.indexPath(of: alike[299])?.row == 299)
    #expect(try store.indexPath(of: others[5])?.row == 305)
    #expect(try store.indexPath(of: .record(Record([("id", nil), ("n", 300)]))) == nil)
  }

  @Test func lookupsByMoreKeySetsThanAreCachedSucceed() throws {
    let keys = (0..<12).map { "key\($0)" }
    let rows = (0..<9).map { row in
      Value.record(Record(keys.map { ($0, .integer(row)) }))
    }
    let store = LocalStore(table: ValueTable(rows))
    for _ in 0..<3 {
      for key in keys {
        #expect(try store.indexPath(matching: Record([(key, .integer(7))]))?.row == 7)
      }
    }
  }

  @Test func concurrentLookupsFindTheSameObjects() async throws {
    let rows = (0..<20_000).map { row -> Value in
      .record(Record([("id", .string("row \(row)")), ("n", .integer(row % 7))]))
    }
    let text = "id,n\n" + (0..<20_000).map { "row \($0),\($0 % 7)\n" }.joined()
    let file = try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "t.csv").table
    for table: any Table in [ValueTable(rows), file] {
      let store = LocalStore(table: table)
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for task in 0..<4 {
          group.addTask { @concurrent in
            for step in 0..<50 {
              let row = (task * 50 + step) * 97
              let path = IndexPath(section: 0, row: row)
              let values = Record([("id", .string("row \(row)"))])
              guard try store.indexPath(matching: values) == path,
                try store.indexPath(of: rows[row]) == path, try store.object(at: path) == rows[row]
              else { return false }
            }
            return true
          }
        }
        for try await isCorrect in group { #expect(isCorrect) }
      }
    }
  }
}
