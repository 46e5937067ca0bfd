import Testing

@testable import DataTables

struct ClaimTests {
  @Test(arguments: [
    ("Élan", Claim.Operator.beginsWith, "e", 3, true), ("Élan", .beginsWith, "e", 1, false),
    ("Élan", .beginsWith, "é", 1, true), ("Élan", .beginsWith, "é", 0, false),
    ("e\u{301}lan", .beginsWith, "é", 0, true), ("e\u{301}lan", .beginsWith, "e", 0, false),
    ("foobar", .contains, "oba", 0, true), ("foobar", .contains, "", 0, true),
    ("foobar", .contains, "OBA", 1, true), ("straße", .endsWith, "sse", 0, false),
    ("foobar", .endsWith, "bar", 0, true), ("foo", .endsWith, "xfoo", 0, false),
    ("foobar", .like, "f*b?r", 0, true), ("foo", .like, "f?", 0, false),
    ("a*b", .like, "a\\*b", 0, true), ("axb", .like, "a\\*b", 0, false),
    ("日本語", .like, "日?語", 0, true), ("", .like, "*", 0, true), ("", .like, "?", 0, false),
    ("ab", .like, "a", 0, false), ("Pie", .matches, "P.e", 0, true),
    ("Pies", .matches, "P.e", 0, false), ("PIE", .matches, "p[a-i]e", 1, true),
    ("Pïé", .matches, "Pie", 2, true), ("FOO", .equal, "foo", 1, true), ("é", .less, "f", 2, true),
  ])
  func textsAreCompared(
    text: String, operator: Claim.Operator, part: String, options: Int, expected: Bool
  ) throws {
    let claim = Claim(`operator`, options: Claim.Options(rawValue: options))
    #expect(try claim.holds(.string(text), .string(part)) == expected)
    #expect(claim.isMet(.string(text), .string(part)) == expected)
  }

  @Test(arguments: [Claim.Quantifier.any, .some, .all, .none])
  func quantifiersLookAtElements(quantifier: Claim.Quantifier) throws {
    let claim = Claim(.greater, quantifier: quantifier)
    let expected: [[Bool]] =
      switch quantifier {
      case .any, .some: [[true, true], [true, false], [false, false], [false]]
      case .all: [[true, true], [false, false], [false, false], [true]]
      case .none: [[false, false], [false, true], [true, true], [true]]
      }
    #expect(try claim.holds([2, 3], 1) == expected[0][0])
    #expect(try claim.holds([1, 3], 2) == expected[1][0])
    #expect(try claim.holds([1, 2], 2) == expected[2][0])
    #expect(try claim.holds([], 2) == expected[3][0])
  }

  @Test(arguments: [
    (Claim.Operator.less, 1 as Value, "2" as Value), (.in, 1, 2), (.between, 1, .array([1])),
    (.between, 1, .array([1, 2, 3])), (.like, 1, "1"), (.matches, "a", "("), (.beginsWith, "a", 1),
    (.less, nil, 1), (.greaterOrEqual, true, 1),
  ])
  func whatCannotBeComparedIsAnErrorAndFalseInPredicates(
    operator: Claim.Operator, left: Value, right: Value
  ) throws {
    let claim = Claim(`operator`)
    #expect(throws: TableError.self) { try claim.holds(left, right) }
    #expect(!claim.isMet(left, right))
  }

  @Test func aComparisonWithNullIsFalseButForEquality() {
    for `operator` in Claim.Operator.allCases {
      let isMet = Claim(`operator`).isMet(nil, nil)
      #expect(isMet == (`operator` == .equal), "\(`operator`)")
      #expect(Claim(`operator`).isMet(nil, 1) == (`operator` == .notEqual), "\(`operator`)")
    }
  }

  @Test func datesMeetISOTexts() throws {
    let date = Value(literal: "2012-11-01T00:00:00Z")
    #expect(try Claim(.equal).holds(date, "2012-11-01"))
    #expect(try Claim(.less).holds("2012-10-31", date))
    #expect(try Claim(.in).holds(date, ["x", "2012-11-01"]))
    #expect(try Claim(.between).holds(date, ["2012-01-01", "2012-12-31"]))
    #expect(try !Claim(.equal).holds(date, "yesterday"))
  }
}
