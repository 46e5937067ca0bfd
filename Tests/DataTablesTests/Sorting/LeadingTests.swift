import DataTables
import TestSupport
import Testing

struct LeadingTests {
  private func expectPrefix(
    _ count: Int, of table: any Table, _ order: RowOrder, _ sort: [SortDescriptor],
    _ comment: Comment
  ) throws {
    let sorted = try table.sorted(order, by: sort)
    let leading = try table.leading(count, of: order, by: sort)
    let expected = (0..<min(count, sorted.count)).map { sorted[$0] }
    #expect((0..<leading.count).map { leading[$0] } == expected, comment)
  }

  private func order(of count: Int, _ random: inout SplitMix64) -> RowOrder {
    if Bool.random(using: &random) { return .natural(count) }
    return .rows(
      (0..<UInt32(count)).shuffled(using: &random).dropLast(
        Int.random(in: 0...min(3, count), using: &random)))
  }

  @Test(arguments: UInt64(0)..<200)
  func theLeadingRowsAreThoseThatASortPutsFirst(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let values: [Value] = [1, Value(literal: "1.0"), 2, "a", "b", "B", "ä", .null, true, "10", "9"]
    let rows = (0..<Int.random(in: 0...200, using: &random)).map { _ in
      Value.record(
        Record([
          ("a", values.randomElement(using: &random) ?? 1),
          ("b", .integer(Int.random(in: 0...30, using: &random))),
        ]))
    }
    let table = ValueTable(rows)
    let sort = ["a", "b"].shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random))
      .map {
        SortDescriptor(
          ObjectKeyPath(key: $0),
          direction: Bool.random(using: &random) ? .ascending : .descending,
          comparison: [.compare, .localizedStandard].randomElement(using: &random) ?? .compare,
          nulls: [nil, .first, .last].randomElement(using: &random) ?? nil)
      }
    try expectPrefix(
      Int.random(in: 0...40, using: &random), of: table, order(of: table.count, &random), sort,
      "seed \(seed), \(sort)")
  }

  /// Columns of a file have other forms than those of objects in memory.
  @Test(arguments: UInt64(0)..<4)
  func manyStringsAndNumbersOfAFile(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var text = "s,n,k\n"
    let lead = seed % 3 == 0 ? "prefix-" : ""
    for _ in 0..<20_000 {
      let number = random.next() >> (seed % 2 == 0 ? 4 : 44)
      let isNull = random.next() % 50 == 0
      text += (isNull ? "" : lead + String(number, radix: 36)) + ","
      text += (isNull ? "" : "\(Int64(bitPattern: number) - 1_000)") + ",\(number % 5)\n"
    }
    let table = try FormatTable.core.read(
      MemoryBytes(Array(text.utf8)), named: "many.csv", options: ReadOptions(),
      cancellation: Cancellation()
    ).table
    let order = order(of: table.count, &random)
    for keys in [["s"], ["n"], ["k", "s"], ["s", "n"], ["n", "k"], ["k", "n"]] {
      for direction in SortDescriptor.Direction.allCases {
        let sort = keys.map {
          SortDescriptor(
            ObjectKeyPath(key: $0), direction: direction,
            nulls: Bool.random(using: &random) ? .last : nil)
        }
        for count in [1, 2_000] {
          try expectPrefix(count, of: table, order, sort, "seed \(seed), \(sort), \(count)")
        }
      }
    }
  }

  @Test func anUnknownKeyIsAnErrorEvenForALaterDescriptor() throws {
    let table = ValueTable((0..<100).map { .record(Record([("a", .integer($0))])) })
    #expect(throws: TableError.unknownKey("b", known: ["a"])) {
      try table.leading(
        2, of: .natural(100),
        by: [SortDescriptor(ObjectKeyPath(key: "a")), SortDescriptor(ObjectKeyPath(key: "b"))])
    }
  }
}
