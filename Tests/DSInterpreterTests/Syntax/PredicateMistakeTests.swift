import Testing

@testable import DSInterpreter

@Suite struct PredicateMistakeTests {
  @Test(
    arguments: [
      ("name ==", 26, "a value is missing at the end", nil),
      (
        "name == and a", 31, "`a` is not an operator; quote strings, and end labels with a colon",
        nil
      ),
      ("== 3", 19, "expected a value, not `==`", nil),
      ("(name == 3", 19, "this `(` is not closed", nil),
      ("name == 3)", 28, "unexpected `)`", nil),
      ("name BEGINWITH 'P'", 24, "`BEGINWITH` is not an operator", "BEGINSWITH"),
      ("name beginswth[cd] 'P'", 24, "`beginswth` is not an operator", "BEGINSWITH"),
      ("name == 'a' adn b", 31, "`adn` is not an operator", "and"),
      ("name === 3", 24, "`===` is not an operator", "=="),
      ("name 'Pie'", 24, "an operator is missing before this", nil),
      (
        "name LIKE[x] 'P'", 28,
        "unknown option; `[c]` ignores case, `[d]` accents, `[n]` compares strings as they are, and "
          + "`[l]` orders them by language", nil
      ),
      ("ANY tags", 27, "unexpected end of the line", nil),
      ("\"name ==\"", 27, "a value is missing at the end", nil),
      ("\"\\\"a\\\" == b ==\"", 31, "unexpected `==`", nil),
      ("'é == (3'", 25, "this `(` is not closed", nil),
      ("\"name BEGINWITH 'P'\"", 25, "`BEGINWITH` is not an operator", "BEGINSWITH"),
      ("\"\"", 20, "a value is missing at the end", nil),
    ] as [(String, Int, String, String?)])
  func theCaretIsInThePredicate(text: String, column: Int, message: String, near: String?) {
    let mistakes = parse("filtered f where: " + text).mistakes
    #expect(mistakes.first?.message == message)
    #expect(mistakes.first?.place?.column == column)
    #expect(mistakes.first?.suggestion == near)
    #expect(mistakes.first?.kind == .syntax)
  }

  @Test(arguments: [
    ("filtered people where: ctiy == 'x'", 24), ("filtered people where: age == 1 or nme == 2", 36),
    ("filtered people where: \"age == \\\"x\\\" or nme == 2\"", 41),
    ("filtered people where: name MATCHES '['", 37), ("filtered people where: not nme", 28),
    ("filtered people where: 'SELF.\"nme\" == 1'", 30),
  ])
  func keysAndValuesHaveTheirPlaces(text: String, column: Int) async throws {
    var interpreter = Interpreter()
    var columns: [Int?] = []
    try await interpreter.run("let people = simple [{name: Ann, age: 3, city: Paris}]") { _, _ in }
    try await interpreter.run(text) { event, _ in
      if case .failure(let mistake) = event { columns.append(mistake.place?.column) }
    }
    #expect(columns == [column])
  }
}
