import Testing

@testable import DSInterpreter

@Suite struct SessionLogTests {
  /// Runs lines and returns the session.
  private func session(_ lines: [String], configuring: [String] = []) async throws -> Session {
    var interpreter = Interpreter()
    interpreter.session.options.isInteractive = true
    interpreter.session.execution.log.isConfiguring = true
    for line in configuring { try await interpreter.run(line) { _, _ in } }
    interpreter.session.execution.log.isConfiguring = false
    for line in lines { try await interpreter.run(line) { _, _ in } }
    return interpreter.session
  }

  private func definitions(of names: Set<String>, in session: Session) -> [String] {
    session.execution.log.definitions(
      of: names, before: session.execution.log.count, in: "", commands: session.commands)
  }

  @Test func aScriptHasTheCommandsThatSucceeded() async throws {
    let session = try await session([
      "let a = simple [1, 2]; count", "count b", "let b = simple [", "expect a.name == \"x\"",
      "history", "help count", "print 1",
    ])
    #expect(
      session.execution.log.script(in: "", commands: .standard)
        == ["let a = simple [1, 2]", "count a", "print 1"])
  }

  @Test func aSourceWhoseFetchFailedKeepsItsDefinition() async throws {
    let session = try await session([
      "let a = remote file:/nonexistent/a.csv | fetch", "events a",
    ])
    #expect(
      session.execution.log.script(in: "", commands: .standard)
        == ["let a = remote file:/nonexistent/a.csv", "events a"])
  }

  @Test func definitionsFollowWrappersAndEdits() async throws {
    let session = try await session([
      "let a = simple [{n: 1}]", "let b = simple [{n: 2}]", "let w = sectioned a key: n",
      "fetch w", "count b", "print 7", "insert a {n: 3}", "mode table",
    ])
    #expect(
      definitions(of: ["w"], in: session) == [
        "let a = simple [{n: 1}]", "let w = sectioned a key: n", "fetch w", "insert a {n: 3}",
        "mode table",
      ])
    #expect(definitions(of: ["b"], in: session) == ["let b = simple [{n: 2}]", "mode table"])
    #expect(definitions(of: [], in: session) == ["mode table"])
  }

  @Test func definedCommandsBelongToTheirCalls() async throws {
    let session = try await session([
      "let a = simple [1]", "let b = simple [2]", "def size X { count X }",
      "for n in [1, 2] { size a }", "print \"\\((size b))\"",
    ])
    #expect(
      definitions(of: ["size"], in: session).contains("def size X { count X }"))
    #expect(
      session.execution.log.script(in: "", commands: .standard) == [
        "let a = simple [1]", "let b = simple [2]", "def size X { count X }",
        "for n in [1, 2] { size a }", "print \"\\((size b))\"",
      ])
  }

  @Test func theLastResultIsTheCommandBefore() async throws {
    let session = try await session(["let a = simple [1, 2, 3]", "print 9", "count a"])
    #expect(
      definitions(of: ["_"], in: session) == ["let a = simple [1, 2, 3]", "count a"])
  }

  @Test func aScriptHasWhatItUsesOfTheConfiguration() async throws {
    let session = try await session(
      ["count a"],
      configuring: ["let a = simple [1]", "let b = simple [2]", "mode table", "timer off"])
    #expect(
      session.execution.log.script(in: "", commands: .standard)
        == ["let a = simple [1]", "count a"])
  }
}
