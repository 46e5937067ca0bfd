import TestSupport
import Testing

@testable import DataTables

struct CollectionOperatorTests {
  private func value(_ path: String, _ object: Value) throws -> Value {
    try ObjectKeyPath(parsing: path).evaluate(on: object)
  }

  @Test func missingValuesAreZeroInSums() throws {
    let rows: Value = [["n": 4], ["n": nil], [:], ["n": 2]]
    #expect(try value("@sum.n", rows) == 6)
    #expect(try value("@avg.n", rows) == Value(literal: "1.5"))
    #expect(try value("@count", rows) == 4)
    #expect(try value("@min.n", rows) == 2)
  }

  @Test func decimalsAreAddedExactly() throws {
    let prices = Value.array(["0.1", "0.2", "4.50", "-4.5"].map(Value.init(literal:)))
    #expect(try value("@sum", .record(Record([("@sum", 1)]))) == 1)
    #expect(try value("p.@sum", .record(Record([("p", prices)]))).json == "0.3")
    let large: Value = [.integer(.max), .integer(.max)]
    #expect(try value("@sum", large).json == "1.8446744073709552e+19")
    #expect(try value("@sum", []) == 0)
    #expect(try value("@avg", []) == 0)
    #expect(try value("@max", []) == .null)
  }

  @Test func valuesThatAreNotNumbersHaveNoSum() throws {
    #expect(try value("@sum", [1, "2"]) == .null)
    #expect(try value("@max", [1, "2"]) == "2")
    #expect(try value("@sum", "text") == .null)
  }

  @Test func largeNumbersHaveAMeanAndNoSum() throws {
    func numbers(_ literals: [String]) -> Value { .array(literals.map(Value.init(literal:))) }
    let large = numbers(["1.5e308", "1.5e308", "1.5e308"])
    #expect(try value("@sum", large) == .null)
    #expect(try value("@mean", large) == Value(literal: "1.5e308"))
    #expect(try value("@stddev", large) == 0)
    // The sum fits although a part of it does not.
    let fitting = numbers(["1e308", "1e308", "-1e308"])
    #expect(try value("@sum", fitting) == Value(literal: "1e308"))
    // The deviation of -x and x is x times the root of 2, as with smaller numbers.
    let wide = try value("@stddev", numbers(["-1e300", "1e300"]))
    guard case .real(let real) = wide else {
      Issue.record("\(wide.json)")
      return
    }
    #expect(abs(real.value / 1e300 - 2.0.squareRoot()) < 1e-12)
    let findings = try ObjectKeyPath(parsing: "@sum").operatorFindings(on: large)
    #expect(findings.map(\.findings.isTooLarge) == [true])
    let others = try ObjectKeyPath(parsing: "@mean").operatorFindings(on: large)
    #expect(others.map(\.findings.isTooLarge) == [false])
    #expect(try value("@mean", numbers(["1e400", "1"])) == .null)
  }

  @Test func unionsKeepTheOrderAndSkipMissingValues() throws {
    let rows: Value = [["t": ["a", "b"]], [:], ["t": ["b", nil, "c"]], ["t": ["a", "b"]]]
    #expect(try value("@unionOfArrays.t", rows) == ["a", "b", "b", "c", "a", "b"])
    #expect(try value("@distinctUnionOfArrays.t", rows) == ["a", "b", "c"])
    #expect(try value("@distinctUnionOfObjects.t", rows) == [["a", "b"], ["b", nil, "c"]])
    #expect(try value("@unionOfObjects.t[0]", rows) == ["a", "b", "a"])
  }

  @Test func nestedArraysAreFlattened() throws {
    let orders: Value = [["items": [["p": 1], ["p": 2]]], ["items": [["p": 3]]]]
    #expect(try value("items.@sum.p", orders) == 6)
    #expect(try value("@unionOfObjects.items.@sum.p", orders) == [3, 3])
    #expect(try value("items.@count", orders) == 2)
  }

  @Test func aQuotedOperatorIsAKey() throws {
    let path = try ObjectKeyPath(parsing: "a.\"@sum\"")
    #expect(path.steps == [.key("a"), .key("@sum")])
    #expect(path.description == "a.\"@sum\"")
    #expect(try ObjectKeyPath(parsing: path.description) == path)
    let operated = try ObjectKeyPath(parsing: "a.@sum.b")
    #expect(operated.steps == [.key("a"), .collection(.sum), .key("b")])
    #expect(operated.description == "a.@sum.b")
  }

  @Test(arguments: 0..<40)
  func sectionsFromColumnsEqualThoseFromObjects(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let pool = ["1", "2.50", "-7", "null", "0.1", "12"].map(Value.init(literal:))
    let values = (0..<60).map { _ in random.one(of: pool) }
    let records = values.map { Value.record(Record([("x", $0)])) }
    let table: any Table =
      seed.isMultiple(of: 2) ? KeyedTable(values, kind: .real) : ValueTable(records)
    let order = Array(values.indices).shuffled(using: &random)
    let sections = Sections(offsets: [0, 7, 7, 31, 60], titles: ["a", "b", "c", "d"])
    for kind in CollectionOperator.allCases {
      let found = try table.values(
        of: kind, [.key("x")], in: .rows(order.map { UInt32($0) }), sections: sections)
      for section in 0..<4 {
        let rows = order[sections.offsets[section]..<sections.offsets[section + 1]]
        let slow = kind.evaluate([.key("x")], on: rows.map { records[$0] })
        #expect(found[section].json == slow.json, "seed \(seed), \(kind.rawValue)")
      }
    }
  }
}
