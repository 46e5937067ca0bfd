import TestSupport
import Testing

@testable import DataTables

/// Random tables and predicates on them.
private struct RandomPredicates {
  var random: SplitMix64
  private static let keys = ["n", "i", "r", "d", "s", "t", "m", "b"]
  private static let constants: [Value] =
    [nil, true, false, 0, 1, 2, -1, 10, "", "a", "A", "é", "E", "ab", "2012-11-01", [1, 2], ["a"]]
    + ["1.5", "0.0", "-1.5", "1e400", "-1e400", "9007199254740993", "9007199254740992.5", "1e300"]
    .map(Value.init(literal:))
    + ["2012-11-01", "2012-11-01T00:00:00.00000005Z", "2013-01-01T00:00:00+01:00"]
    .map(Value.init(literal:))

  mutating func row(_ samples: inout SampleValues) -> Value {
    let integers: [Value] = [nil, 0, 1, 2, -1, 10, 9_007_199_254_740_993]
    let reals = ["1.5", "0", "-1.5", "1e300", "1", "-0.5", "null", "2.25"].map(Value.init(literal:))
    let dates = ["2012-11-01", "2012-12-31T23:00:00Z", "2013-01-01", "null"].map(
      Value.init(literal:))
    let texts: [Value] = [nil, "", "a", "A", "ab", "é", "e\u{301}", "b", "2012-11-01", "1"]
    let tags: Value = .array((0..<random.below(3)).map { _ in random.one(of: texts) })
    return .record(
      Record([
        ("n", samples.number()), ("i", random.one(of: integers)), ("r", random.one(of: reals)),
        ("d", random.one(of: dates)), ("s", random.one(of: texts)), ("t", tags),
        ("m", samples.value()), ("b", random.one(of: [nil, true, false])),
      ]))
  }

  mutating func predicate(depth: Int = 3) throws -> Predicate {
    switch depth == 0 ? 0 : random.below(6) {
    case 0, 1, 2: return try comparison()
    case 3: return .not(try predicate(depth: depth - 1))
    case 4:
      return .and(try (0...1 + random.below(2)).map { _ in try predicate(depth: depth - 1) })
    default:
      if random.below(5) == 0 { return .boolean(.key(ObjectKeyPath(key: "b"))) }
      return .or(try (0...1 + random.below(2)).map { _ in try predicate(depth: depth - 1) })
    }
  }

  private mutating func comparison() throws -> Predicate {
    let comparison = ComparisonOperator(
      random.one(of: ComparisonOperator.Kind.allCases),
      options: ComparisonOperator.Options(rawValue: random.below(16)),
      quantifier: random.one(
        of: [nil, nil, nil] + ComparisonOperator.Quantifier.allCases.map { $0 }))
    // Retries until the operator accepts the right side.
    while true {
      let left = operand()
      let right = random.below(4) == 0 ? operand() : constant(for: comparison.kind)
      if let made = try? Predicate.Comparison(left, comparison, right) { return .comparison(made) }
    }
  }

  private mutating func constant(for kind: ComparisonOperator.Kind) -> Predicate.Operand {
    switch kind {
    case .in: .value(.array((0..<random.below(9)).map { _ in random.one(of: Self.constants) }))
    case .between: .value([random.one(of: Self.constants), random.one(of: Self.constants)])
    default: .value(random.one(of: Self.constants))
    }
  }

