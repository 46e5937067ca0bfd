import TestSupport
import Testing

@testable import DataTables

/// Columns of mostly distinct strings, which are stored as texts and not with a dictionary.
struct DistinctColumnTests {
  private static let path = ObjectKeyPath(key: "name")

  /// Names written in several notations; some of them are equal.
  private func names(_ count: Int, seed: UInt64) -> [(written: String, value: Value)] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { row in
      let number = random.next() % 1_000_000
      switch random.below(12) {
      case 0: return ("", nil)
      case 1: return ("\"\"", "")
      case 2: return ("NA", nil)
      case 3: return ("\"q\"\"\(number)\"\"\"", .string("q\"\(number)\""))
      case 4: return ("\"a,\(number)\"", .string("a,\(number)"))
      case 5: return ("É\(number)", .string("É\(number)"))
      case 6: return ("E\u{301}\(number % 100)", .string("É\(number % 100)"))
      default: return ("row \(row / 2) of many", .string("row \(row / 2) of many"))
      }
    }
  }

  private func table(
    _ names: [(written: String, value: Value)], first: String = "",
    _ change: (inout ReadOptions) -> Void = { _ in }
  ) throws -> any Table {
    var options = ReadOptions()
    options.nulls = ["NA"]
    change(&options)
    let text = "n,name\n" + first + names.map { "1,\($0.written)\n" }.joined()
    return try FormatTable.core.read(
      MemoryBytes(Array(text.utf8)), named: "t.csv", options: options
    ).table
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func everyRowHasItsString(seed: UInt64) throws {
    let names = names(12_000, seed: seed)
    let table = try table(names)
    let column = try table.column(Self.path, cancellation: Cancellation())
    guard case .coded(let codes, let values) = column, case .texts = values.storage else {
      Issue.record("the column is not stored as texts")
      return
    }
    let found = (0..<codes.count).map { values[codes[$0]] }
    #expect(found == names.map(\.value), "seed \(seed)")
    let objects = try table.objects(at: [0, 11_999, 4_500])
    #expect(
      objects.map { Self.path.evaluate(on: $0) } == [0, 11_999, 4_500].map { names[$0].value })
  }

  @Test(arguments: SortDescriptor.Comparison.allCases, [false, true])
  func sortingEqualsThatOfATableInMemory(
    _ comparison: SortDescriptor.Comparison, isDescending: Bool
  ) throws {
    let names = names(7_000, seed: 5)
    let table = try table(names)
    let other = ValueTable(names.map { ["name": $0.value] })
    let direction = isDescending ? SortDescriptor.Direction.descending : .ascending
    for nulls in [nil, SortDescriptor.Nulls.first, .last] {
      let descriptor = SortDescriptor(
        Self.path, direction: direction, comparison: comparison, nulls: nulls)
      let length = SortDescriptor(try ObjectKeyPath(parsing: "name.length"))
      for descriptors in [[descriptor], [descriptor, length], [length, descriptor]] {
        let order = try table.sorted(.natural(table.count), by: descriptors)
        let expected = try other.sorted(.natural(other.count), by: descriptors)
        #expect(
          (0..<order.count).map { order[$0] } == (0..<expected.count).map { expected[$0] },
          "\(descriptors)")
      }
    }
  }

  @Test func sectionsEqualThoseOfATableInMemory() throws {
    let names = names(7_000, seed: 6)
    let table = try table(names)
    let other = ValueTable(names.map { ["name": $0.value] })
    for path in ["name", "name.firstCharacter", "name.length"] {
      let path = try ObjectKeyPath(parsing: path)
      for sort in [[], [SortDescriptor(Self.path)]] {
        let cut = try table.runs(of: path, in: table.sorted(.natural(7_000), by: sort))
        let expected = try other.runs(of: path, in: other.sorted(.natural(7_000), by: sort))
        #expect(cut.offsets == expected.offsets, "\(path) \(sort)")
        #expect(cut.titles == expected.titles, "\(path) \(sort)")
        #expect(cut.repeated == expected.repeated, "\(path) \(sort)")
      }
    }
  }

  @Test func summariesAndMatchesEqualThoseOfATableInMemory() throws {
    let names = names(7_000, seed: 8)
    let table = try table(names)
    let other = ValueTable(names.map { ["name": $0.value] })
    let summary = try table.summary(of: Self.path)
    let expected = try other.summary(of: Self.path)
    #expect(summary.distinct == expected.distinct)
    #expect(summary.nulls == expected.nulls)
    #expect(summary.least == expected.least)
    #expect(summary.greatest == expected.greatest)
    for value: Value in [nil, "", "É7", "E\u{301}7", "row 5 of many", "no", 7] {
      let record = Record([("name", value)])
      #expect(
        try table.firstPosition(in: .natural(7_000), from: 20, matching: record)
          == other.firstPosition(in: .natural(7_000), from: 20, matching: record), "\(value)")
    }
  }

  /// Most of the first rows differ, and most of the others repeat them.
  private func repeatedNames() -> [(written: String, value: Value)] {
    let few = names(14_000, seed: 9)
    var random = SplitMix64(seed: 10)
    return (0..<100_000).map { _ in random.one(of: few) }
  }

  @Test func aColumnThatRepeatsItsStringsIsCoded() throws {
    let names = repeatedNames()
    let column = try table(names).column(Self.path, cancellation: Cancellation())
    guard case .coded(.narrow(let codes), let values) = column, values.areStrings else {
      Issue.record("the column has a text for each row")
      return
    }
    #expect((5_000..<14_000).contains(values.count))
    #expect(names.indices.allSatisfy { values[Int(codes[$0])] == names[$0].value })
  }

  @Test(arguments: [false, true])
  func whatIsAskedOfTextsEqualsThatOfATableInMemory(areRepeated: Bool) throws {
    let names = areRepeated ? repeatedNames() : names(9_000, seed: 11)
    let table = try table(names)
    let other = ValueTable(names.map { ["name": $0.value] })
    let rows = RowOrder.rows((0..<UInt32(names.count)).filter { $0 % 3 == 1 }.reversed())
    let summary = try table.summary(of: Self.path, in: rows)
    let expected = try other.summary(of: Self.path, in: rows)
    #expect(summary.distinct == expected.distinct && summary.nulls == expected.nulls)
    #expect(summary.least == expected.least && summary.greatest == expected.greatest)
    for kind in [ComparisonOperator.Kind.equal, .notEqual, .less] {
      let predicate = Predicate.comparison(
        try Predicate.Comparison(.key(Self.path), ComparisonOperator(kind), .value(.null)))
      let whole = Sections.whole(names.count)
      let found = try table.filtered(.natural(names.count), in: whole, by: predicate)
      let expected = try other.filtered(.natural(names.count), in: whole, by: predicate)
      #expect(
        (0..<found.order.count).map { found.order[$0] }
          == (0..<expected.order.count).map { expected.order[$0] }, "\(predicate)")
    }
    for mode in [SectionMode.groups, .runs] {
      let found = try mode.split(
        KeyedRows(table, key: Self.path, order: rows), SectionSettings()
      ).sections
      let expected = try mode.split(
        KeyedRows(other, key: Self.path, order: rows), SectionSettings()
      ).sections
      #expect(found.offsets == expected.offsets && found.titles == expected.titles, "\(mode)")
    }
  }

  // With these numbers of equal rows, the codes outgrow 16 bits in the same batch in which the use
  // of the dictionary is reconsidered.
  @Test(arguments: [45_439, 45_773, 46_831])
  func stringsAreCorrectIfTheyProveDistinctWhenTheirCodesOutgrowSixteenBits(same: Int) throws {
    let names = [String](repeating: "x", count: same) + (10_000..<80_000).map { "y\($0)" }
    let text = "name\n" + names.joined(separator: "\n") + "\n"
    let table = try FormatTable.core.read(
      MemoryBytes(Array(text.utf8)), named: "t.csv", options: ReadOptions()
    ).table
    let column = try table.column(Self.path, cancellation: Cancellation())
    guard case .coded(let codes, let values) = column else {
      Issue.record("the column is not coded")
      return
    }
    #expect(names.indices.first { values[codes[$0]] != .string(names[$0]) } == nil)
  }

  @Test func numbersAfterASampleOfEmptyCellsAreNumbers() throws {
    // The sample has only empty cells, and the file is too large for exact types.
    let empty = String(repeating: "1,\n", count: ScanSizes().exact / 3)
    let rows = (0..<20_000).map { (written: String($0 * 7), value: Value.integer($0 * 7)) }
    let table = try table(rows, first: empty)
    let report = try table.report(on: "name", cancellation: Cancellation())
    #expect(report.type == .integer)
  }

  @Test func aDeclaredStringColumnOfNumbersKeepsItsTexts() throws {
    let rows = (0..<9_000).map { (written: String($0), value: Value.string(String($0))) }
    let table = try table(rows) { $0.types = ["name": .string] }
    let column = try table.column(Self.path, cancellation: Cancellation())
    guard case .coded(let codes, let values) = column else {
      Issue.record("the strings became numbers")
      return
    }
    #expect((0..<codes.count).map { values[codes[$0]] } == rows.map(\.value))
  }
}
