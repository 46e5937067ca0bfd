import Testing

@testable import DSInterpreter

@Suite struct ExpressionParsingTests {
  @Test(arguments: [
    ("a", "a"),
    ("a.b == 3", "(a.b == 3)"),
    ("a>=3", "(a >= 3)"),
    ("a == 1.50", "(a == 1.50)"),
    ("l[5, 1].name == \"Pie\"", "(l[5, 1].name == \"Pie\")"),
    ("a.\"zip code\"[0].x", "a.zip code[0].x"),
    ("a or b and not c", "(a || (b && !(c)))"),
    ("a || b && !c", "(a || (b && !(c)))"),
    ("(a or b) and c", "((a || b) && c)"),
    ("name BEGINSWITH[cd] 'e' AND age >= 18", "((name BEGINSWITH[3] \"e\") && (age >= 18))"),
    ("x in {1, 2}", "(x IN {1, 2})"),
    ("x BETWEEN {1, 10}", "(x BETWEEN {1, 10})"),
    ("ANY tags == \"x\"", "(any tags == \"x\")"),
    ("none == 3", "(none == 3)"),
    ("none", "none"),
    ("all[0] == 1", "(all[0] == 1)"),
    ("not", "not"),
    ("in in in", "(in IN in)"),
    ("first-name == \"x\"", "(first-name == \"x\")"),
    ("{a: 1, \"b\":2}", "{a: 1, b: 2}"),
    ("[1, \"a\", null]", "[1, \"a\", null]"),
    ("2012-11-01", "\"2012-11-01\""),
    ("-1.5e3", "-1.5e3"),
    ("(count people)", "(command)"),
    ("(count)", "count"),
    ("(count > 3)", "(count > 3)"),
    ("(count>3)", "(count > 3)"),
    ("(count CONTAINS \"x\")", "(count CONTAINS \"x\")"),
    ("(count and titles)", "(count && titles)"),
    ("(people | count)", "(command)"),
    ("((a))", "a"),
    ("(indexPath l {name: Ann}) == [0, 1]", "((command) == [0, 1])"),
    ("(load f | sectioned key: a).name", "(command).name"),
    ("TRUE != Null", "(true != null)"),
    ("x LIKE '*a?'", "(x LIKE \"*a?\")"),
    ("1 + 2 * 3 - a", "from:subtract:(add:to:(1, multiply:by:(2, 3)), a)"),
    ("(count + 3)", "add:to:(count, 3)"),
    ("(count(x) > 3)", "(count:(x) > 3)"),
    ("a not in {1}", "!((a IN {1}))"),
    ("a[-1][0:3][LAST]", "a[-1][0:3][-1]"),
    ("$x.b", "$x.b"),
    ("TERNARY(a, YES, NO)", "TERNARY(a, true, false)"),
    ("SUBQUERY(a, $x, $x > 1).@count", "SUBQUERY(a, $x, ($x > 1)).@count"),
    ("now() - a", "from:subtract:(now(), a)"),
  ])
  func expressionsAreParsed(text: String, expected: String) {
    #expect(expression(text) == expected)
  }

  @Test func manyOperatorsAreRefusedBeforeTheyExhaustTheStack() {
    #expect(parse("print 1" + String(repeating: " + 1", count: 200)).mistakes.isEmpty)
    let nested = String(repeating: "(1 + ", count: 100) + "1" + String(repeating: ")", count: 100)
    #expect(parse("print " + nested + " + " + nested).mistakes.count == 1)
    let long = parse("print 1" + String(repeating: " + 1", count: 100_000)).mistakes
    #expect(long.first?.message.hasPrefix("more than 200 arithmetic operators") == true)
    #expect(parse("expect 1 + 1 == 2 and 1 + 1 == 2").mistakes.isEmpty)
  }

  @Test(arguments: [
    ("expect a ==", 12), ("expect == 3", 8), ("expect a == == 3", 13), ("expect a b", 10),
    ("expect (a", 8), ("expect a[x]", 9), ("expect a.", 9), ("expect a and", 13),
    ("expect [1 2]", 11), ("expect {a: }", 12), ("expect ()", 8), ("expect ANY a", 13),
    ("let true = 3", 5), ("let x 3", 7), ("let x =", 8), ("let 9 = 3", 5),
  ])
  func aMistakeHasItsPlace(text: String, column: Int) {
    let mistakes = parse(text).mistakes
    #expect(mistakes.count == 1)
    #expect(mistakes.first?.place?.column == column)
  }

  @Test func aPredicateEndsAtTheNextLabel() {
    let line = parse("filtered foods where: name == 'x' or (b > 2) name: y | count").lines.first
    guard case .pipe(let pipe)? = line?.kind,
      case .predicate(let found) = pipe.stages[0].labels[0]
        .content
    else {
      Issue.record("no predicate")
      return
    }
    #expect(written(found) == "((name == \"x\") || (b > 2))")
    #expect(pipe.stages[0].labels.count == 2)
    #expect(pipe.stages.count == 2)
  }

  @Test func aQuotedPredicateIsParsed() {
    let line = parse("filtered foods where: \"name == 'x'\"").lines.first
    guard case .pipe(let pipe)? = line?.kind,
      case .predicate(let found) = pipe.stages[0].labels[0]
        .content
    else {
      Issue.record("no predicate")
      return
    }
    #expect(written(found) == "(name == \"x\")")
    #expect(parse("filtered foods where: \"name ==\"").mistakes.first?.place?.column == 31)
  }
}