  private mutating func operand() -> Predicate.Operand {
    let key = random.one(of: Self.keys)
    switch random.below(14) {
    case 10:
      return .call(
        ValueFunction(random.one(of: ArithmeticOperator.allCases)),
        [.key(ObjectKeyPath(key: key)), .value(random.one(of: Self.constants))])
    case 11:
      let function = random.one(of: ["sum:", "count:", "max:", "abs:", "uppercase:", "mode:"])
      guard let found = ValueFunction.named(function) else { return .object }
      return .call(found, [.key(ObjectKeyPath(key: key))])
    case 12:
      let element = ComparisonOperator(random.one(of: [.equal, .less, .notEqual]))
      let constant = Predicate.Operand.value(random.one(of: Self.constants))
      guard let comparison = try? Predicate.Comparison(.variable("x"), element, constant) else {
        return .object
      }
      return .path(
        .subquery(
          Predicate.Subquery(.key(ObjectKeyPath(key: key)), "x", .comparison(comparison))),
        ObjectKeyPath([.collection(.count)]))
    case 13:
      return .conditional(
        .boolean(.key(ObjectKeyPath(key: "b"))), .key(ObjectKeyPath(key: key)),
        .value(random.one(of: Self.constants)))
    case 0: return .path(.object, ObjectKeyPath(key: key))
    case 1: return .key(ObjectKeyPath([.key("s"), .key("uppercased")]))
    case 2: return .value(random.one(of: Self.constants))
    case 3: return .array([.key(ObjectKeyPath(key: key)), .value(random.one(of: Self.constants))])
    default: return .key(ObjectKeyPath(key: key))
    }
  }
}

/// Records with an integer `i`, a number `r` and a date `d`, whose columns are keys.
private final class KeyedColumns: Table {
  private let table: ValueTable

  init(_ rows: [Value]) { table = ValueTable(rows) }

  var count: Int { table.count }
  var keys: [String] { table.keys }
  func objects(at rows: [Int]) throws -> [Value] { table.objects(at: rows) }

  func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn {
    let kind: NumericColumn.Kind
    switch path.description {
    case "i": kind = .integer
    case "r": kind = .real
    case "d": kind = .date
    default: return try table.column(path, cancellation: cancellation)
    }
    let keys = table.rows.map { row in
      switch (path.evaluate(on: row), kind) {
      case (.integer(let integer), .integer): NumericColumn.key(integer) ?? NumericColumn.null
      case (.integer(let integer), _): NumericColumn.key(Double(integer))
      case (.real(let real), _): NumericColumn.key(real.value)
      case (.date(let date), _): NumericColumn.key(date.secondsFromGMT * 10_000_000) ?? 0
      default: NumericColumn.null
      }
    }
    return .keyed(NumericColumn(kind: kind, keys: keys))
  }
}

struct PredicatePropertyTests {
  /// Checks that evaluating columns and evaluating objects have the same results.
  private func check(_ predicate: Predicate, _ table: any Table, _ note: String) throws {
    let rows = Array(0..<table.count)
    let expected = try zip(rows, try table.objects(at: rows)).filter { _, object in
      try predicate.holds(on: object)
    }
    let (order, sections, _) = try table.filtered(
      .natural(table.count), in: .whole(table.count), by: predicate, keepsEmpty: true)
    let found = (0..<order.count).map { order[$0] }
    #expect(found == expected.map(\.0), "\(note): \(predicate)")
    #expect(sections.offsets == [0, expected.count])
  }

  @Test(arguments: 0..<25)
  func columnsAgreeWithObjects(seed: Int) throws {
    var random = RandomPredicates(random: SplitMix64(seed: UInt64(seed)))
    var samples = SampleValues(seed: UInt64(seed))
    let count = [1, 63, 64, 65, 500][seed % 5]
    let table = ValueTable((0..<count).map { _ in random.row(&samples) })
    for _ in 0..<50 { try check(try random.predicate(), table, "seed \(seed)") }
  }

