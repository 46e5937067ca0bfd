import TestSupport
import Testing

@testable import DataTables

struct KeyColumnTests {
  private let never = Cancellation()

  @Test func derivingEvaluatesDistinctValuesAndKeepsRows() throws {
    let column = KeyColumn.coded(.wide([2, 0, 1, 0]), values: ["Pie", nil, "Papaya"])
    let derived = try column.deriving(
      ObjectKeyPath(parsing: "name.firstCharacter").steps[1...], cancellation: never)
    guard case .coded(.narrow(let codes), let values) = derived else {
      Issue.record("the codes do not have 16 bits")
      return
    }
    #expect(codes.map { values[Int($0)] } == ["P", "P", nil, "P"])
    #expect(values.count == 2)
  }

  @Test func derivingAnUnknownKeyFailsExceptForNulls() throws {
    let steps = try ObjectKeyPath(parsing: "name.nope").steps[1...]
    #expect(throws: TableError.self) {
      try KeyColumn.coded(.narrow([0]), values: ["x"]).deriving(steps, cancellation: never)
    }
    let nulls = try KeyColumn.coded(.narrow([0]), values: [nil])
      .deriving(steps, cancellation: never)
    #expect(nulls.count == 1)
  }

  @Test func derivingFromDatesReadsTheirTicks() throws {
    let dates = ["1969-12-31T23:59:59.5Z", "2012-11-05", "0001-01-01"].map(Value.init(literal:))
    let keys = dates.compactMap { value -> UInt64? in
      guard case .date(let date) = value else { return nil }
      return Moment(
        seconds: date.seconds, nanoseconds: date.nanoseconds, offset: date.offset,
        hasTime: date.hasTime
      ).ticks.flatMap(NumericColumn.key)
    }
    let column = NumericColumn(kind: .date, keys: keys + [NumericColumn.null])
    #expect(keys.map(column.value(of:)) == dates)
    let derived = try KeyColumn.keyed(column).deriving([.key("year")], cancellation: never)
    guard case .coded(let codes, let values) = derived else { return }
    #expect((0..<4).map { values[codes[$0]] } == [1969, 2012, 1, nil])
  }

  @Test func keysAscendWithTheirNumbers() {
    let integers = [Int.min, -5, -1, 0, 1, 7, Int.max - 1]
    let keys = integers.compactMap(NumericColumn.key)
    #expect(keys == keys.sorted() && Set(keys).count == 7)
    #expect(keys.map(NumericColumn.integer) == integers)
    #expect(NumericColumn.key(Int.max) == nil)
    let doubles = [-1e300, -2.5, -1e-300, 0, 1e-300, 0.1, 3, 1e300]
    let others = doubles.map { NumericColumn.key($0) }
    #expect(others == others.sorted() && others.map(NumericColumn.double) == doubles)
    #expect(NumericColumn.key(-0.0) == NumericColumn.key(0.0))
  }

  @Test func aSummaryCountsByEquality() throws {
    let texts = ["1.50", "1.5", "2", "null", "2.0", "-3"]
    let table = ValueTable(texts.map { .record(Record([("x", Value(literal: $0))])) })
    let summary = try table.summary(of: ObjectKeyPath(key: "x"))
    #expect(summary.nulls == 1)
    #expect(summary.distinct == 3)
    #expect(summary.least == -3)
    #expect(summary.greatest == 2)
  }

  @Test func aSummaryOfNumericKeysReadsTheLeastAndTheGreatest() throws {
    let numbers = ["2.50", "1.0", "9.10", "null", "1.0"].map(Value.init(literal:))
    let table = KeyedTable(numbers, kind: .real)
    let summary = try table.summary(of: ObjectKeyPath(key: "x"))
    #expect(summary.nulls == 1 && summary.distinct == 3)
    guard case .real(let least)? = summary.least, case .real(let greatest)? = summary.greatest
    else {
      Issue.record("the least or the greatest value is not a real")
      return
    }
    #expect(least.text == "1.0" && greatest.text == "9.10")
  }

  @Test func matchingReturnsTheFirstPosition() throws {
    let table = ValueTable(
      [("Pie", 3), ("Ann", 4), ("Pie", 5)].map { name, age in
        .record(Record([("name", .string(name)), ("age", .integer(age))]))
      })
    func position(_ pairs: [(String, Value)], in order: RowOrder = .natural(3)) throws -> Int? {
      try table.firstPosition(in: order, matching: Record(pairs))
    }
    #expect(try position([("name", "Pie")]) == 0)
    #expect(try position([("name", "Pie")], in: .rows([1, 2, 0])) == 1)
    #expect(try position([("name", "Pie"), ("age", 5)]) == 2)
    #expect(try position([("name", "Bob")]) == nil)
    #expect(try position([("nope", "Bob")]) == nil)
    #expect(try position([("nope", nil)]) == 0)
  }

  /// Positions that are looked at one by one, and those that are found in the order of memory.
  @Test(arguments: 0..<12) func theFirstPositionIsThatOfALoop(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let values: [Value] = (0..<9_000).map { row in
      seed % 2 == 0
        ? .integer(random.below(6_000))
        : random.below(3) == 0 ? nil : .real(Real(Double(row % 4_500)))
    }
    let table = KeyedTable(values, kind: seed % 2 == 0 ? .integer : .real)
    let rows = (0..<9_000).map(UInt32.init).shuffled(using: &random)
    let orders: [RowOrder] = [.natural(9_000), .rows(rows), .rows(Array(rows.prefix(6_000)))]
    for order in orders {
      for start in [0, 100, 5_000] {
        for value in [values[random.below(9_000)], 70_000, nil] {
          let expected = (start..<order.count).first { values[order[$0]] == value }
          let found = try table.firstPosition(
            in: order, from: start, matching: Record([("x", value)]))
          #expect(found == expected, "\(value) from \(start)")
        }
      }
    }
  }

  @Test func numericKeysMatchByDecimalValue() throws {
    let texts = ["0.1", "0.10000000000000000001", "7", "null"]
    let table = KeyedTable(texts.map(Value.init(literal:)), kind: .real)
    for (row, text) in texts.enumerated() {
      let position = try table.firstPosition(
        in: .natural(4), matching: Record([("x", Value(literal: text))]))
      #expect(position == row)
    }
  }
}

/// Records with one key, `x`, whose column has 64-bit keys.
final class KeyedTable: Table {
  private let values: [Value]
  private let kept: NumericColumn

  init(_ values: [Value], kind: NumericColumn.Kind) {
    self.values = values
    let keys = values.map { value -> UInt64 in
      switch value {
      case .integer(let integer) where kind == .integer:
        NumericColumn.key(integer) ?? NumericColumn.null
      case .integer(let integer): NumericColumn.key(Double(integer))
      case .real(let real): NumericColumn.key(real.value)
      default: NumericColumn(kind: kind, keys: []).key(of: value) ?? NumericColumn.null
      }
    }
    kept = NumericColumn(kind: kind, keys: keys)
  }

  var count: Int { values.count }
  var keys: [String] { ["x"] }
  func objects(at rows: [Int]) -> [Value] { rows.map { .record(Record([("x", values[$0])])) } }
  func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn {
    try KeyColumn.keyed(kept).deriving(path.steps.dropFirst(), cancellation: cancellation)
  }
}
