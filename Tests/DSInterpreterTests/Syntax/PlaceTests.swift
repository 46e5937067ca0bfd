import Testing

@testable import DSInterpreter

@Suite struct PlaceTests {
  @Test func linesEndInAnyWay() {
    let script = ScriptText("a\nb\r\nc\rd\r")
    let places = [0, 1, 2, 3, 5, 6, 7, 8, 9].map { script.place(of: $0..<$0 + 1) }
    #expect(places.map(\.line) == [1, 1, 2, 2, 3, 3, 4, 4, 5])
    #expect(places.map(\.text) == ["a", "a", "b", "b", "c", "c", "d", "d", ""])
  }

  @Test func aKeyEndsAtItsDot() async throws {
    var interpreter = Interpreter()
    var lines: [String] = []
    try await interpreter.run(
      "let x = (print {a: {b: [7, 8]}}); print x.a.b[1]; print x.a.b==[7, 8]"
    ) { event, _ in
      if case .output(let output) = event { lines = try await PlainText.lines(of: output) }
    }
    #expect(lines == ["true"])
  }
}