  @Test(arguments: 0..<10)
  func keyedColumnsAgreeWithObjects(seed: Int) throws {
    var random = RandomPredicates(random: SplitMix64(seed: UInt64(seed)))
    let table = KeyedColumns(
      (0..<300).map { _ in
        func one(_ texts: [String]) -> Value { Value(literal: random.random.one(of: texts)) }
        return [
          "i": one(["null", "0", "1", "2", "-1", "10", "9007199254740993"]),
          "r": one(["null", "1.5", "0", "-0.0", "-1.5", "1e300", "1.0", "-0.5", "2.25", "1"]),
          "d": one(["null", "2012-11-01", "2012-12-31T23:00:00Z", "2013-01-01"]),
          "s": one(["a", "A", "ab", "é", "b"]),
        ]
      })
    var made = 0
    while made < 60 {
      let predicate = try random.predicate(depth: 2)
      guard
        predicate.keyPaths.allSatisfy({ path in
          ["i", "r", "d", "s"].contains { path.steps.first == .key($0) }
        }), !"\(predicate)".contains("SELF")
      else { continue }
      made += 1
      try check(predicate, table, "seed \(seed)")
    }
  }

  /// Parts are evaluated in another order only if that changes no error.
  @Test(arguments: 0..<40)
  func columnsFailIfAndOnlyIfObjectsDo(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let table = ValueTable(
      (0..<1 + random.below(40)).map { _ in
        let flag: Value = random.below(12) == 0 ? "neither" : .bool(random.below(2) == 0)
        let text: Value = .string(String(repeating: "ab", count: random.below(4)))
        return ["a": .integer(random.below(3)), "flag": flag, "text": text]
      })
    for _ in 0..<40 {
      let parts = try (0..<2 + random.below(3)).map { _ in
        switch random.below(4) {
        case 0: Predicate.boolean(.key(ObjectKeyPath(key: "flag")))
        case 1: try comparison("a", .equal, .integer(random.below(4)))
        case 2: try comparison("text", .matches, random.one(of: ["(ab)+", "b.*", ""]))
        default: try comparison("text", .contains, random.one(of: ["ba", "b", "c"]))
        }
      }
      let predicate: Predicate = random.below(2) == 0 ? .and(parts) : .or(parts)
      let expected = try? table.rows.map { try predicate.holds(on: $0) }
      let found = try? table.filtered(
        .natural(table.count), in: .whole(table.count), by: predicate, keepsEmpty: true)
      #expect((found == nil) == (expected == nil), "seed \(seed): \(predicate)")
      #expect(found?.order.count == expected?.count { $0 }, "seed \(seed): \(predicate)")
    }
  }

  private func comparison(
    _ key: String, _ kind: ComparisonOperator.Kind, _ value: Value
  ) throws -> Predicate {
    .comparison(
      try Predicate.Comparison(
        .key(ObjectKeyPath(key: key)), ComparisonOperator(kind), .value(value)))
  }

  @Test(arguments: 0..<20)
  func sectionsKeepTheirRows(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let count = 200
    let table = ValueTable((0..<count).map { _ in .integer(random.below(5)) })
    let rows = (0..<count).map(UInt32.init).shuffled(using: &random).prefix(150)
    let cuts = (0..<6).map { _ in random.below(151) }.sorted()
    let sections = Sections(offsets: [0] + cuts + [150], titles: (0...6).map { .integer($0) })
    let predicate = Predicate.comparison(
      try Predicate.Comparison(.object, ComparisonOperator(.less), .value(2)))
    for keepsEmpty in [true, false] {
      let found = try table.filtered(
        .rows(Array(rows)), in: sections, by: predicate, keepsEmpty: keepsEmpty)
      var titles: [Value] = []
      var kept: [[Int]] = []
      for section in 0..<sections.count {
        let range = sections.offsets[section]..<sections.offsets[section + 1]
        let left = range.map { Int(rows[$0]) }.filter { table.rows[$0].compare(2) == .before }
        if left.isEmpty && !keepsEmpty { continue }
        titles.append(sections.titles[section])
        kept.append(left)
      }
      let result = (0..<found.sections.count).map { section in
        (found.sections.offsets[section]..<found.sections.offsets[section + 1])
          .map { found.order[$0] }
      }
      #expect(result == kept, "seed \(seed)")
      #expect(found.sections.titles == titles, "seed \(seed)")
    }
  }
}
