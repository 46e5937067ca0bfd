import TestSupport
import Testing

@testable import DataTables

struct ComparisonFindingTests {
  private static let pool: [Value] = [
    1, 2, nil, "x", "2", "2024-01-31", true, ["x", 1], [], ["2"],
    Value(literal: "2.5"), Value(literal: "2024-02-01"),
  ]
  private static let kinds: [ComparisonOperator.Kind] = [
    .equal, .notEqual, .less, .greaterOrEqual, .in, .contains, .beginsWith,
  ]

  private func findings(
    _ predicate: Predicate, _ rows: [Value], order: RowOrder? = nil
  ) throws -> [ComparisonFinding] {
    let table = ValueTable(rows)
    return try table.comparisonFindings(
      of: predicate, in: order ?? .natural(rows.count), cancellation: Cancellation())
  }

  @Test(arguments: 0..<400)
  func aFindingMeansThatTheOperatorAcceptsNoValue(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let palette = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      random.one(of: Self.pool)
    }
    let values = (0..<20).map { _ in random.one(of: palette) }
    let kind = random.one(of: Self.kinds)
    var constant = random.one(of: Self.pool)
    if kind == .in { constant = [constant] }
    if kind == .beginsWith { constant = "x" }
    if kind == .contains, constant.type != .string { constant = 1 }
    let quantifier = random.one(of: [nil, ComparisonOperator.Quantifier.any])
    let comparison = ComparisonOperator(kind, quantifier: quantifier)
    let predicate = Predicate.comparison(
      try Predicate.Comparison(.key(ObjectKeyPath(key: "v")), comparison, .value(constant)))
    let rows = values.map { Value.record(Record([("v", $0)])) }
    let order = (0..<20).filter { _ in Bool.random(using: &random) }.map { UInt32($0) }

    var accepted = 0
    var rejected = 0
    for row in order {
      var value = values[Int(row)]
      if quantifier != nil, case .array(let elements) = value {
        guard !elements.isEmpty else { continue }
        value = elements.first { comparison.accepts($0, constant) } ?? elements[0]
      }
      if value.isNull { continue }
      if comparison.accepts(value, constant) { accepted += 1 } else { rejected += 1 }
    }
    let isOrdering = kind == .less || kind == .greaterOrEqual
    let isExpected = rejected > 0 && (accepted == 0 || isOrdering)
    let found = try findings(predicate, rows, order: .rows(order))
    #expect(found.isEmpty != isExpected, "seed \(seed): \(predicate)")
    if case .types(let key)? = found.first?.cause {
      #expect(key.isPartial == (accepted > 0), "seed \(seed): \(predicate)")
    }
  }

  @Test func aQuotedKeyIsFoundOnBothSides() throws {
    let rows: [Value] = [["unit price": 5, "address": ["city": "Ulm"]]]
    func meant(_ left: Value, _ right: Value) throws -> String? {
      let predicate = Predicate.comparison(
        try Predicate.Comparison(.value(left), ComparisonOperator(.equal), .value(right)))
      guard case .quotedKey(let meant)? = try findings(predicate, rows).first?.cause else {
        return nil
      }
      return meant.description
    }
    #expect(try meant("unit price", 5) == "SELF.\"unit price\" == 5")
    #expect(try meant(5, "unit price") == "5 == SELF.\"unit price\"")
    #expect(try meant("address.city", "Ulm") == "address.city == \"Ulm\"")
    #expect(try meant("city", "Ulm") == nil)
    #expect(try meant(1, 1) == nil)
  }
}
