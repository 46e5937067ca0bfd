import Testing

@testable import DataTables

struct ComparisonOperatorTests {
  @Test(arguments: [
    ("Élan", ComparisonOperator.Kind.beginsWith, "e", 3, true),
    ("Élan", .beginsWith, "e", 1, false),
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
  func stringsAreCompared(
    text: String, kind: ComparisonOperator.Kind, part: String, options: Int, expected: Bool
  ) throws {
    let comparison = ComparisonOperator(
      kind, options: ComparisonOperator.Options(rawValue: options))
    #expect(try comparison.holds(.string(text), .string(part)) == expected)
    #expect(comparison.holdsLeniently(.string(text), .string(part)) == expected)
  }

  @Test(arguments: [ComparisonOperator.Quantifier.any, .some, .all, .none])
  func quantifiersApplyToElements(quantifier: ComparisonOperator.Quantifier) throws {
    let comparison = ComparisonOperator(.greater, quantifier: quantifier)
    let expected: [[Bool]] =
      switch quantifier {
      case .any, .some: [[true, true], [true, false], [false, false], [false]]
      case .all: [[true, true], [false, false], [false, false], [true]]
      case .none: [[false, false], [false, true], [true, true], [true]]
      }
    #expect(try comparison.holds([2, 3], 1) == expected[0][0])
    #expect(try comparison.holds([1, 3], 2) == expected[1][0])
    #expect(try comparison.holds([1, 2], 2) == expected[2][0])
    #expect(try comparison.holds([], 2) == expected[3][0])
  }

  @Test(arguments: [
    (ComparisonOperator.Kind.less, 1 as Value, "2" as Value), (.in, 1, 2),
    (.between, 1, .array([1])),
    (.between, 1, .array([1, 2, 3])), (.like, 1, "1"), (.matches, "a", "("), (.beginsWith, "a", 1),
    (.less, nil, 1), (.greaterOrEqual, true, 1),
  ])
  func incomparableValuesAreAnErrorAndFalseInPredicates(
    kind: ComparisonOperator.Kind, left: Value, right: Value
  ) throws {
    let comparison = ComparisonOperator(kind)
    #expect(throws: TableError.self) { try comparison.holds(left, right) }
    #expect(!comparison.holdsLeniently(left, right))
  }

  @Test func aComparisonWithNullIsFalseExceptForEquality() {
    for kind in ComparisonOperator.Kind.allCases {
      let holds = ComparisonOperator(kind).holdsLeniently(nil, nil)
      #expect(holds == (kind == .equal), "\(kind)")
      #expect(ComparisonOperator(kind).holdsLeniently(nil, 1) == (kind == .notEqual), "\(kind)")
    }
  }

  @Test func datesAreComparedWithISOStrings() throws {
    let date = Value(literal: "2012-11-01T00:00:00Z")
    #expect(try ComparisonOperator(.equal).holds(date, "2012-11-01"))
    #expect(try ComparisonOperator(.less).holds("2012-10-31", date))
    #expect(try ComparisonOperator(.in).holds(date, ["x", "2012-11-01"]))
    #expect(try ComparisonOperator(.between).holds(date, ["2012-01-01", "2012-12-31"]))
    #expect(try !ComparisonOperator(.equal).holds(date, "yesterday"))
  }
}
