import DSInterpreter
import Testing

@Suite struct ScriptTests {
  @Test(arguments: ScriptFile.all)
  func theScriptDoesWhatItSays(script: ScriptFile) async throws {
    #expect(try await script.failures() == [])
  }

  @Test func thereAreScripts() {
    #expect(ScriptFile.all.count > 20)
  }
}
