import Testing

@testable import DSInterpreter

@Suite struct PredicateCompletionTests {
  @Test(arguments: [
    ("age", ["==", "!=", "<", "<=", ">", ">=", "IN", "BETWEEN", "NOT"]),
    ("born", ["==", "!=", "<", "<=", ">", ">=", "IN", "BETWEEN", "NOT"]),
    ("member", ["==", "!=", "IN", "NOT", "AND", "OR", "empty:", "name:", "id:"]),
    ("tags", ["==", "!=", "CONTAINS", "NOT"]),
    (
      "name",
      [
        "==", "!=", "<", "<=", ">", ">=", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "ENDSWITH",
        "LIKE", "MATCHES", "CONTAINS[c]", "BEGINSWITH[c]", "ENDSWITH[c]", "LIKE[c]", "MATCHES[c]",
        "NOT",
      ]
    ),
  ])
  func operatorsFitTheType(key: String, expected: [String]) async throws {
    let typed = try await UnfinishedLine(after: UnfinishedLine.people)
    let words = await typed.words("filtered people where: \(key) ")
    #expect(words == expected)
  }

  @Test(arguments: [
    ("name == ", ["\"Ann\"", "\"Bea\""]), ("name == \"B", ["\"Bea\""]), ("name == 'B", ["'Bea'"]),
    ("name == B", ["\"Bea\""]), ("name==", ["\"Ann\"", "\"Bea\""]),
    ("age >= ", ["41", "7"]), ("born < 19", ["1984-05-01", "1990-01-31"]),
    ("member == t", ["true", "tags"]), ("tags CONTAINS f", ["\"far off\""]),
    ("address.city == \"O", ["\"Oslo\""]), ("name BEGINSWITH[c] \"A", ["\"Ann\""]),
    ("name IN {", ["\"Ann\"", "\"Bea\""]), ("name IN {\"Ann\", ", ["\"Ann\"", "\"Bea\""]),
    ("name IN [", ["\"Ann\"", "\"Bea\""]), ("age BETWEEN {", ["41", "7"]),
    ("name == \"Ann\" AND age == ", ["41", "7"]), ("not (name == \"B", ["\"Bea\""]),
    ("SELF.\"home town\" == ", ["\"Bad Ems\"", "\"Bergen\""]),
  ])
  func valuesFollowAnOperator(predicate: String, expected: [String]) async throws {
    let typed = try await UnfinishedLine(after: UnfinishedLine.people)
    #expect(await typed.words("filtered people where: \(predicate)") == expected)
  }

  @Test(arguments: [
    ("name N", ["NOT"]), ("name not b", ["between", "beginswith", "beginswith[c]"]),
    ("name beg", ["beginswith", "beginswith[c]"]), ("age <", ["<="]), ("age == 7 a", ["and"]),
    ("age == 7 O", ["OR"]), ("age == 7 em", ["empty:"]), ("tr", []), ("TR", ["TRUEPREDICATE"]),
    ("n", ["name", "none", "not", "noindex:with:("].filter { !$0.hasSuffix("(") }),
  ])
  func wordsOfPredicatesAreCompleted(predicate: String, expected: [String]) async throws {
    let typed = try await UnfinishedLine(after: UnfinishedLine.people)
    let words = await typed.words("filtered people where: \(predicate)")
    #expect(words.filter { !$0.hasSuffix("(") } == expected)
  }

  @Test func aCompleteComparisonIsFollowedByLabels() async throws {
    let typed = try await UnfinishedLine(after: UnfinishedLine.people)
    let words = await typed.words("filtered people where: age == 7 ")
    #expect(words == ["AND", "OR", "empty:", "name:", "id:"])
    // A label is given once.
    #expect(!(await typed.words("filtered people where: age == 7 empty: show ")).contains("empty:"))
  }

  @Test func manyValuesAreSampled() async throws {
    let typed = try await UnfinishedLine(
      after: """
        let numbers = simple [\((0..<900).map { "{n: \($0), k: k\($0 % 3)}" }.joined(separator: ", "))]
        """)
    let found = await typed.completions("filtered numbers where: k == ")
    #expect(found.texts == ["\"k0\"", "\"k1\"", "\"k2\""])
    // Not all rows were counted.
    #expect(found.candidates.allSatisfy { $0.description == nil })
    #expect(await typed.words("filtered numbers where: n == ").count == 50)
  }

  @Test func columnsThatAreDecodedAreCounted() async throws {
    let typed = try await UnfinishedLine(
      after: """
        let numbers = simple [\((0..<900).map { "{k: k\($0 % 3)}" }.joined(separator: ", "))]
        sectioned numbers key: k | fetch
        """)
    let found = await typed.completions("filtered numbers where: k == ")
    #expect(found.candidates.first == Completions.Candidate("\"k0\"", description: "300 rows"))
  }
}
