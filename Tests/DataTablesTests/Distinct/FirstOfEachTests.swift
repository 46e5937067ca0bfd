import DataTables
import TestSupport
import Testing

struct FirstOfEachTests {
  @Test(arguments: UInt64(0)..<300)
  func theRowsThatEqualNoEarlierOne(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let values: [Value] = [
      1, Value(literal: "1.0"), "1", "é", "e\u{301}", .null, true, 2, Value(literal: "2.50"),
      Value(literal: "2.5"), [1], [Value(literal: "1.0")],
    ]
    let rows = (0..<Int.random(in: 0...20, using: &random)).map { _ -> Value in
      if Int.random(in: 0..<8, using: &random) == 0 { return values[0] }
      var pairs: [(String, Value)] = [("a", values.randomElement(using: &random) ?? 1)]
      if Bool.random(using: &random) { pairs.append(("b", .integer(Int(random.next() % 3)))) }
      return .record(Record(pairs))
    }
    let table = ValueTable(rows)
    let order = (0..<UInt32(rows.count)).shuffled(using: &random).dropLast(rows.isEmpty ? 0 : 1)
    let keys = [[], ["a"], ["a", "b"], ["b", "a", "b"]].randomElement(using: &random) ?? []
    let paths = keys.map { ObjectKeyPath(key: $0) }
    guard paths.allSatisfy({ (try? table.column($0, cancellation: Cancellation())) != nil })
    else { return }
    var seen: [[Value]] = []
    var expected: [UInt32] = []
    for (position, row) in order.enumerated() {
      let object = rows[Int(row)]
      let kind = paths.isEmpty ? [object] : paths.map { $0.evaluate(on: object) }
      if seen.contains(kind) { continue }
      seen.append(kind)
      expected.append(UInt32(position))
    }
    #expect(try table.firstOfEach(in: .rows(Array(order)), by: paths) == expected, "seed \(seed)")
  }

  @Test func columnsOfFilesAreComparedByValue() throws {
    var text = "n,s\n"
    for index in 0..<30_000 { text += "\(index % 7_001).50,name \(index % 6_007)\n" }
    let table = try FormatTable.core.read(
      MemoryBytes(Array(text.utf8)), named: "many.csv", options: ReadOptions(),
      cancellation: Cancellation()
    ).table
    func count(_ keys: String...) throws -> Int {
      try table.firstOfEach(
        in: .natural(table.count), by: keys.map { ObjectKeyPath(key: $0) }
      ).count
    }
    #expect(try count("n") == 7_001)
    #expect(try count("s") == 6_007)
    #expect(try count("n", "s") == 30_000)
    #expect(try count() == 30_000)
    var pool = EditPool(table)
    var rows = RowList(count: table.count)
    let added = try pool.add([.record(Record([("s", "name 7")]))])
    _ = rows.replace(0..<0, with: [added])
    let edited = pool.table(rows)
    let positions = try edited.firstOfEach(in: edited.order, by: [ObjectKeyPath(key: "s")])
    #expect(positions.count == 6_007)
  }
}
