import Testing

@testable import DSInterpreter

@Suite struct DeepKeyTests {
  private static let objects =
    "[{name: Ann, age: 3, address: {city: Ulm}, items: [{price: 1}]}, {name: Bo}]"

  @Test(
    arguments: [
      ("sectioned p key: address.ctiy", 26, "city"),
      ("sectioned p sort: name, address.ctiy desc", 33, "city"),
      ("sectioned p key: age.firstCharacter", 22, nil),
      ("sectioned p key: items.@sum.prize", 29, "price"),
      ("filtered p where: name == 'Ann' and address.ctiy == 'Ulm'", 45, "city"),
      ("filtered p where: \"items.@cuont > 2\"", 26, "@count"),
      ("sections p with: @sum.items.prize", 29, "price"),
    ] as [(String, Int, String?)])
  func theCaretIsUnderTheStepThatNoObjectHas(text: String, column: Int, near: String?) async throws
  {
    var interpreter = Interpreter()
    var mistakes: [Diagnostic] = []
    try await interpreter.run("let p = simple " + Self.objects) { _, _ in }
    try await interpreter.run(text) { event, _ in
      if case .failure(let mistake) = event { mistakes.append(mistake) }
    }
    #expect(mistakes.map(\.place?.column) == [column])
    #expect(mistakes.map(\.suggestion) == [near])
    #expect(mistakes.map(\.kind) == [.unknownKey])
  }

  @Test func aStepAfterANullIsNotRejected() async throws {
    var interpreter = Interpreter()
    let text = "simple [{a: null}, {a: []}] | sectioned key: a.b.c sort: a.@sum.d | fetch"
    try await interpreter.run(text) { event, _ in
      if case .failure(let mistake) = event { Issue.record(mistake) }
    }
  }
}
