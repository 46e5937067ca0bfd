import DataTables
import Synchronization
import TestSupport
import Testing

struct ConcatenatedTableTests {
  private func table(_ key: String, _ values: [Value]) -> ValueTable {
    ValueTable(values.map { .record(Record([(key, $0)])) })
  }

  private func part(_ table: any Table, _ rows: [UInt32]? = nil) -> ConcatenatedTable.Part {
    ConcatenatedTable.Part(table: table, order: rows.map { .rows($0) } ?? .natural(table.count))
  }

  @Test func rowsAreInTheOrdersOfTheParts() throws {
    let table = ConcatenatedTable([
      part(table("a", [1, 2, 3]), [2, 0]), part(table("b", []), nil), part(table("b", [4])),
    ])
    #expect(table.count == 3)
    #expect(table.keys == ["a", "b"])
    let objects = try table.objects(at: [2, 1, 0])
    #expect(
      objects == [
        .record(Record([("b", 4)])), .record(Record([("a", 1)])), .record(Record([("a", 3)])),
      ])
  }

  @Test func aKeyThatNoPartHasIsUnknown() throws {
    let joined = ConcatenatedTable([part(table("a", [1])), part(table("b", [2]))])
    let key = ObjectKeyPath(key: "c")
    #expect(throws: TableError.self) { try joined.column(key, cancellation: Cancellation()) }
    let empty = ConcatenatedTable([part(table("a", []))])
    #expect(try empty.column(key, cancellation: Cancellation()).count == 0)
    #expect(try ConcatenatedTable([]).column(key, cancellation: Cancellation()).count == 0)
  }

  @Test func aKeyOfRowsThatNoPartShowsIsUnknown() throws {
    let joined = ConcatenatedTable([part(table("a", [1]), []), part(table("b", [2]))])
    let key = ObjectKeyPath(key: "a")
    #expect(throws: TableError.unknownKey("a", known: ["b"])) {
      try joined.column(key, cancellation: Cancellation())
    }
    let empty = ConcatenatedTable([part(table("a", [1]), [])])
    #expect(
      try empty.column(ObjectKeyPath(key: "c"), cancellation: Cancellation()).count == 0)
  }

  @Test func partsWithRowsThatAreNotRecordsAreReported() {
    #expect(ConcatenatedTable([part(table("a", [1])), part(ValueTable(["x"]))]).hasOtherRows)
    #expect(!ConcatenatedTable([part(table("a", [1])), part(ValueTable(["x"]), [])]).hasOtherRows)
    #expect(!ConcatenatedTable([part(table("a", [1]))]).hasOtherRows)
  }

  /// Each table contains the previous one three times, so 3 to the 6th paths lead to the first.
  @Test func tablesThatShareAPartDecodeItOnce() throws {
    let leaf = CountingTable([["a": 1]])
    var joined: any Table = leaf
    for _ in 0..<6 {
      let twice = ConcatenatedTable([part(joined), part(joined, [])])
      joined = ConcatenatedTable([part(twice), part(ConcatenatedTable([part(joined)]), [])])
    }
    let known = ObjectKeyPath(key: "a")
    try joined.decode([known], cancellation: Cancellation())
    #expect(leaf.decoded(known) <= 12)
    #expect(try joined.column(known, cancellation: Cancellation()).count == 1)
    let unknown = ObjectKeyPath(key: "b")
    for _ in 0..<2 {
      #expect(throws: TableError.self) {
        try joined.decode([unknown], cancellation: Cancellation())
      }
    }
    #expect(leaf.decoded(unknown) <= 12)
  }

  /// Numbers of a file have columns of a different form than those of objects in memory.
  private func file(_ numbers: [String]) throws -> any Table {
    let text = "a,b\n" + numbers.map { "\($0),x\n" }.joined()
    return try FormatTable.core.read(
      MemoryBytes(Array(text.utf8)), named: "numbers.csv", options: ReadOptions(),
      cancellation: Cancellation()
    ).table
  }

  @Test func textsOfEveryRowAreSharedAndNotCopied() throws {
    let names = (0..<6_000).map { "name \($0 % 5_000)" }
    let key = ObjectKeyPath(key: "a")
    let joined = ConcatenatedTable([part(try file(names)), part(try file(names.reversed()))])
    let column = try joined.column(key, cancellation: Cancellation())
    guard case .coded(let codes, let values) = column else {
      Issue.record("the column has no codes")
      return
    }
    let expected = (names + names.reversed()).map { Value.string($0) }
    #expect((0..<column.count).map { values[codes[$0]] } == expected)
    #expect(try joined.summary(of: key).distinct == 5_000)
    let sorted = try joined.sorted(.natural(joined.count), by: [SortDescriptor(key)])
    let plain = ValueTable(try joined.objects(at: Array(0..<joined.count)))
    let expectedOrder = try plain.sorted(.natural(plain.count), by: [SortDescriptor(key)])
    #expect((0..<sorted.count).map { sorted[$0] } == (0..<sorted.count).map { expectedOrder[$0] })
    #expect(try joined.firstOfEach(in: .natural(joined.count), by: [key]).count == 5_000)
  }

  @Test(arguments: UInt64(0)..<200)
  func sortsAndSectionsEqualThoseOfTheSameObjectsInOneTable(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var parts: [ConcatenatedTable.Part] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let values = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        ["1", "2", "1.0", "1.50", "1.5", "7"].randomElement(using: &random) ?? "1"
      }
      let table: any Table =
        switch Int.random(in: 0..<3, using: &random) {
        case 0: try file(values)
        case 1: table("a", values.map { .string($0) })
        default:
          table(Bool.random(using: &random) ? "a" : "other", values.map { Value(literal: $0) })
        }
      let rows = (0..<UInt32(table.count)).shuffled(using: &random)
      parts.append(part(table, Bool.random(using: &random) ? rows : nil))
    }
    let joined = ConcatenatedTable(parts)
    let plain = ValueTable(try joined.objects(at: Array(0..<joined.count)))
    let key = ObjectKeyPath(key: "a")
    guard (try? plain.column(key, cancellation: Cancellation())) != nil else { return }
    for direction in SortDescriptor.Direction.allCases {
      let sort = [SortDescriptor(key, direction: direction)]
      let left = try joined.sorted(.natural(joined.count), by: sort)
      let right = try plain.sorted(.natural(plain.count), by: sort)
      #expect((0..<left.count).map { left[$0] } == (0..<right.count).map { right[$0] })
      let cut = try joined.runs(of: key, in: left)
      let expected = try plain.runs(of: key, in: right)
      #expect(cut.offsets == expected.offsets, "seed \(seed)")
      #expect(cut.titles.map(\.json) == expected.titles.map(\.json), "seed \(seed)")
    }
  }
}

/// Objects in memory that count the requests for each column.
private final class CountingTable: Table {
  private let table: ValueTable
  private let counts = Mutex<[ObjectKeyPath: Int]>([:])

  init(_ rows: [Value]) { table = ValueTable(rows) }

  func decoded(_ path: ObjectKeyPath) -> Int { counts.withLock { $0[path] ?? 0 } }

  var count: Int { table.count }
  var keys: [String] { table.keys }
  func objects(at rows: [Int]) throws -> [Value] { table.objects(at: rows) }
  func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn {
    counts.withLock { $0[path, default: 0] += 1 }
    return try table.column(path, cancellation: cancellation)
  }
}
